#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Copies from a tensor of this shape whose axes lie in memory in the given order, outermost first.
struct Permuted {
  Shape shape;
  std::vector<int> order;

  Strides from() const {
    Strides strides = Strides::filled(shape.rank(), 0);
    std::int64_t step = 4;
    for (std::size_t a = order.size(); a-- > 0;) {
      strides[order[a]] = step;
      step *= shape[order[a]];
    }
    return strides;
  }
  LoweredPlan lower() const {
    Tuning tuning;
    tuning.forces_levers = true;  // never a plan of one block
    return lower_copy(DType::kInt32, shape, row_major_strides(shape, 4), from(), tuning).value();
  }
  Cells expected(const WayMemory& memory) const {
    const Strides strides = from();
    Cells cells;
    Dims point = Dims::filled(shape.rank(), 0);
    for (std::size_t i = 0; i < memory.direct.size(); ++i) {
      std::int64_t place = 0;
      for (int a = 0; a < shape.rank(); ++a) place += point[a] * strides[a] / 4;
      cells.push_back(memory.indirect[static_cast<std::size_t>(place)]);
      for (int l = point.rank(); l-- > 0 && ++point[l] == shape[l];) point[l] = 0;
    }
    return cells;
  }
};

TEST(GridCopies, EachElementIsCopiedByOneTask) {
  const Permuted copies[] = {{{7, 45}, {1, 0}},
                             {{2, 300}, {1, 0}},
                             {{5, 6, 7}, {2, 1, 0}},
                             {{9, 70, 3}, {1, 2, 0}},
                             {{3, 4, 5, 66}, {3, 1, 0, 2}}};
  for (const Permuted& copy : copies) {
    const WayMemory memory(WayCall{copy.shape, copy.shape, 0, {0}});
    const LoweredPlan plan = copy.lower();
    const auto* way = find_way<GridCopies>(plan.ways);
    ASSERT_NE(way, nullptr) << to_string(copy.shape);
    for (const int tasks : {1, 2, 3, 70}) {
      const WayResult result = run_way(Runner<GridCopies>(*way), plan, memory, tasks);
      EXPECT_EQ(result.outcome, RunOutcome::kDone);
      EXPECT_EQ(result.written, copy.expected(memory)) << to_string(copy.shape) << ", " << tasks;
      EXPECT_EQ(result.fewest_writers, 1);
      EXPECT_EQ(result.most_writers, 1);
    }
  }
}

TEST(GridCopies, ElementsAreDividedOnlyIfNothingElseGivesEveryTaskSomeWork) {
  const LoweredPlan plan = Permuted{{7, 45}, {1, 0}}.lower();
  const auto* way = find_way<GridCopies>(plan.ways);
  ASSERT_NE(way, nullptr);
  const Runner<GridCopies> runner(*way);
  const int rows = static_cast<int>(way->around.size());
  EXPECT_EQ(runner.cut(plan, 7).loop, rows);
  EXPECT_EQ(runner.cut(plan, 8).loop, rows + 1);
  EXPECT_EQ(runner.cut(plan, 100).tasks, 45);
}

}  // namespace
}  // namespace windrow::internal
