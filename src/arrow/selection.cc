#include "src/arrow/selection.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "src/arrow/bits.h"
#include "src/arrow/ranges.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

// Ids are copied in blocks of this size, checked there and never read again.
constexpr std::int64_t kBlock = 1024;

// Rows are copied as runs if these have at least this length on average.
constexpr std::int64_t kLeastRun = 32;

// Ids that lie one after another.
struct IdRun {
  DType dtype = DType::kAbsent;
  const std::byte* data = nullptr;
  std::int64_t step = 0;  // bytes
  std::int64_t count = 0;
  const std::byte* validity = nullptr;
  std::int64_t first_bit = 0;
};

// What a piece of the ids was like.
struct PieceOutcome {
  std::int64_t bad = 0;    // the number of ids that are refused
  std::int64_t first = 0;  // the position of the first of them
  std::int64_t value = 0;
  bool is_uint64 = false;  // whether `value` are the bits of one
  std::int64_t nulls = 0;
  bool has_zeros = false;
  std::int64_t breaks = 0;  // rows of the piece that do not follow the one before
};

template <class Id>
bool is_padding(const IdRule& rule, Id id) {
  if (!rule.padding) return false;
  if constexpr (std::is_same_v<Id, std::uint64_t>)
    return *rule.padding >= 0 && id == static_cast<std::uint64_t>(*rule.padding);
  else
    return static_cast<std::int64_t>(id) == *rule.padding;
}

// The row of one id, kNullRow or kZeroRow; nothing if the id is refused.
template <class Id>
std::optional<std::int64_t> row_of(const IdRule& rule, Id id) {
  using windrow::internal::congruent_value;
  if (is_padding(rule, id)) return rule.padding_row;
  std::int64_t value = windrow::internal::index_value(id);
  if (value < 0 && rule.negative == NegativeIndex::kError) return std::nullopt;
  if (value < 0 && rule.negative == NegativeIndex::kFromEnd) value += rule.extent;
  if (value >= 0 && value < rule.extent) return value;
  if (rule.null_outside || rule.policy == OutOfRange::kSkip) return kNullRow;
  if (rule.policy == OutOfRange::kZero) return kZeroRow;
  if (rule.policy == OutOfRange::kError || rule.extent == 0) return std::nullopt;
  if (rule.policy == OutOfRange::kClamp) return value < 0 ? 0 : rule.extent - 1;
  if constexpr (std::is_same_v<Id, std::uint64_t>) value = congruent_value(id, rule.extent);
  const std::int64_t rest = value % rule.extent;
  return rest < 0 ? rest + rule.extent : rest;
}

// The number of j in [low, high), at most kBlock of them, for which holds(j). Counts in numbers of
// the width of a cell, so that the loop is vectorised.
template <class Cell, class Holds>
std::int64_t count_rows(std::int64_t low, std::int64_t high, const Holds& holds) {
  Cell counted = 0;
  for (std::int64_t j = low; j < high; ++j) counted += holds(j) ? Cell{1} : Cell{0};
  return counted;
}

// The number of cells j in [low, high), at most kBlock of them, that do not follow cells[j - 1].
template <class Cell>
std::int64_t count_breaks(const Cell* cells, std::int64_t low, std::int64_t high) {
  return count_rows<Cell>(low, high, [=](std::int64_t j) { return cells[j] != cells[j - 1] + 1; });
}

// Copies ids of foreign memory, each once: the compiler may not read them there again.
template <class Id>
void load_block(const IdRun& run, std::int64_t at, std::int64_t count, Id* ids) {
  const std::byte* from = run.data + at * run.step;
  if (run.step == static_cast<std::int64_t>(sizeof(Id))) {
    std::memcpy(ids, from, static_cast<std::size_t>(count) * sizeof(Id));
  } else {
    for (std::int64_t j = 0; j < count; ++j) std::memcpy(ids + j, from + j * run.step, sizeof(Id));
  }
  __asm__ volatile("" : : "r"(ids) : "memory");
}

// The rows of a block where every id counts that is in range, from either end. Returns whether all
// valid ones are. `valid` may be null.
template <class Id, class Cell>
bool place_legal(const Id* ids, const std::uint8_t* valid, std::int64_t count, std::int64_t extent,
                 Cell* cells) {
  const auto limit = static_cast<std::uint64_t>(extent);
  std::uint64_t bad = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    auto row = static_cast<std::uint64_t>(ids[j]);
    if constexpr (std::is_signed_v<Id>) row += ids[j] < 0 ? limit : 0;
    const std::uint64_t is_valid = valid == nullptr ? 1 : valid[j];
    bad |= std::uint64_t{row >= limit} & is_valid;
    cells[j] = is_valid != 0 ? static_cast<Cell>(row) : Cell{kNullRow};
  }
  return bad == 0;
}

