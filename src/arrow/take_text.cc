#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "src/arrow/bits.h"
#include "src/arrow/ranges.h"
#include "src/arrow/take.h"
#include "src/base/memory.h"

// Two passes: the first one reads and checks the offsets, each once, and keeps for every row where
// its bytes begin and how many there are; the second one copies the bytes. A producer that changes
// an offset between the passes changes nothing.
namespace windrow::arrow {
namespace {

using windrow::internal::read_once;

// Texts of up to this length are copied with their neighbours, by a copy of a fixed size.
constexpr std::int64_t kShort = 16;

// The texts of a chunk. Its bytes are known to lie between the first and the last offset: the C
// interface has no other bound.
template <class Offset>
struct Texts {
  const std::byte* offsets = nullptr;  // of row 0
  const std::byte* bytes = nullptr;
  Offset low = 0;
  Offset high = 0;

  Offset offset(std::int64_t row) const {
    return read_once<Offset>(offsets + row * static_cast<std::int64_t>(sizeof(Offset)));
  }
};

// A row whose offsets are wrong.
struct BadText {
  std::int64_t row = -1;  // of the result; -1: none
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

template <class Offset>
Result<std::vector<Texts<Offset>>> texts_of(const TakeColumn& column) {
  std::vector<Texts<Offset>> all;
  for (const Chunk* chunk : column.chunks) {
    Texts<Offset> texts;
    texts.offsets = chunk->data + chunk->first * static_cast<std::int64_t>(sizeof(Offset));
    texts.bytes = chunk->text;
    texts.low = texts.offset(0);
    texts.high = texts.offset(chunk->length);
    if (texts.low < 0 || texts.high < texts.low)
      return contradiction(column.place, "the first offset of the text is " +
                                             std::to_string(texts.low) + ", the last one is " +
                                             std::to_string(texts.high));
    if (texts.high > texts.low && texts.bytes == nullptr)
      return contradiction(column.place, "buffer 2 is a null pointer, but there is text");
    all.push_back(texts);
  }
  return all;
}

template <class Offset, class Cell>
struct TextGather {
  const Selection& selection;
  const Cell* cells;
  const std::vector<Texts<Offset>>& chunks;
  const std::byte* validity;  // of the result; null: no row is null
  Offset* begins;             // [count]: where the bytes of each row begin in those of its chunk
  Offset* lengths;            // [count]

  const Texts<Offset>& chunk(std::int64_t i) const {
    const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
    return chunks[chunk_of == nullptr ? 0 : static_cast<std::size_t>(chunk_of[i])];
  }

  // The first pass over the rows [low, high).
  BadText measure(std::int64_t low, std::int64_t high) const {
    constexpr std::int64_t kAhead = 16;
    BadText bad;
    for (std::int64_t i = low; i < high; ++i) {
      if (i + kAhead < high && cells[i + kAhead] >= 0)
        __builtin_prefetch(chunk(i + kAhead).offsets +
                           std::int64_t{cells[i + kAhead]} * std::int64_t{sizeof(Offset)});
      begins[i] = 0;
      lengths[i] = 0;
      if (cells[i] < 0 || (validity != nullptr && !bit_at(validity, i))) continue;
      const Texts<Offset>& texts = chunk(i);
      const Offset begin = texts.offset(cells[i]);
      const Offset end = texts.offset(std::int64_t{cells[i]} + 1);
      if (begin < texts.low || end < begin || end > texts.high) {
        if (bad.row < 0) bad = {i, begin, end};
        continue;
      }
      begins[i] = begin;
      lengths[i] = static_cast<Offset>(end - begin);
    }
    return bad;
  }

