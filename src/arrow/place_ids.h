#ifndef WINDROW_ARROW_PLACE_IDS_H_
#define WINDROW_ARROW_PLACE_IDS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/arrow/id_runs.h"
#include "src/arrow/selection.h"
#include "src/kernels/registry.h"

namespace windrow::arrow {

// What ids were like.
struct IdOutcome {
  std::int64_t bad = 0;    // the number of ids that are refused
  std::int64_t first = 0;  // the position of the first of them
  std::int64_t value = 0;
  bool is_uint64 = false;               // whether `value` are the bits of one
  std::vector<std::int64_t> positions;  // of the first bad ones, as many as the run lists
  std::vector<std::int64_t> values;     // of each
  std::int64_t nulls = 0;
  bool has_zeros = false;
  std::int64_t breaks = 0;  // at least the number of rows that do not follow the one before; more
                            // than that only if there are too many for runs
};

// Rows are copied as runs if these have at least this length on average.
inline constexpr std::int64_t kLeastRun = 32;

// The number of cells j in [low, high), at most 2^30 of them, that do not follow cells[j - 1].
template <class Cell>
std::int64_t count_breaks(const Cell* cells, std::int64_t low, std::int64_t high) {
  // Counts in numbers of the width of a cell, so that the loop is vectorised.
  Cell counted = 0;
  for (std::int64_t j = low; j < high; ++j) counted += cells[j] != cells[j - 1] + 1 ? 1 : 0;
  return counted;
}

// Writes the row of every id to `cells`, int32 or int64, in order. Reads every id once. Errors:
// kInterrupted.
template <class Cell>
Result<IdOutcome> place_ids(std::span<const IdRun> runs, const IdRule& rule, Cell* cells,
                            const windrow::internal::KernelTable& kernels, const RunOptions& run);

extern template Result<IdOutcome> place_ids(std::span<const IdRun>, const IdRule&, std::int32_t*,
                                            const windrow::internal::KernelTable&,
                                            const RunOptions&);
extern template Result<IdOutcome> place_ids(std::span<const IdRun>, const IdRule&, std::int64_t*,
                                            const windrow::internal::KernelTable&,
                                            const RunOptions&);

// The error for the bad ids of `total`; `place` says what the ids address.
Status bad_id(const IdOutcome& outcome, const IdRule& rule, std::int64_t total,
              const std::string& place);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_PLACE_IDS_H_
