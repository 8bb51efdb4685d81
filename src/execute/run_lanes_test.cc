#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Elements along the middle axis: an index for each lane.
WayCall lanes_call(const Shape& loops, std::int64_t extent, bool scatter = false,
                   OutOfRange policy = OutOfRange::kError) {
  return {loops, {loops[0], extent, loops[2]}, 1, {0, 1, 2}, scatter, policy};
}

PackedLanes way_of(const WayCall& call, std::int64_t tile) {
  Tuning tuning;
  tuning.tile = tile;
  return *find_way<PackedLanes>(call.lower(tuning).ways);
}

TEST(PackedLanes, EachElementIsGatheredByOneTask) {
  WayCall padded = lanes_call({2, 45, 75}, 11);
  padded.padding = -1;
  for (const WayCall& call : {lanes_call({2, 45, 75}, 11),
                              lanes_call({2, 45, 75}, 11, false, OutOfRange::kZero), padded}) {
    const LoweredPlan plan = call.lower();
    const WayMemory memory(call);
    const Cells wanted = expected(call, memory);
    for (const std::int64_t tile : {16, 48, 75}) {
      const PackedLanes way = way_of(call, tile);
      for (const int tasks : {1, 2, 3, 9}) {
        const WayResult result = run_way(Runner<PackedLanes>(way), plan, memory, tasks);
        EXPECT_EQ(result.outcome, RunOutcome::kDone);
        EXPECT_EQ(result.written, wanted) << tile << ", " << tasks;
        EXPECT_EQ(result.fewest_writers, 1);
        EXPECT_EQ(result.most_writers, 1);
        EXPECT_FALSE(result.left_scratch);
      }
    }
  }
}

// Tile after tile, not point after point: the updates of one cell are in one tile.
TEST(PackedLanes, UpdatesOfACellKeepTheirOrder) {
  for (const Combine combine : {Combine::kAssign, Combine::kAdd}) {
    WayCall call = lanes_call({3, 45, 75}, 11, true, OutOfRange::kSkip);
    call.combine = combine;
    const LoweredPlan plan = call.lower();
    for (const bool has_start : {false, true}) {
      WayMemory memory(call);
      memory.has_start = has_start;
      const PackedLanes way = way_of(call, 32);
      for (const int tasks : {1, 3}) {
        const WayResult result = run_way(Runner<PackedLanes>(way), plan, memory, tasks);
        EXPECT_EQ(result.written, expected(call, memory)) << has_start << ", " << tasks;
        EXPECT_EQ(result.most_writers, 1);
        // The start of every cell is copied, of those too that no update reaches.
        EXPECT_EQ(result.fewest_writers, has_start ? 1 : 0);
        EXPECT_FALSE(result.left_scratch);
      }
    }
  }
}

TEST(PackedLanes, ABadIndexEndsTheRun) {
  const WayCall call = lanes_call({1, 20, 40}, 6);
  WayMemory memory(call);
  memory.indices.back() = 6;
  const LoweredPlan plan = call.lower();
  const PackedLanes way = way_of(call, 16);
  EXPECT_EQ(run_way(Runner<PackedLanes>(way), plan, memory, 1).outcome, RunOutcome::kBadIndex);
}

TEST(PackedLanes, TheStartIsCopiedByTilesThatHoldTheWholeOutput) {
  const auto copies_start = [](const WayCall& call) {
    const LoweredPlan plan = call.lower();
    const PackedLanes way = way_of(call, 16);
    WayMemory memory(call);
    memory.has_start = true;
    bool copies = false;
    with_context(plan, memory, nullptr, [&](const RunContext& context, Cells&) {
      copies = Runner<PackedLanes>(way).copies_start(context);
    });
    return copies;
  };
  WayCall call = lanes_call({2, 20, 40}, 6, true);
  EXPECT_TRUE(copies_start(call));
  call.indirect = {2, 6, 41};
  EXPECT_FALSE(copies_start(call)) << "cells that no lane reaches";
  call.indirect = {3, 6, 40};
  EXPECT_FALSE(copies_start(call)) << "cells that no outer point reaches";
}

TEST(PackedLanes, NoTaskHasLessThanACacheLineOfLanes) {
  const auto tasks = [](std::int64_t lanes) {
    const WayCall call = lanes_call({1, 20, lanes}, 6);
    const LoweredPlan plan = call.lower();
    const PackedLanes way = way_of(call, 16);
    const Partition cut = Runner<PackedLanes>(way).cut(plan, 4);
    EXPECT_EQ(cut.cut, Cut::kLoop);
    EXPECT_EQ(cut.loop, static_cast<int>(plan.addressed.size()) - 1);
    return cut.tasks;
  };
  EXPECT_EQ(tasks(15), 1);
  EXPECT_EQ(tasks(47), 2);
  EXPECT_EQ(tasks(1000), 4);
}

TEST(PackedLanes, EachTaskHasRoomForTheCellsOfATile) {
  const WayCall call = lanes_call({1, 20, 100}, 7);
  const LoweredPlan plan = call.lower();
  const PackedLanes way = way_of(call, 24);
  const Runner<PackedLanes> runner(way);
  EXPECT_GE(runner.scratch_bytes(plan, 3), 3U * 7 * 24 * 4);
  EXPECT_EQ(runner.scratch_bytes(plan, 3) % (3 * 64U), 0U);
  PlanDescription description;
  runner.describe(plan, description);
  EXPECT_EQ(description.tile, 24);
  EXPECT_EQ(description.tile_bytes, 7 * 24 * 4);
}

}  // namespace
}  // namespace windrow::internal