// The rows of a block by any rule.
template <class Id, class Cell>
void place_any(const Id* ids, const std::uint8_t* valid, std::int64_t count, std::int64_t at,
               const IdRule& rule, Cell* cells, PieceOutcome& outcome) {
  for (std::int64_t j = 0; j < count; ++j) {
    std::optional<std::int64_t> row = kNullRow;
    if (valid == nullptr || valid[j] != 0) row = row_of(rule, ids[j]);
    if (!row && outcome.bad++ == 0) {
      outcome.first = at + j;
      outcome.value = static_cast<std::int64_t>(ids[j]);
      outcome.is_uint64 = std::is_same_v<Id, std::uint64_t>;
    }
    cells[j] = static_cast<Cell>(row.value_or(kNullRow));
    outcome.has_zeros |= row == kZeroRow;
  }
}

// Places the ids [low, high) of a run.
template <class Id, class Cell>
PieceOutcome place_piece(const IdRun& run, std::int64_t low, std::int64_t high, const IdRule& rule,
                         Cell* cells) {
  std::array<Id, kBlock> ids;
  std::array<std::uint8_t, kBlock> bits;
  PieceOutcome outcome;
  const bool is_plain = !rule.padding && rule.negative == NegativeIndex::kFromEnd;
  for (std::int64_t at = low; at < high; at += kBlock) {
    const std::int64_t count = std::min(kBlock, high - at);
    load_block(run, at, count, ids.data());
    const std::uint8_t* valid = nullptr;
    if (run.validity != nullptr) {
      unpack_bits(run.validity, run.first_bit + at, count, bits.data());
      valid = bits.data();
    }
    Cell* const to = cells + at;
    if (!is_plain || !place_legal(ids.data(), valid, count, rule.extent, to))
      place_any(ids.data(), valid, count, at, rule, to, outcome);
    outcome.nulls += count_rows<Cell>(0, count, [&](std::int64_t j) { return to[j] == kNullRow; });
    outcome.breaks += count_breaks(to, at > low ? 0 : 1, count);
  }
  return outcome;
}

// Calls visit(Id()) with a number of the type.
template <class Visit>
auto visit_id_type(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::kInt8:
      return visit(std::int8_t{0});
    case DType::kInt16:
      return visit(std::int16_t{0});
    case DType::kInt32:
      return visit(std::int32_t{0});
    case DType::kUint8:
      return visit(std::uint8_t{0});
    case DType::kUint16:
      return visit(std::uint16_t{0});
    case DType::kUint32:
      return visit(std::uint32_t{0});
    case DType::kUint64:
      return visit(std::uint64_t{0});
    default:
      return visit(std::int64_t{0});
  }
}

Result<std::vector<IdRun>> runs_of(const Ids& ids) {
  std::vector<IdRun> runs;
  if (!ids.column) {
    const TensorView& tensor = ids.tensor;
    if (!is_integer(tensor.dtype) || is_packed(tensor.dtype))
      return Status(ErrorCode::kType, "ids are of type " + std::string(dtype_name(tensor.dtype)) +
                                          ", must be integers of 8 to 64 bits");
    if (tensor.shape.rank() != 1)
      return Status(ErrorCode::kShape,
                    "ids have the shape " + to_string(tensor.shape) + ", must have one axis");
    runs.push_back({tensor.dtype, static_cast<const std::byte*>(tensor.data), tensor.strides[0],
                    tensor.shape[0], reinterpret_cast<const std::byte*>(ids.validity), 0});
    return runs;
  }
  const InputState& state = ids.column->state();
  const Format& type = state.field.type;
  if (type.layout != Layout::kNull && type.integer == DType::kAbsent)
    return Status(ErrorCode::kType, state.place.text() + " has the Arrow format '" +
                                        state.field.format + "', must be integers of 8 to 64 bits");
  if (type.layout == Layout::kNull && state.length > 0)
    return Status(ErrorCode::kType, "ids have the type null, must be integers of 8 to 64 bits");
  for (const Chunk& chunk : state.chunks)
    runs.push_back({type.integer, chunk.data + chunk.first * type.width, type.width, chunk.length,
                    chunk.validity, chunk.first});
  return runs;
}

std::string value_text(const PieceOutcome& outcome) {
  return outcome.is_uint64 ? std::to_string(static_cast<std::uint64_t>(outcome.value))
                           : std::to_string(outcome.value);
}