  // The second pass. offsets[i]: where the bytes of row i go, [count + 1].
  void copy(const Offset* offsets, std::int64_t low, std::int64_t high, std::byte* to) const {
    constexpr std::int64_t kAhead = 8;
    for (std::int64_t i = low; i < high; ++i) {
      if (i + kAhead < high && cells[i + kAhead] >= 0)
        __builtin_prefetch(chunk(i + kAhead).bytes + begins[i + kAhead]);
      const std::int64_t bytes = offsets[i + 1] - offsets[i];
      if (bytes == 0) continue;
      const Texts<Offset>& texts = chunk(i);
      // What a fixed copy writes too much, the next rows of this piece write over.
      if (bytes <= kShort && texts.high - begins[i] >= kShort &&
          offsets[high] - offsets[i] >= kShort) {
        std::memcpy(to + offsets[i], texts.bytes + begins[i], kShort);
      } else {
        std::memcpy(to + offsets[i], texts.bytes + begins[i], static_cast<std::size_t>(bytes));
      }
    }
  }
};

// Turns `lengths`, at offsets[1..count], into offsets. Returns the last one; nothing if it exceeds
// the type.
template <class Offset>
std::optional<std::int64_t> add_up(Offset* offsets, std::int64_t count) {
  offsets[0] = 0;
  std::int64_t total = 0;
  for (std::int64_t i = 1; i <= count; ++i) {
    if (__builtin_add_overflow(total, std::int64_t{offsets[i]}, &total) ||
        total > std::numeric_limits<Offset>::max())
      return std::nullopt;
    offsets[i] = static_cast<Offset>(total);
  }
  return total;
}

template <class Offset, class Cell>
Status measure_all(const TextGather<Offset, Cell>& gather, const TakeColumn& column,
                   const RunOptions& run) {
  const std::int64_t count = gather.selection.count;
  std::vector<BadText> bad(static_cast<std::size_t>((count + kPiece - 1) / kPiece));
  Status status =
      for_pieces(count, run, [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
        bad[static_cast<std::size_t>(piece)] = gather.measure(low, high);
      });
  if (!status) return status;
  for (const BadText& one : bad) {
    if (one.row < 0) continue;
    const Texts<Offset>& texts = gather.chunk(one.row);
    return contradiction(column.place,
                         "the text of row " + std::to_string(gather.cells[one.row]) +
                             (gather.chunks.size() > 1 ? " of a chunk" : "") + " has the offsets " +
                             std::to_string(one.begin) + " and " + std::to_string(one.end) +
                             ", must not fall and be in [" + std::to_string(texts.low) + ", " +
                             std::to_string(texts.high) + "]");
  }
  return {};
}

// Both passes. Fills in `offsets`, and returns the text.
template <class Offset, class Cell>
Result<NewBuffer> gather_texts(const TextGather<Offset, Cell>& gather, const TakeColumn& column,
                               const RunOptions& run, Offset* offsets) {
  const std::int64_t count = gather.selection.count;
  if (Status status = measure_all(gather, column, run); !status) return status;
  const std::optional<std::int64_t> bytes = add_up(offsets, count);
  if (!bytes)
    return contradiction(column.place,
                         "the result has more text than offsets of " +
                             std::to_string(8 * sizeof(Offset)) +
                             " bits can address; cast to large_string or large_binary");
  Result<NewBuffer> text = new_buffer(*bytes);
  if (!text) return text;
  const auto body = [&](std::int64_t, std::int64_t low, std::int64_t high) {
    gather.copy(offsets, low, high, text->data);
  };
  if (Status status = for_pieces(count, run, body); !status) return status;
  return text;
}

template <class Offset>
Status take_texts(const TakeCall& call, const TakeColumn& column, Made& made) {
  const std::int64_t count = call.selection.count;
  const Result<std::vector<Texts<Offset>>> chunks = texts_of<Offset>(column);
  if (!chunks) return chunks.error();
  Result<NewBuffer> offset_buffer =
      new_buffer((count + 1) * static_cast<std::int64_t>(sizeof(Offset)));
  if (!offset_buffer) return offset_buffer.error();
  Result<NewBuffer> scratch = new_buffer(count * static_cast<std::int64_t>(sizeof(Offset)));
  if (!scratch) return scratch.error();
  auto* const offsets = reinterpret_cast<Offset*>(offset_buffer->data);
  auto* const begins = reinterpret_cast<Offset*>(scratch->data);
  Result<NewBuffer> text = visit_cells(call.selection, [&]<class Cell>(const Cell* cells) {
    const TextGather<Offset, Cell> gather{call.selection,       cells,  *chunks,
                                          made.buffers[0].data, begins, offsets + 1};
    return gather_texts(gather, column, call.run, offsets);
  });
  if (!text) return text.error();
  made.buffers.push_back(offset_buffer->finish());
  made.buffers.push_back(text->finish());
  return {};
}

}  // namespace

Status take_text(const TakeCall& call, const TakeColumn& column, Made& made) {
  if (column.field.type.layout == Layout::kLargeText)
    return take_texts<std::int64_t>(call, column, made);
  return take_texts<std::int32_t>(call, column, made);
}

}  // namespace windrow::arrow
