#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Elements along the last axis, whose rows have a table of `extent` elements each.
WayCall elements_call(std::int64_t rows, std::int64_t points, std::int64_t extent,
                      OutOfRange policy = OutOfRange::kError) {
  return {{rows, points}, {rows, extent}, 1, {0, 1}, false, policy};
}

// The plan, which has that way.
template <class Way>
LoweredPlan lower_for(const WayCall& call, bool streams = false, bool gathers = false) {
  Tuning tuning;
  tuning.straight = true;
  tuning.gathers = gathers;
  if (streams) tuning.stream = true;
  LoweredPlan plan = call.lower(tuning);
  EXPECT_NE(find_way<Way>(plan.ways), nullptr);
  return plan;
}

// The same without flat runs.
LoweredPlan lower_elements(const WayCall& call, bool streams = false, bool gathers = false) {
  Tuning tuning;
  tuning.straight = true;
  tuning.gathers = gathers;
  tuning.flat_runs = false;
  if (streams) tuning.stream = true;
  return call.lower(tuning);
}

// Tables that fit in registers and others; tasks that begin and end within a run.
TEST(StraightTakes, EachElementIsTakenByOneTask) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t extent : {5, 64, 1000}) {
      for (const bool streams : {false, true}) {
        WayCall call = elements_call(5, 131, extent, policy);
        if (extent == 64 || streams) call.padding = 3;
        const WayMemory memory(call);
        for (const bool gathers : {false, true}) {
          const LoweredPlan plan = lower_elements(call, streams, gathers);
          const StraightTakes& way = *find_way<StraightTakes>(plan.ways);
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
    const LoweredPlan plan = lower_elements(call);
    WayMemory memory(call);
    memory.indices.front() = -11;
    const StraightTakes& way = *find_way<StraightTakes>(plan.ways);
    EXPECT_EQ(run_way(Runner<StraightTakes>(way), plan, memory, 1).outcome,
              policy == OutOfRange::kError ? RunOutcome::kBadIndex : RunOutcome::kDone);
  }
}

TEST(StraightTakes, AreCutByPointsAndSaySo) {
  const LoweredPlan plan = lower_elements(elements_call(1, 20, 1000), false, true);
  const StraightTakes& way = *find_way<StraightTakes>(plan.ways);
  const Runner<StraightTakes> runner(way);
  EXPECT_EQ(runner.cut(plan, 8).cut, Cut::kPoints);
  EXPECT_EQ(runner.cut(plan, 50).tasks, 20) << "no task without a point";
  PlanDescription description;
  runner.describe(plan, description);
  EXPECT_TRUE(description.straight);
  EXPECT_EQ(description.gather_instructions,
            find_kernel_set("")->table.find<Family::kTakeGathered>(4, DType::kInt32) != nullptr);
  EXPECT_EQ(description.thread_share, "a range of the points each");
}

// More points than a block has, and tasks that begin and end within a run.
TEST(FlatTakes, EachElementIsTakenByOneTask) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t points : {2, 3, 60}) {
      for (const std::int64_t extent : {4, 200}) {
        WayCall call = elements_call(2 * kBlockPoints / points + 1, points, extent, policy);
        if (points == 3) call.padding = 1;
        const WayMemory memory(call);
        const Cells wanted = expected(call, memory);
        for (const bool streams : {false, true}) {
          for (const bool gathers : {false, true}) {
            const LoweredPlan plan = lower_for<FlatTakes>(call, streams, gathers);
            const FlatTakes& way = *find_way<FlatTakes>(plan.ways);
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
    const LoweredPlan plan = lower_for<FlatTakes>(call);
    WayMemory memory(call);
    memory.indices[300] = 10;
    const FlatTakes& way = *find_way<FlatTakes>(plan.ways);
    EXPECT_EQ(run_way(Runner<FlatTakes>(way), plan, memory, 1).outcome,
              policy == OutOfRange::kError ? RunOutcome::kBadIndex : RunOutcome::kDone);
  }
}

TEST(FlatTakes, AreCutByPoints) {
  const LoweredPlan plan = lower_for<FlatTakes>(elements_call(4, 5, 10));
  const FlatTakes& way = *find_way<FlatTakes>(plan.ways);
  EXPECT_EQ(Runner<FlatTakes>(way).cut(plan, 8).cut, Cut::kPoints);
  EXPECT_EQ(Runner<FlatTakes>(way).cut(plan, 50).tasks, 20) << "no task without a point";
}

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
          const Pieces way{kPieceBytes, at_once, streams ? 0 : kStreamBytes};
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
