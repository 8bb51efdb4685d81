#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Elements along the last axis: runs of `points`, each with a table of `extent` elements.
WayCall elements_call(std::int64_t runs, std::int64_t points, std::int64_t extent,
                      OutOfRange policy = OutOfRange::kError) {
  return {{runs, points}, {runs, extent}, 1, {0, 1}, false, policy};
}

LoweredPlan lower_flat(const WayCall& call, bool streams = false) {
  Tuning tuning;
  tuning.straight = true;
  if (streams) tuning.stream = true;
  const LoweredPlan plan = call.lower(tuning);
  EXPECT_NE(find_way<FlatTakes>(plan.ways), nullptr);
  return plan;
}

// More points than a block has, and tasks that begin and end within a run.
TEST(FlatTakes, EachElementIsTakenByOneTask) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t points : {2, 3, 100}) {
      for (const std::int64_t extent : {4, 200}) {
        const WayCall call = elements_call(2 * kBlockPoints / points + 1, points, extent, policy);
        const WayMemory memory(call);
        const Cells wanted = expected(call, memory);
        for (const bool streams : {false, true}) {
          const LoweredPlan plan = lower_flat(call, streams);
          for (const bool gathers : {false, true}) {
            const FlatTakes way{gathers};
            for (const int tasks : {1, 2, 7}) {
              const WayResult result = run_way(Runner<FlatTakes>(way), plan, memory, tasks);
              EXPECT_EQ(result.outcome, RunOutcome::kDone);
              EXPECT_EQ(result.written, wanted) << points << ", " << extent << ", " << tasks;
              EXPECT_EQ(result.fewest_writers, 1);
              EXPECT_EQ(result.most_writers, 1);
            }
          }
        }
      }
    }
  }
}

TEST(FlatTakes, AnIndexOutsideIsBadUnderErrorAlone) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    const WayCall call = elements_call(100, 6, 10, policy);
    const LoweredPlan plan = lower_flat(call);
    WayMemory memory(call);
    memory.indices[300] = 10;
    const FlatTakes way{false};
    EXPECT_EQ(run_way(Runner<FlatTakes>(way), plan, memory, 1).outcome,
              policy == OutOfRange::kError ? RunOutcome::kBadIndex : RunOutcome::kDone);
  }
}

TEST(FlatTakes, LeaveLongRunsOfSmallTablesToLookUps) {
  const auto is_served = [](std::int64_t points, std::int64_t extent) {
    const WayCall call = elements_call(10, points, extent);
    const FlatTakes way{false};
    return serves(Runner<FlatTakes>(way), lower_flat(call), WayMemory(call), 1);
  };
  EXPECT_TRUE(is_served(kLeastLookedUpRun - 1, 4));
  EXPECT_TRUE(is_served(kLeastLookedUpRun, kMostLookupBytes / 4 + 1));
  const bool looks_up = find_kernel_set("")->table.find<Family::kLookUp>(4, DType::kInt32);
  EXPECT_EQ(is_served(kLeastLookedUpRun, kMostLookupBytes / 4), !looks_up);
}

TEST(FlatTakes, AreCutByPoints) {
  const LoweredPlan plan = lower_flat(elements_call(4, 5, 10));
  const FlatTakes way{false};
  EXPECT_EQ(Runner<FlatTakes>(way).cut(plan, 8).cut, Cut::kPoints);
  EXPECT_EQ(Runner<FlatTakes>(way).cut(plan, 50).tasks, 20) << "no task without a point";
}

}  // namespace
}  // namespace windrow::internal
