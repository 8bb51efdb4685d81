#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kExtent = 20;
constexpr std::int64_t kPieceBytes = kExtent * 4;

// Scatters along the last axis, into the first `counters` of `rows` rows.
WayCall scatter_call(std::int64_t counters, std::int64_t rows) {
  return {{counters, 12}, {rows, kExtent}, 1, {0, 1}, true, OutOfRange::kSkip};
}

WayMemory memory_of(const WayCall& call) {
  WayMemory memory(call);
  memory.has_start = true;
  return memory;
}

// Of 37 rows some or all are scattered into; the rest of the start is copied all the same.
TEST(Pieces, EachCellOfTheOutputIsWrittenByOneTask) {
  for (const std::int64_t counters : {23, 37}) {
    for (const Combine combine : {Combine::kAssign, Combine::kAdd}) {
      WayCall call = scatter_call(counters, 37);
      call.combine = combine;
      const WayMemory memory = memory_of(call);
      for (const bool streams : {false, true}) {
        Tuning tuning;
        if (streams) tuning.stream = true;
        const LoweredPlan plan = call.lower(tuning);
        for (const std::int64_t at_once : {1, 5, 23}) {
          const Pieces way{kPieceBytes, at_once};
          for (const int tasks : {1, 2, 7}) {
            const WayResult result = run_way(Runner<Pieces>(way), plan, memory, tasks);
            EXPECT_EQ(result.outcome, RunOutcome::kDone);
            EXPECT_EQ(result.written, expected(call, memory)) << at_once << ", " << tasks;
            EXPECT_EQ(result.fewest_writers, 1);
            EXPECT_EQ(result.most_writers, 1);
            EXPECT_FALSE(result.left_scratch);
          }
        }
      }
    }
  }
}

TEST(Pieces, ABadIndexEndsTheRun) {
  WayCall call = scatter_call(9, 9);
  call.policy = OutOfRange::kError;
  WayMemory memory = memory_of(call);
  memory.indices[50] = kExtent;
  const Pieces way{kPieceBytes, 2};
  EXPECT_EQ(run_way(Runner<Pieces>(way), call.lower(), memory, 1).outcome, RunOutcome::kBadIndex);
}

TEST(Pieces, ServeARunThatCopiesAStartWithAllPieces) {
  const WayCall call = scatter_call(9, 9);
  const LoweredPlan plan = call.lower();
  WayMemory memory = memory_of(call);
  const Pieces way{kPieceBytes, 2};
  EXPECT_TRUE(serves(Runner<Pieces>(way), plan, memory, 1));
  const Pieces longer{kPieceBytes + 4, 2};
  EXPECT_FALSE(serves(Runner<Pieces>(longer), plan, memory, 1)) << "the last piece would end late";
  memory.has_start = false;
  EXPECT_FALSE(serves(Runner<Pieces>(way), plan, memory, 1)) << "in place nothing is copied";
}

TEST(Pieces, AreCutByTheFirstLoopIntoAtMostAsManyTasksAsItHasCounters) {
  const LoweredPlan plan = scatter_call(3, 9).lower();
  const Pieces way{kPieceBytes, 2};
  for (const int tasks : {2, 8}) {
    const Partition cut = Runner<Pieces>(way).cut(plan, tasks);
    EXPECT_EQ(cut.cut, Cut::kLoop);
    EXPECT_EQ(cut.loop, 0);
    EXPECT_EQ(cut.tasks, std::min(tasks, 3));
  }
}

TEST(Pieces, EachTaskHasRoomForThoseThatAreMadeAtOnce) {
  const LoweredPlan plan = scatter_call(30, 30).lower();
  const Pieces way{kPieceBytes, 7};
  const Runner<Pieces> runner(way);
  EXPECT_GE(runner.scratch_bytes(plan, 3), 3U * 7 * kPieceBytes);
  EXPECT_EQ(runner.scratch_bytes(plan, 3) % (3 * 64U), 0U);
  PlanDescription description;
  runner.describe(plan, description);
  EXPECT_EQ(description.piece_bytes, kPieceBytes);
}

}  // namespace
}  // namespace windrow::internal