std::string legal_text(const IdRule& rule) {
  const std::int64_t lowest = rule.negative == NegativeIndex::kFromEnd ? -rule.extent : 0;
  const std::string range = rule.extent == 0 ? "no id is legal"
                                             : "legal: " + std::to_string(lowest) + " to " +
                                                   std::to_string(rule.extent - 1);
  return range + (rule.padding ? ", padding: " + std::to_string(*rule.padding) : "");
}

Status bad_id(const PieceOutcome& outcome, const IdRule& rule, std::int64_t total,
              const std::string& place) {
  auto fault = std::make_shared<IndexFault>();
  fault->input = "ids";
  fault->position = {outcome.first};
  fault->value = outcome.is_uint64 && outcome.value < 0 ? std::numeric_limits<std::int64_t>::max()
                                                        : outcome.value;
  fault->value_text = value_text(outcome);
  fault->extent = rule.extent;
  fault->count = outcome.bad;
  const bool refuses_negative = rule.negative == NegativeIndex::kError;
  const bool refused = refuses_negative && !outcome.is_uint64 && outcome.value < 0;
  ErrorInfo info;
  info.code = ErrorCode::kIndexOutOfRange;
  info.message =
      "ids[" + std::to_string(outcome.first) + "] is " + fault->value_text +
      (refused ? ", negative, and the call says negative=error"
               : ", out of range for " + place + " with " + std::to_string(rule.extent) +
                     (rule.extent == 1 ? " row (" : " rows (") + legal_text(rule) + ")") +
      "; " + std::to_string(outcome.bad) + " of " + std::to_string(total) +
      (total == 1 ? " id " : " ids ") + (outcome.bad == 1 ? "is" : "are") +
      (refuses_negative ? " refused" : " out of range");
  info.index_fault = std::move(fault);
  return Status(std::move(info));
}

void merge(const PieceOutcome& piece, std::int64_t position, PieceOutcome& all) {
  if (all.bad == 0 && piece.bad > 0) {
    all.first = position + piece.first;
    all.value = piece.value;
    all.is_uint64 = piece.is_uint64;
  }
  all.bad += piece.bad;
  all.nulls += piece.nulls;
  all.has_zeros |= piece.has_zeros;
  all.breaks += piece.breaks;
}

// Places all ids of a run from position `position` on.
template <class Cell>
Status place_run(const IdRun& ids, const IdRule& rule, std::int64_t position, Cell* cells,
                 const RunOptions& run, PieceOutcome& all) {
  std::vector<PieceOutcome> pieces(static_cast<std::size_t>((ids.count + kPiece - 1) / kPiece));
  Status status =
      for_pieces(ids.count, run, [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
        pieces[static_cast<std::size_t>(piece)] = visit_id_type(ids.dtype, [&](auto id) {
          return place_piece<decltype(id)>(ids, low, high, rule, cells);
        });
      });
  if (!status) return status;
  for (const PieceOutcome& piece : pieces) merge(piece, position, all);
  return {};
}

// Turns rows of the whole input into rows of its chunks.
template <class Cell>
Status find_chunks(std::span<const std::int64_t> starts, std::int64_t count, Cell* cells,
                   std::int32_t* chunk_of, const RunOptions& run) {
  return for_pieces(count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
    std::size_t chunk = 0;
    for (std::int64_t i = low; i < high; ++i) {
      const std::int64_t row = cells[i];
      if (row >= 0 && (row < starts[chunk] || row >= starts[chunk + 1]))
        chunk = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), row) -
                                         starts.begin()) -
                1;
      chunk_of[i] = static_cast<std::int32_t>(chunk);
      if (row >= 0) cells[i] = static_cast<Cell>(row - starts[chunk]);
    }
  });
}

// The runs of all rows.
template <class Cell>
void find_runs(const Cell* cells, Selection& selection) {
  const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
  for (std::int64_t i = 0; i < selection.count; ++i) {
    // A block of rows that all follow one another, as most do.
    if (i > 0 && i % kBlock == 0 && i + kBlock <= selection.count && chunk_of == nullptr &&
        cells[i - 1] >= 0 && count_breaks(cells, i, i + kBlock) == 0) {
      i += kBlock - 1;
      continue;
    }
    const std::int32_t chunk = chunk_of == nullptr ? 0 : chunk_of[i];
    if (i > 0 && chunk == selection.runs.back().chunk) {
      const Cell before = cells[i - 1];
      if (cells[i] == (before < 0 ? before : before + 1)) continue;
    }
    selection.runs.push_back({i, cells[i], chunk});
  }
}

