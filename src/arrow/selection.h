#ifndef WINDROW_ARROW_SELECTION_H_
#define WINDROW_ARROW_SELECTION_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/arrow/input.h"
#include "src/arrow/output.h"
#include "src/kernels/registry.h"
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

// Rows that follow one another in the input and in the result, or rows that are all null or zero.
struct RowRun {
  std::int64_t at = 0;    // the first row of the result; the run ends where the next one begins
  std::int64_t cell = 0;  // its row of the chunk, or kNullRow, kZeroRow
  std::int32_t chunk = 0;
};

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
  std::vector<RowRun>
      runs;  // all rows, if the runs are long enough to be copied as such; else empty
};

// Reads every id once. `starts`: the first row of each chunk and the number of all rows; `place`
// says in messages what the ids address. Errors: kIndexOutOfRange, kType, kShape (a tensor that is
// not of rank 1), kInvalidArgument, kOutOfMemory, kInterrupted.
Result<Selection> select_rows(const Ids& ids, const IdRule& rule,
                              std::span<const std::int64_t> starts, const std::string& place,
                              const windrow::internal::KernelTable& kernels, const RunOptions& run);

// Calls visit(cells) with the cells as const std::int32_t* or const std::int64_t*.
template <class Visit>
auto visit_cells(const Selection& selection, const Visit& visit) {
  const void* const cells = selection.cells.data;
  if (selection.is_wide) return visit(static_cast<const std::int64_t*>(cells));
  return visit(static_cast<const std::int32_t*>(cells));
}

// Calls visit(at, cell, chunk, length) for the parts of the runs in [low, high) of the result.
// There are runs.
template <class Visit>
void visit_runs(const Selection& selection, std::int64_t low, std::int64_t high,
                const Visit& visit) {
  const auto begins_after = [](std::int64_t row, const RowRun& run) { return row < run.at; };
  auto next = std::upper_bound(selection.runs.begin(), selection.runs.end(), low, begins_after);
  while (low < high) {
    const RowRun& run = *std::prev(next);
    const std::int64_t end = next == selection.runs.end() ? selection.count : next->at;
    const std::int64_t length = std::min(end, high) - low;
    visit(low, run.cell < 0 ? run.cell : run.cell + (low - run.at), run.chunk, length);
    low += length;
    if (low < high) ++next;
  }
}

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_SELECTION_H_
