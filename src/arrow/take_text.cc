#include <cstring>
#include <limits>
#include <string>
#include <vector>

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

// What the first pass over some rows found.
struct MeasuredTexts {
  std::int64_t bad_row = -1;  // of the result, the first whose offsets are wrong; -1: none
  std::int64_t bad_begin = 0;
  std::int64_t bad_end = 0;
  std::int64_t bytes = 0;    // of all texts
  bool is_too_long = false;  // whether `bytes` is more than 63 bits hold
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
  MeasuredTexts measure(std::int64_t low, std::int64_t high) const {
    constexpr std::int64_t kAhead = 16;
    MeasuredTexts measured;
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
        if (measured.bad_row < 0) measured = {i, begin, end};
        continue;
      }
      begins[i] = begin;
      lengths[i] = static_cast<Offset>(end - begin);
      measured.is_too_long |=
          __builtin_add_overflow(measured.bytes, std::int64_t{lengths[i]}, &measured.bytes);
    }
    return measured;
  }

  // The second pass, which copies the texts of the rows to `to`, from byte `at` on and before
  // `end`. Their lengths become where they end.
  void copy(std::int64_t low, std::int64_t high, std::int64_t at, std::int64_t end,
            std::byte* to) const {
    constexpr std::int64_t kAhead = 8;
    for (std::int64_t i = low; i < high; ++i) {
      if (i + kAhead < high && cells[i + kAhead] >= 0)
        __builtin_prefetch(chunk(i + kAhead).bytes + begins[i + kAhead]);
      const std::int64_t bytes = lengths[i];
      std::byte* const out = to + at;
      const std::int64_t room = end - at;
      at += bytes;
      lengths[i] = static_cast<Offset>(at);
      if (bytes == 0) continue;
      const Texts<Offset>& texts = chunk(i);
      // What a fixed copy writes too much, the next rows of this piece write over.
      if (bytes <= kShort && texts.high - begins[i] >= kShort && room >= kShort) {
        std::memcpy(out, texts.bytes + begins[i], kShort);
      } else {
        std::memcpy(out, texts.bytes + begins[i], static_cast<std::size_t>(bytes));
      }
    }
  }
};

template <class Offset, class Cell>
Status contradicting_offsets(const TextGather<Offset, Cell>& gather, const TakeColumn& column,
                             const MeasuredTexts& bad) {
  const Texts<Offset>& texts = gather.chunk(bad.bad_row);
  return contradiction(column.place,
                       "the text of row " + std::to_string(gather.cells[bad.bad_row]) +
                           (gather.chunks.size() > 1 ? " of a chunk" : "") + " has the offsets " +
                           std::to_string(bad.bad_begin) + " and " + std::to_string(bad.bad_end) +
                           ", must not fall and be in [" + std::to_string(texts.low) + ", " +
                           std::to_string(texts.high) + "]");
}

// Where the text of each piece of the rows begins in the result's, and where the last one ends.
template <class Offset, class Cell>
Result<std::vector<std::int64_t>> measure_all(const TextGather<Offset, Cell>& gather,
                                              const TakeColumn& column, const RunOptions& run) {
  const std::int64_t count = gather.selection.count;
  std::vector<MeasuredTexts> pieces(static_cast<std::size_t>((count + kPiece - 1) / kPiece));
  const auto body = [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
    pieces[static_cast<std::size_t>(piece)] = gather.measure(low, high);
  };
  if (Status status = for_pieces(count, run, body); !status) return status;
  std::vector<std::int64_t> begins = {0};
  bool is_too_long = false;
  for (const MeasuredTexts& piece : pieces) {
    if (piece.bad_row >= 0) return contradicting_offsets(gather, column, piece);
    std::int64_t end = 0;
    is_too_long |= piece.is_too_long || __builtin_add_overflow(begins.back(), piece.bytes, &end) ||
                   end > std::numeric_limits<Offset>::max();
    begins.push_back(end);
  }
  if (!is_too_long) return begins;
  return contradiction(column.place, "the result has more text than offsets of " +
                                         std::to_string(8 * sizeof(Offset)) +
                                         " bits can address; cast to large_string or large_binary");
}

// Both passes. Returns the text; the lengths become its offsets.
template <class Offset, class Cell>
Result<NewBuffer> gather_texts(const TextGather<Offset, Cell>& gather, const TakeColumn& column,
                               const RunOptions& run) {
  const Result<std::vector<std::int64_t>> begins = measure_all(gather, column, run);
  if (!begins) return begins.error();
  Result<NewBuffer> text = new_buffer(begins->back());
  if (!text) return text;
  const auto body = [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
    const auto number = static_cast<std::size_t>(piece);
    gather.copy(low, high, (*begins)[number], (*begins)[number + 1], text->data);
  };
  if (Status status = for_pieces(gather.selection.count, run, body); !status) return status;
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
  offsets[0] = 0;
  auto* const begins = reinterpret_cast<Offset*>(scratch->data);
  Result<NewBuffer> text = visit_cells(call.selection, [&]<class Cell>(const Cell* cells) {
    const TextGather<Offset, Cell> gather{call.selection,       cells,  *chunks,
                                          made.buffers[0].data, begins, offsets + 1};
    return gather_texts(gather, column, call.run);
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
