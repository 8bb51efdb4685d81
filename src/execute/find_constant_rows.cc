#include "src/execute/find_constant_rows.h"

#include <algorithm>
#include <atomic>

#include "src/base/cache_line.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/parallel_for.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// The index rows of a plan and the kernel that checks them.
struct IndexRows {
  const LoopNest& nest;
  const AddressTerm& term;
  std::int64_t lanes;
  const std::byte* first;
  ConstantFunction constant;

  IndexRows(const ConstantRows& way, const RunContext& run)
      : nest(way.nest),
        term(run.plan.axes.front().terms.front()),
        lanes(run.plan.addressed.back().extent),
        first(run.memory.first_index(term)),
        constant(run.kernels.of_type<Family::kConstantRuns>(term.dtype)) {}

  // Whether the next `runs` rows of the cursor's run are constant. `values` receives their indices.
  bool look_at(const NestCursor& cursor, std::int64_t runs, std::byte* values) const {
    ConstantRuns look;
    look.indices = first + cursor.position(term.stream);
    look.count = lanes;
    look.runs = runs;
    look.run_step = cursor.step(term.stream);
    look.values = values;
    return constant(look);
  }

  // Whether all rows of a range are constant. Stops early once `all` is false.
  bool look_at(const Range& rows, std::byte* values, Interruption* interruption,
               const std::atomic<bool>& all) const {
    NestCursor cursor(nest, rows.low);
    return for_each_block(cursor, rows.high - rows.low, kBlockPoints, [&](std::int64_t runs) {
      const std::int64_t bytes = runs * term.element_bytes;
      if (!look_at(cursor, runs, values)) return false;
      values += bytes;
      return all.load() && !is_interrupted(interruption, bytes * lanes);
    });
  }
};

}  // namespace

bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices) {
  const IndexRows rows(way, run);
  const int tasks = useful_tasks(run.plan.points, kLeastTaskIndices, run.threads);
  std::atomic<bool> all{true};
  parallel_for(tasks, run.threads, [&](int task) {
    const Range range = task_range(way.rows->points, tasks, task);
    std::byte* values = indices + range.low * rows.term.element_bytes;
    if (!rows.look_at(range, values, run.memory.interruption, all)) all.store(false);
  });
  return all.load();
}

bool Runner<ConstantRows>::serves(const RunContext& run, int /*tasks*/) const {
  const IndexRows rows(way_, run);
  const std::int64_t points = way_.rows->points;
  const std::int64_t step = std::max<std::int64_t>(points / kSampledRows, 1);
  for (std::int64_t row = 0; row < points; row += step) {
    NestCursor cursor(rows.nest, row);
    std::int64_t value = 0;
    if (!rows.look_at(cursor, 1, reinterpret_cast<std::byte*>(&value))) return false;
  }
  return true;
}

std::size_t Runner<ConstantRows>::scratch_bytes(const LoweredPlan& plan, int /*tasks*/) const {
  const std::int64_t width = plan.axes.front().terms.front().element_bytes;
  return static_cast<std::size_t>(whole_lines(way_.rows->points * width));
}

void Runner<ConstantRows>::describe(const LoweredPlan& /*plan*/,
                                    PlanDescription& description) const {
  description.constant_row_bytes = way_.rows->row_bytes;
  description.constant_row_kernel = kernel_name(*way_.rows);
}

}  // namespace windrow::internal
