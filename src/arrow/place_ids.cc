#include "src/arrow/place_ids.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "src/arrow/bits.h"
#include "src/arrow/ranges.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

using windrow::internal::Family;
using windrow::internal::KernelTable;
using windrow::internal::OffsetRun;

// Ids are copied in blocks of this size, checked there and never read again.
constexpr std::int64_t kBlock = 1024;

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

// What kernels read in place of ids: int32 or int64. An unsigned id of the same width that no
// extent exceeds is negative there.
template <class Id, class Cell>
using KernelIndex = std::conditional_t<
    sizeof(Id) < 4, std::int32_t,
    std::conditional_t<sizeof(Id) == 4 && sizeof(Cell) == 8, std::int64_t, std::make_signed_t<Id>>>;

// Places the ids of a run, a piece at a time.
template <class Id, class Cell>
class Placer {
 public:
  Placer(const IdRun& run, const IdRule& rule, std::int64_t listed, const KernelTable& kernels,
         Cell* cells)
      : run_(run),
        rule_(rule),
        listed_(listed),
        offsets_(kernels.of_type<Family::kOffsets>(dtype_of<Index>::value)),
        cells_(cells) {}

  IdOutcome place(std::int64_t low, std::int64_t high) {
    IdOutcome outcome;
    for (std::int64_t at = low; at < high; at += kBlock) {
      const std::int64_t count = std::min(kBlock, high - at);
      load_block(run_, at, count, ids_.data());
      const bool has_nulls = run_.validity != nullptr;
      if (has_nulls) unpack_bits(run_.validity, run_.first_bit + at, count, valid_.data());
      if (rule_.padding || !place_legal(at, count, has_nulls, outcome))
        place_any(at, count, has_nulls, outcome);
      // A piece with too many breaks makes no runs, so that the rest of it need not be counted.
      const bool is_broken = outcome.breaks > (high - low) / kLeastRun;
      outcome.breaks += is_broken ? count : count_breaks(cells_ + at, at > low ? 0 : 1, count);
    }
    return outcome;
  }

 private:
  using Index = KernelIndex<Id, Cell>;

  // Returns whether all valid ids of the block are in range; their rows are written then.
  bool place_legal(std::int64_t at, std::int64_t count, bool has_nulls, IdOutcome& outcome) {
    OffsetRun block;
    block.indices = ids_.data();
    if constexpr (sizeof(Index) != sizeof(Id)) {
      std::copy_n(ids_.data(), count, indices_.data());
      block.indices = indices_.data();
    }
    block.count = count;
    block.extent = rule_.extent;
    block.wraps = std::is_signed_v<Id> && rule_.negative == NegativeIndex::kFromEnd;
    block.multiplier = 1;
    block.offsets = cells_ + at;
    block.wide_offsets = sizeof(Cell) == 8;
    // What is out of range has the offset of all ones, kNullRow, if it may lie under a null.
    if (has_nulls) block.policy = OutOfRange::kSkip;
    const unsigned flags = offsets_(block);
    if (!has_nulls) return flags == 0;
    return mask_nulls(cells_ + at, count, outcome);
  }

  // Makes the rows of null ids null. Returns whether all others are in range.
  bool mask_nulls(Cell* cells, std::int64_t count, IdOutcome& outcome) const {
    Cell bad = 0;
    Cell valid = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      const auto is_valid = static_cast<Cell>(valid_[static_cast<std::size_t>(j)]);
      bad |= cells[j] == kNullRow ? is_valid : Cell{0};
      valid += is_valid;
      cells[j] |= is_valid - 1;
    }
    if (bad == 0) outcome.nulls += count - valid;
    return bad == 0;
  }

  // Writes the rows of a block by any rule.
  void place_any(std::int64_t at, std::int64_t count, bool has_nulls, IdOutcome& outcome) {
    for (std::int64_t j = 0; j < count; ++j) {
      const Id id = ids_[static_cast<std::size_t>(j)];
      std::optional<std::int64_t> row = kNullRow;
      if (!has_nulls || valid_[static_cast<std::size_t>(j)] != 0) row = row_of(rule_, id);
      if (!row) add_bad(at + j, id, outcome);
      cells_[at + j] = static_cast<Cell>(row.value_or(kNullRow));
      outcome.nulls += row == kNullRow ? 1 : 0;
      outcome.has_zeros |= row == kZeroRow;
    }
  }

  void add_bad(std::int64_t position, Id id, IdOutcome& outcome) const {
    if (outcome.bad == 0) {
      outcome.first = position;
      outcome.value = static_cast<std::int64_t>(id);
      outcome.is_uint64 = std::is_same_v<Id, std::uint64_t>;
    }
    if (outcome.bad++ >= listed_) return;
    outcome.positions.push_back(position);
    outcome.values.push_back(static_cast<std::int64_t>(id));
  }

  const IdRun& run_;
  const IdRule& rule_;
  const std::int64_t listed_;
  const windrow::internal::OffsetFunction offsets_;
  Cell* const cells_;
  std::array<Id, kBlock> ids_;
  std::array<Index, sizeof(Index) == sizeof(Id) ? 1 : kBlock> indices_;
  std::array<std::uint8_t, kBlock> valid_;
};

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

// Adds what a piece was like, whose run begins at `position` of the ids.
void merge(const IdOutcome& piece, std::int64_t position, std::int64_t listed, IdOutcome& all) {
  if (all.bad == 0 && piece.bad > 0) {
    all.first = position + piece.first;
    all.value = piece.value;
    all.is_uint64 = piece.is_uint64;
  }
  all.bad += piece.bad;
  for (std::size_t i = 0;
       i < piece.values.size() && static_cast<std::int64_t>(all.values.size()) < listed; ++i) {
    all.positions.push_back(position + piece.positions[i]);
    all.values.push_back(piece.values[i]);
  }
  all.nulls += piece.nulls;
  all.has_zeros |= piece.has_zeros;
  all.breaks += piece.breaks;
}

}  // namespace

template <class Cell>
Result<IdOutcome> place_ids(std::span<const IdRun> runs, const IdRule& rule, Cell* cells,
                            const KernelTable& kernels, const RunOptions& run) {
  IdOutcome all;
  std::int64_t position = 0;
  for (const IdRun& ids : runs) {
    std::vector<IdOutcome> pieces(static_cast<std::size_t>((ids.count + kPiece - 1) / kPiece));
    const auto body = [&](std::int64_t piece, std::int64_t low, std::int64_t high) {
      pieces[static_cast<std::size_t>(piece)] = visit_id_type(ids.dtype, [&]<class Id>(Id) {
        Placer<Id, Cell> placer(ids, rule, run.listed_indices, kernels, cells + position);
        return placer.place(low, high);
      });
    };
    if (Status status = for_pieces(ids.count, run, body); !status) return status;
    for (const IdOutcome& piece : pieces) merge(piece, position, run.listed_indices, all);
    position += ids.count;
  }
  return all;
}

template Result<IdOutcome> place_ids(std::span<const IdRun>, const IdRule&, std::int32_t*,
                                     const KernelTable&, const RunOptions&);
template Result<IdOutcome> place_ids(std::span<const IdRun>, const IdRule&, std::int64_t*,
                                     const KernelTable&, const RunOptions&);

}  // namespace windrow::arrow
