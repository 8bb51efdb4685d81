#include "src/execute/run_constant_rows.h"

#include <algorithm>
#include <array>

#include "src/execute/nest_cursor.h"
#include "src/execute/run_box.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kSampledRows = 8;
// After so many rows that are not constant the rest is taken lane by lane.
constexpr std::int64_t kMostOtherRows = 64;

const AddressTerm& index_term(const LoweredPlan& plan) { return plan.axes.front().terms.front(); }

// Reads the index rows of a range of lanes.
class IndexRows {
 public:
  IndexRows(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
            const Range& lanes)
      : rows_(*plan.constant_rows), term_(index_term(plan)), count_(lanes.high - lanes.low) {
    first_ = memory.indices[static_cast<std::size_t>(term_.input)] + term_.first_byte +
             lanes.low * term_.element_bytes;
    constant_ = term_.element_bytes == 8 ? kernels.constant_runs_of_8 : kernels.constant_runs_of_4;
  }

  // How many rows from `row` on, at most `most`, are constant. Looks at one run of the innermost
  // loop at most.
  std::int64_t constant_from(std::int64_t row, std::int64_t most) const {
    NestCursor cursor(rows_.addressed, {});
    cursor.seek(row);
    return constant_(first_ + cursor.position(term_.stream), count_,
                     std::min(most, cursor.run_length()), cursor.step(term_.stream));
  }

 private:
  const LoweredPlan& rows_;
  const AddressTerm& term_;
  std::int64_t count_;
  const std::byte* first_ = nullptr;
  ConstantFunction constant_ = nullptr;
};

}  // namespace

bool has_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                       const RunMemory& memory) {
  const IndexRows indices(plan, kernels, memory, {0, plan.addressed.back().extent});
  const std::int64_t rows = plan.constant_rows->points;
  const std::int64_t step = std::max<std::int64_t>(rows / kSampledRows, 1);
  for (std::int64_t row = 0; row < rows; row += step)
    if (indices.constant_from(row, 1) == 0) return false;
  return true;
}

void run_constant_rows(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                       const Range& lanes, const Range& rows, Outcome& outcome) {
  if (lanes.low == lanes.high || rows.low == rows.high) return;
  const int lane_loop = static_cast<int>(plan.addressed.size()) - 1;
  const std::int64_t count = lanes.high - lanes.low;
  const IndexRows indices(plan, kernels, memory, lanes);
  // The rows read the index of the range's first lane.
  std::array<const std::byte*, kMostInputs> shifted{};
  std::copy(memory.indices.begin(), memory.indices.end(), shifted.begin());
  shifted[static_cast<std::size_t>(index_term(plan).input)] +=
      lanes.low * index_term(plan).element_bytes;
  RunMemory row_memory = memory;
  row_memory.indices = {shifted.data(), memory.indices.size()};
  BoxRunner whole(*plan.constant_rows, kernels, row_memory, outcome);
  if (count < plan.addressed.back().extent)
    whole.slice_rows({lanes.low * plan.row_bytes, lanes.high * plan.row_bytes});
  BoxRunner single(plan, kernels, memory, outcome);
  const Box box{lane_loop, lanes.low, lanes.high};
  std::int64_t others = 0;
  for (std::int64_t row = rows.low; row < rows.high && !outcome.stopped();) {
    const std::int64_t most = std::min(rows.high - row, kBlockPoints);
    const std::int64_t constant = indices.constant_from(row, most);
    whole.run({}, {row, row + constant});
    row += constant;
    if (constant > 0) continue;
    const std::int64_t next = ++others > kMostOtherRows ? rows.high : row + 1;
    single.run(box, {row * count, next * count});
    row = next;
  }
  whole.finish();
  single.finish();
}

}  // namespace windrow::internal
