#include <cstring>
#include <limits>
#include <string>

#include "src/arrow/bits.h"
#include "src/arrow/ranges.h"
#include "src/arrow/take.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

// A view of the columnar format. Texts of up to kMostInline bytes lie in the view itself, after the
// length.
struct View {
  std::int32_t length = 0;
  std::int32_t prefix = 0;
  std::int32_t buffer = 0;
  std::int32_t offset = 0;
};
constexpr std::int32_t kMostInline = 12;
constexpr std::int64_t kViewBytes = sizeof(View);

// What a piece of the result was like.
struct PieceOutcome {
  std::int64_t bad_row = -1;  // the first row of the result whose view is wrong; -1: none
  View bad;
  bool has_long = false;  // whether any view points into a buffer
};

struct ViewChunk {
  const std::byte* views = nullptr;  // of row 0
  const std::vector<ViewBuffer>* buffers = nullptr;
  std::int32_t first_buffer = 0;  // the number of its first buffer in the result
};

bool is_legal(const View& view, const std::vector<ViewBuffer>& buffers) {
  if (view.length < 0) return false;
  if (view.length <= kMostInline) return true;
  const std::int64_t end = std::int64_t{view.offset} + view.length;
  return view.buffer >= 0 && static_cast<std::size_t>(view.buffer) < buffers.size() &&
         view.offset >= 0 && end <= buffers[static_cast<std::size_t>(view.buffer)].bytes;
}

template <class Cell>
struct ViewGather {
  const Selection& selection;
  const Cell* cells;
  const std::vector<ViewChunk>& chunks;
  const std::byte* validity;  // of the result; null: no row is null
  std::byte* to;

  PieceOutcome run(std::int64_t low, std::int64_t high) const {
    const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
    PieceOutcome outcome;
    constexpr std::int64_t kAhead = 16;
    const auto chunk_of_row = [&](std::int64_t i) -> const ViewChunk& {
      return chunks[chunk_of == nullptr ? 0 : static_cast<std::size_t>(chunk_of[i])];
    };
    for (std::int64_t i = low; i < high; ++i) {
      if (i + kAhead < high && cells[i + kAhead] >= 0)
        __builtin_prefetch(chunk_of_row(i + kAhead).views + cells[i + kAhead] * kViewBytes);
      View view;
      if (cells[i] >= 0 && (validity == nullptr || bit_at(validity, i))) {
        const ViewChunk& chunk = chunk_of_row(i);
        std::memcpy(&view, chunk.views + cells[i] * kViewBytes, sizeof view);
        __asm__ volatile("" : "+m"(view));  // what is checked is what was read
        if (!is_legal(view, *chunk.buffers)) {
          if (outcome.bad_row < 0) outcome = {i, view, outcome.has_long};
          continue;
        }
        if (view.length > kMostInline) {
          view.buffer += chunk.first_buffer;
          outcome.has_long = true;
        }
      }
      std::memcpy(to + i * kViewBytes, &view, sizeof view);
    }
    return outcome;
  }
};

Result<std::vector<ViewChunk>> chunks_of(const TakeColumn& column) {
  std::vector<ViewChunk> chunks;
  std::int64_t buffers = 0;
  for (const Chunk* chunk : column.chunks) {
    chunks.push_back({chunk->data + chunk->first * kViewBytes, &chunk->buffers,
                      static_cast<std::int32_t>(buffers)});
    buffers += static_cast<std::int64_t>(chunk->buffers.size());
    if (buffers > std::numeric_limits<std::int32_t>::max())
      return contradiction(column.place, "the chunks have more than 2^31-1 view buffers");
  }
  return chunks;
}

// Appends the buffers that the views of the result point into, and their sizes.
Status add_buffers(const TakeCall& call, const TakeColumn& column, bool has_long, Made& made) {
  std::vector<std::int64_t> sizes;
  for (const Chunk* chunk : column.chunks) {
    if (!has_long) break;
    for (const ViewBuffer& buffer : chunk->buffers) {
      made.buffers.push_back({call.input, buffer.data});
      sizes.push_back(buffer.bytes);
    }
  }
  const std::size_t bytes = sizes.size() * sizeof(std::int64_t);
  Result<NewBuffer> last = new_buffer(static_cast<std::int64_t>(bytes));
  if (!last) return last.error();
  if (bytes > 0) std::memcpy(last->data, sizes.data(), bytes);
  made.buffers.push_back(last->finish());
  return {};
}

}  // namespace

Status take_views(const TakeCall& call, const TakeColumn& column, Made& made) {
  const std::int64_t count = call.selection.count;
  const Result<std::vector<ViewChunk>> chunks = chunks_of(column);
  if (!chunks) return chunks.error();
  const auto bytes = windrow::internal::checked_mul(count, kViewBytes);
  if (!bytes) return {ErrorCode::kOutOfMemory, column.place.text() + ": too many views"};
  Result<NewBuffer> to = new_buffer(*bytes);
  if (!to) return to.error();
  std::vector<PieceOutcome> pieces(static_cast<std::size_t>((count + kPiece - 1) / kPiece));
  Status status = visit_cells(call.selection, [&]<class Cell>(const Cell* cells) {
    const ViewGather<Cell> gather{call.selection, cells, *chunks, made.buffers[0].data, to->data};
    return for_pieces(count, call.run,
                      [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
                        pieces[static_cast<std::size_t>(piece)] = gather.run(low, high);
                      });
  });
  if (!status) return status;
  bool has_long = false;
  for (const PieceOutcome& piece : pieces) {
    has_long |= piece.has_long;
    if (piece.bad_row < 0) continue;
    return contradiction(column.place,
                         "the view for row " + std::to_string(piece.bad_row) +
                             " of the result has the length " + std::to_string(piece.bad.length) +
                             ", buffer " + std::to_string(piece.bad.buffer) + " and offset " +
                             std::to_string(piece.bad.offset) + ", which no buffer holds");
  }
  made.buffers.push_back(to->finish());
  return add_buffers(call, column, has_long, made);
}

}  // namespace windrow::arrow
