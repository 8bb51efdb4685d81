#include "src/execute/find_constant_rows.h"

#include <algorithm>
#include <atomic>

#include "src/base/cache_line.h"
#include "src/execute/interruption.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kSampledRows = 8;

// The index rows of a plan.
struct IndexRows {
  const LoopNest& nest;
  const AddressTerm& term;
  std::int64_t lanes;
  const std::byte* first;
  ConstantFunction constant;

  IndexRows(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory)
      : nest(plan.index_rows),
        term(plan.axes.front().terms.front()),
        lanes(plan.addressed.back().extent),
        first(memory.indices[static_cast<std::size_t>(term.input)] + term.first_byte),
        constant(kernels.of_type<Family::kConstantRuns>(term.dtype)) {}

  // Whether the next `runs` rows of the cursor's run are constant; `values` gets their indices.
  bool look_at(const NestCursor& cursor, std::int64_t runs, std::byte* values) const {
    ConstantRuns look;
    look.indices = first + cursor.position(term.stream);
    look.count = lanes;
    look.runs = runs;
    look.run_step = cursor.step(term.stream);
    look.values = values;
    return constant(look);
  }
};

struct Search {
  const IndexRows& rows;
  std::int64_t points;
  std::byte* indices;
  Interruption* interruption;
  int tasks = 1;
  std::atomic<bool> all_constant{true};

  void run(const Range& range) {
    NestCursor cursor(rows.nest, {});
    cursor.seek(range.low);
    std::byte* values = indices + range.low * rows.term.element_bytes;
    for (std::int64_t left = range.high - range.low; left > 0 && all_constant.load();) {
      const std::int64_t runs = std::min({left, cursor.run_length(), kBlockPoints});
      const std::int64_t bytes = runs * rows.lanes * rows.term.element_bytes;
      if (!rows.look_at(cursor, runs, values) || is_interrupted(interruption, bytes))
        all_constant.store(false);
      values += runs * rows.term.element_bytes;
      cursor.advance(runs);
      left -= runs;
    }
  }

  static void run_task(void* context, int index) {
    auto& search = *static_cast<Search*>(context);
    search.run(task_range(search.points, search.tasks, index));
  }
};

}  // namespace

std::size_t constant_rows_bytes(const LoweredPlan& plan) {
  if (plan.constant_rows == nullptr) return 0;
  const std::int64_t bytes =
      plan.constant_rows->points * plan.axes.front().terms.front().element_bytes;
  return static_cast<std::size_t>(whole_lines(bytes));
}

bool may_have_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                            const RunMemory& memory) {
  const IndexRows rows(plan, kernels, memory);
  const std::int64_t points = plan.constant_rows->points;
  const std::int64_t step = std::max<std::int64_t>(points / kSampledRows, 1);
  for (std::int64_t row = 0; row < points; row += step) {
    NestCursor cursor(rows.nest, {});
    cursor.seek(row);
    std::int64_t value = 0;
    if (!rows.look_at(cursor, 1, reinterpret_cast<std::byte*>(&value))) return false;
  }
  return true;
}

bool find_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                        const RunMemory& memory, Threads* threads, std::byte* indices) {
  const IndexRows rows(plan, kernels, memory);
  Search search{rows, plan.constant_rows->points, indices, memory.interruption};
  search.tasks = useful_tasks(plan.points, kLeastTaskIndices, threads);
  run_tasks(search.tasks, &Search::run_task, &search, threads);
  return search.all_constant.load();
}

}  // namespace windrow::internal
