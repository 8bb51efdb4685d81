#ifndef WINDROW_ARROW_SELECTION_H_
#define WINDROW_ARROW_SELECTION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/arrow/input.h"
#include "src/arrow/output.h"
#include "windrow/arrow.h"

namespace windrow::arrow {

// In place of a row's number.
inline constexpr int kNullRow = -1;  // the result's row is null; a scatter has no update
inline constexpr int kZeroRow = -2;  // the result's row is 0, false or empty

// What an id means.
struct IdRule {
  std::int64_t extent = 0;  // the number of rows
  OutOfRange policy = OutOfRange::kError;
  bool null_outside = false;  // an id out of range is kNullRow; outranks the policy
  NegativeIndex negative = NegativeIndex::kFromEnd;
  std::optional<std::int64_t> padding;
  int padding_row = kZeroRow;  // what the padding index becomes
};

// The rule of a call's options, for a scatter or a take. Errors: kInvalidArgument.
Result<IdRule> id_rule(const Options& options, std::int64_t extent, bool is_scatter);

// Checked ids. The memory is the library's own: nothing is read of the producer again.
struct Selection {
  std::int64_t count = 0;
  NewBuffer cells;         // int32 or int64 [count]: rows of the input, of its chunk if chunk_of is
                           // there, or kNullRow, kZeroRow
  bool is_wide = false;    // whether cells are int64
  NewBuffer chunk_of;      // int32 [count]: the number of the chunk; only if there are several
  std::int64_t nulls = 0;  // the number of kNullRow
  bool has_zeros = false;  // whether there is any kZeroRow
  Buffer validity;         // bit i: row i is not kNullRow; only if nulls > 0
};

// Reads every id once. `starts`: the first row of each chunk and the number of all rows; `place`
// says in messages what the ids address. Errors: kIndexOutOfRange, kType, kShape (a tensor that is
// not of rank 1), kInvalidArgument, kOutOfMemory, kInterrupted.
Result<Selection> select_rows(const Ids& ids, const IdRule& rule,
                              std::span<const std::int64_t> starts, const std::string& place,
                              const RunOptions& run);

// Calls visit(cells) with the cells as const std::int32_t* or const std::int64_t*.
template <class Visit>
auto visit_cells(const Selection& selection, const Visit& visit) {
  const void* const cells = selection.cells.data;
  if (selection.is_wide) return visit(static_cast<const std::int64_t*>(cells));
  return visit(static_cast<const std::int32_t*>(cells));
}

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_SELECTION_H_
