#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

// Elements along the last axis, whose rows have a table of `extent` elements each.
WayCall elements_call(std::int64_t rows, std::int64_t points, std::int64_t extent,
                      OutOfRange policy = OutOfRange::kError) {
  return {{rows, points}, {rows, extent}, 1, {0, 1}, false, policy};
}

LoweredPlan lower_straight(const WayCall& call, bool streams = false) {
  Tuning tuning;
  tuning.straight = true;
  if (streams) tuning.stream = true;
  const LoweredPlan plan = call.lower(tuning);
  EXPECT_NE(find_way<StraightTakes>(plan.ways), nullptr);
  return plan;
}

// Tables that fit in registers and others; tasks that begin and end within a run.
TEST(StraightTakes, EachElementIsTakenByOneTask) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t extent : {5, 64, 1000}) {
      for (const bool streams : {false, true}) {
        const WayCall call = elements_call(5, 131, extent, policy);
        const LoweredPlan plan = lower_straight(call, streams);
        const WayMemory memory(call);
        for (const bool gathers : {false, true}) {
          const StraightTakes way{gathers};
          for (const int tasks : {1, 2, 7, 64}) {
            const WayResult result = run_way(Runner<StraightTakes>(way), plan, memory, tasks);
            EXPECT_EQ(result.outcome, RunOutcome::kDone);
            EXPECT_EQ(result.tasks, tasks);
            EXPECT_EQ(result.written, expected(call, memory)) << extent << ", " << tasks;
            EXPECT_EQ(result.fewest_writers, 1);
            EXPECT_EQ(result.most_writers, 1);
          }
        }
      }
    }
  }
}

TEST(StraightTakes, AnIndexOutsideIsBadUnderErrorAlone) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    const WayCall call = elements_call(3, 40, 10, policy);
    const LoweredPlan plan = lower_straight(call);
    WayMemory memory(call);
    memory.indices.front() = -11;
    const StraightTakes way{false};
    EXPECT_EQ(run_way(Runner<StraightTakes>(way), plan, memory, 1).outcome,
              policy == OutOfRange::kError ? RunOutcome::kBadIndex : RunOutcome::kDone);
  }
}

TEST(StraightTakes, AreCutByPointsAndSaySo) {
  const LoweredPlan plan = lower_straight(elements_call(1, 20, 10));
  const StraightTakes way{true};
  const Runner<StraightTakes> runner(way);
  EXPECT_EQ(runner.cut(plan, 8).cut, Cut::kPoints);
  EXPECT_EQ(runner.cut(plan, 50).tasks, 20) << "no task without a point";
  PlanDescription description;
  runner.describe(plan, description);
  EXPECT_TRUE(description.straight);
  EXPECT_TRUE(description.gather_instructions);
  EXPECT_EQ(description.thread_share, "a range of the points each");
}

}  // namespace
}  // namespace windrow::internal