// The bitmap of the rows that are not kNullRow.
template <class Cell>
Status write_validity(const Cell* cells, std::int64_t count, std::byte* to, const RunOptions& run) {
  return for_pieces(count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
    std::array<std::uint8_t, kBlock> bits;
    for (std::int64_t at = low; at < high; at += kBlock) {
      const std::int64_t some = std::min(kBlock, high - at);
      for (std::int64_t j = 0; j < some; ++j)
        bits[static_cast<std::size_t>(j)] = cells[at + j] != Cell{kNullRow} ? 1 : 0;
      pack_bits(bits.data(), some, to + at / 8);
    }
  });
}

template <class Cell>
Status fill(std::span<const IdRun> runs, const IdRule& rule, std::span<const std::int64_t> starts,
            const std::string& place, const RunOptions& run, Selection& selection) {
  auto* const cells = reinterpret_cast<Cell*>(selection.cells.data);
  PieceOutcome all;
  std::int64_t position = 0;
  for (const IdRun& ids : runs) {
    if (Status status = place_run(ids, rule, position, cells + position, run, all); !status)
      return status;
    position += ids.count;
  }
  if (all.bad > 0) return bad_id(all, rule, selection.count, place);
  selection.nulls = all.nulls;
  selection.has_zeros = all.has_zeros;
  if (starts.size() > 2) {
    auto* const chunk_of = reinterpret_cast<std::int32_t*>(selection.chunk_of.data);
    if (Status status = find_chunks(starts, selection.count, cells, chunk_of, run); !status)
      return status;
  }
  if (all.breaks < selection.count / kLeastRun) find_runs(cells, selection);
  if (all.nulls == 0) return {};
  Result<NewBuffer> validity = new_buffer(bitmap_bytes(selection.count));
  if (!validity) return validity.error();
  if (Status status = write_validity(cells, selection.count, validity->data, run); !status)
    return status;
  selection.validity = validity->finish();
  return {};
}

Status allocate(bool has_chunks, Selection& selection) {
  const std::int64_t bytes = selection.is_wide ? 8 : 4;
  const auto total = windrow::internal::checked_mul(selection.count, bytes);
  if (!total) return {ErrorCode::kOutOfMemory, "more ids than memory can hold"};
  Result<NewBuffer> cells = new_buffer(*total);
  if (!cells) return cells.error();
  selection.cells = *std::move(cells);
  if (!has_chunks) return {};
  Result<NewBuffer> chunk_of = new_buffer(selection.count * 4);
  if (!chunk_of) return chunk_of.error();
  selection.chunk_of = *std::move(chunk_of);
  return {};
}

}  // namespace

Result<IdRule> id_rule(const Options& options, std::int64_t extent, bool is_scatter) {
  IdRule rule;
  rule.extent = extent;
  rule.policy = options.call.out_of_range.value_or(OutOfRange::kError);
  rule.null_outside = options.null_out_of_range;
  const OutOfRange other = is_scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  if (rule.policy == other || (is_scatter && rule.null_outside))
    return Status(ErrorCode::kInvalidArgument,
                  std::string("out_of_range is '") +
                      (rule.null_outside ? "null" : std::string(out_of_range_name(rule.policy))) +
                      "', which a " +
                      (is_scatter ? "scatter does not have; it has error, skip, clamp, modulo"
                                  : "take does not have; it has error, null, zero, clamp, modulo"));
  // As array.Take and numpy.take with "clip": below 0 is out of range, unless the call says so.
  const bool clamps = rule.policy == OutOfRange::kClamp && !rule.null_outside;
  rule.negative =
      options.call.negative.value_or(clamps ? NegativeIndex::kOutOfRange : NegativeIndex::kFromEnd);
  rule.padding = options.call.padding_index;
  rule.padding_row = is_scatter ? kNullRow : kZeroRow;
  return rule;
}

Result<Selection> select_rows(const Ids& ids, const IdRule& rule,
                              std::span<const std::int64_t> starts, const std::string& place,
                              const RunOptions& run) {
  Result<std::vector<IdRun>> runs = runs_of(ids);
  if (!runs) return runs.error();
  Selection selection;
  for (const IdRun& one : *runs) selection.count += one.count;
  selection.is_wide = rule.extent > std::numeric_limits<std::int32_t>::max();
  if (Status status = allocate(starts.size() > 2, selection); !status) return status;
  const Status status = selection.is_wide
                            ? fill<std::int64_t>(*runs, rule, starts, place, run, selection)
                            : fill<std::int32_t>(*runs, rule, starts, place, run, selection);
  if (!status) return status;
  return selection;
}

}  // namespace windrow::arrow
