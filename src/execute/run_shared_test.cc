#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Rows of `row` elements along the middle axis: the outer loop shares the offsets.
WayCall rows_call(std::int64_t outer, std::int64_t points, std::int64_t row, bool scatter = false,
                  OutOfRange policy = OutOfRange::kError) {
  return {{outer, points, row}, {outer, 9, row}, 1, {1}, scatter, policy};
}

LoweredPlan plan_of(std::int64_t shared_points, std::int64_t points, std::int64_t row_bytes,
                    bool scatter) {
  LoweredPlan plan;
  plan.scatter = scatter;
  plan.shared = {{shared_points, {row_bytes * points, row_bytes}}};
  plan.shared_points = shared_points;
  plan.addressed = {{points, {row_bytes, 0, 8}}};
  plan.points = points;
  plan.row_bytes = row_bytes;
  plan.element_bytes = 4;
  return plan;
}

Partition cut(const LoweredPlan& plan, int tasks) {
  const SharedOffsets way{1024, 0};
  return Runner<SharedOffsets>(way).cut(plan, tasks);
}

TEST(SharedOffsets, EachElementIsMovedByOneTaskWhateverTheChunksAre) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t row : {1, 33}) {
      const WayCall call = rows_call(6, 101, row, false, policy);
      const LoweredPlan plan = call.lower();
      ASSERT_EQ(plan.shared_points, 6);
      const WayMemory memory(call);
      const Cells wanted = expected(call, memory);
      for (const std::int64_t chunk : {1, 50, 101}) {
        for (const int tasks : {1, 2, 5, 8}) {
          const SharedOffsets way{chunk, chunk == 50 ? std::int64_t{9 * 4} : 0};
          const WayResult result = run_way(Runner<SharedOffsets>(way), plan, memory, tasks);
          EXPECT_EQ(result.outcome, RunOutcome::kDone);
          EXPECT_EQ(result.written, wanted) << row << ", " << chunk << ", " << tasks;
          EXPECT_EQ(result.fewest_writers, 1);
          EXPECT_EQ(result.most_writers, 1);
          EXPECT_FALSE(result.left_scratch);
        }
      }
    }
  }
}

// Single elements of four bytes; the table of an outer point has 9 of them.
TEST(SharedOffsets, ElementsAreLookedUpInRegisters) {
  const Kernel look_up = find_kernel({Family::kLookUp, 4, DType::kInt32});
  const KernelTable& kernels = find_kernel_set("")->table;
  if (kernels.get<Family::kTake>(look_up) == nullptr) GTEST_SKIP() << "the machine has none";
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t points : {20, 63, 101}) {
      const WayCall call = rows_call(29, points, 1, false, policy);
      const LoweredPlan plan = call.lower();
      const WayMemory memory(call);
      for (const std::int64_t copies : {1, 4, 7}) {
        if (copies * points > kBlockPoints) continue;
        for (const int tasks : {1, 2, 8}) {
          const SharedOffsets way{points, 0, copies, look_up};
          const WayResult result = run_way(Runner<SharedOffsets>(way), plan, memory, tasks);
          EXPECT_EQ(result.outcome, RunOutcome::kDone);
          EXPECT_EQ(result.written, expected(call, memory)) << points << ", " << copies;
        }
      }
    }
  }
}

TEST(SharedOffsets, CopiesServeSeveralOuterPointsAtATime) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero}) {
    for (const std::int64_t points : {2, 3, 63}) {
      for (const std::int64_t row : {1, 33, 700}) {
        const WayCall call = rows_call(29, points, row, false, policy);
        const LoweredPlan plan = call.lower();
        ASSERT_EQ(plan.shared_points, 29);
        const WayMemory memory(call);
        for (const std::int64_t copies : {1, 2, 16, 29}) {
          for (const int tasks : {1, 2, 8}) {
            const SharedOffsets way{points, 0, copies};
            const WayResult result = run_way(Runner<SharedOffsets>(way), plan, memory, tasks);
            EXPECT_EQ(result.outcome, RunOutcome::kDone);
            EXPECT_EQ(result.written, expected(call, memory))
                << points << ", " << row << ", " << copies << ", " << tasks;
            EXPECT_EQ(result.most_writers, 1);
            EXPECT_FALSE(result.left_scratch);
          }
        }
      }
    }
  }
}

// Rows of two kinds of cut: few outer points beside ranges of the points, and slices of every row.
TEST(SharedOffsets, PointsAndSlicesAreCutWithoutGaps) {
  const SharedOffsets way{300, 0};
  const Runner<SharedOffsets> runner(way);
  for (const Cut kind : {Cut::kPoints, Cut::kRow, Cut::kShared}) {
    const WayCall call = rows_call(3, 700, 200);
    const WayMemory memory(call);
    const WayResult result = run_tasks(runner, call.lower(), memory, {.cut = kind, .tasks = 3});
    EXPECT_EQ(result.written, expected(call, memory));
    EXPECT_EQ(result.fewest_writers, 1);
    EXPECT_EQ(result.most_writers, 1);
  }
}

TEST(SharedOffsets, UpdatesOfACellKeepTheirOrder) {
  for (const Combine combine : {Combine::kAssign, Combine::kAdd}) {
    WayCall call = rows_call(8, 100, 1, true, OutOfRange::kSkip);
    call.combine = combine;
    const LoweredPlan plan = call.lower();
    ASSERT_EQ(plan.shared_points, 8);
    const WayMemory memory(call);
    for (const int tasks : {1, 3, 8}) {
      const SharedOffsets way{7, 0};
      const WayResult result = run_way(Runner<SharedOffsets>(way), plan, memory, tasks);
      EXPECT_EQ(result.tasks, tasks);
      EXPECT_EQ(result.written, expected(call, memory));
      EXPECT_EQ(result.most_writers, 1);
    }
  }
}

TEST(SharedOffsets, ABadIndexEndsTheRun) {
  const WayCall call = rows_call(4, 100, 1);
  WayMemory memory(call);
  memory.indices.back() = 9;
  const SharedOffsets way{16, 0};
  EXPECT_EQ(run_way(Runner<SharedOffsets>(way), call.lower(), memory, 1).outcome,
            RunOutcome::kBadIndex);
}

TEST(SharedOffsets, GathersCutTheLoopsThatComputeTheFewestOffsetsTwice) {
  // Few points: the shared loops. Many: the points, but beside many more shared ones.
  EXPECT_EQ(cut(plan_of(4, 4 * kBlockPoints - 1, 4, false), 4).cut, Cut::kShared);
  EXPECT_EQ(cut(plan_of(4, 4 * kBlockPoints, 4, false), 4).cut, Cut::kPoints);
  EXPECT_EQ(cut(plan_of(4 * least_shared_share(), 4 * kBlockPoints, 4, false), 4).cut,
            Cut::kShared);
  EXPECT_EQ(cut(plan_of(3, 100, 4, false), 4).cut, Cut::kPoints);
  const Partition rows = cut(plan_of(3, 3, 2 * kLeastSliceBytes, false), 4);
  EXPECT_EQ(rows.cut, Cut::kRow);
  EXPECT_EQ(rows.tasks, 2);
}

TEST(SharedOffsets, ScattersNeverCutThePoints) {
  EXPECT_EQ(cut(plan_of(4, 1'000'000, 4, true), 4).cut, Cut::kShared);
  EXPECT_EQ(cut(plan_of(3, 1'000'000, 4 * kLeastSliceBytes, true), 4).cut, Cut::kRow);
  EXPECT_EQ(cut(plan_of(3, 1'000'000, 4 * kLeastSliceBytes - 1, true), 4).tasks, 1);
}

TEST(SharedOffsets, EachTaskHasRoomForAChunkOfOffsets) {
  const SharedOffsets way{2000, 0};
  LoweredPlan plan = plan_of(4, 10'000, 4, false);
  EXPECT_GE(Runner<SharedOffsets>(way).scratch_bytes(plan, 3), 3 * 2000 * 4U);
  plan.wide_offsets = true;
  EXPECT_GE(Runner<SharedOffsets>(way).scratch_bytes(plan, 3), 3 * 2000 * 8U);
  EXPECT_EQ(Runner<SharedOffsets>(way).scratch_bytes(plan, 3) % (3 * 64U), 0U);
}

TEST(SharedOffsets, AFewOffsetsNeedNoScratch) {
  LoweredPlan plan = plan_of(40, 16, 4, false);
  const SharedOffsets block{16, 0, kBlockPoints / 16};
  EXPECT_EQ(Runner<SharedOffsets>(block).scratch_bytes(plan, 3), 0U);
  const SharedOffsets more{16, 0, kBlockPoints / 16 + 1};
  EXPECT_GT(Runner<SharedOffsets>(more).scratch_bytes(plan, 3), 0U);
  plan.wide_offsets = true;
  EXPECT_GT(Runner<SharedOffsets>(block).scratch_bytes(plan, 3), 0U);
}

constexpr std::int64_t kSampled = 32;  // at most, to see that they are not sorted

std::vector<std::int64_t> with_one_outside() {
  std::vector<std::int64_t> indices = random_indices();
  indices[kUpdates / 2] = kCells;
  return indices;
}

bool serves(const LoweredPlan& plan, int tasks) {
  Outcome outcome;
  const RunMemory memory;
  const KernelTable& kernels = find_kernel_set("")->table;
  return Runner<Buckets>(*find_way<Buckets>(plan.ways))
      .serves({plan, kernels, memory, nullptr, outcome}, tasks);
}

TEST(Buckets, EightTasksReadEveryIndexTwiceAndAddInTheSameOrder) {
  EightThreads threads;
  for (const std::int64_t row : {1, 3}) {
    const LoweredPlan plan = lower_add(row, OutOfRange::kError);
    EXPECT_TRUE(serves(plan, 8));
    for (const KernelSetEntry& set : kernel_sets()) {
      if (!set.supported) continue;
      const Sums serial = add(plan, set.table, random_indices(), nullptr);
      EXPECT_EQ(serial.index_bytes, kUpdates * 8);
      const Sums eight = add(plan, set.table, random_indices(), &threads);
      EXPECT_EQ(eight.outcome, RunOutcome::kDone);
      EXPECT_GE(eight.index_bytes, 2 * kUpdates * 8);
      EXPECT_LE(eight.index_bytes, (2 * kUpdates + kSampled) * 8);
      EXPECT_EQ(eight.cells, serial.cells) << set.name << ", rows of " << row;
    }
  }
}

TEST(Buckets, BadIndicesAreFoundBeforeACellIsTouched) {
  EightThreads threads;
  const KernelTable& kernels = find_kernel_set("")->table;
  const Sums sums = add(lower_add(1, OutOfRange::kError), kernels, with_one_outside(), &threads);
  EXPECT_EQ(sums.outcome, RunOutcome::kBadIndex);
  EXPECT_EQ(sums.cells, std::vector<float>(kCells, 1));
}

TEST(Buckets, SkippedUpdatesGoNowhere) {
  EightThreads threads;
  const KernelTable& kernels = find_kernel_set("")->table;
  for (const std::int64_t row : {1, 3}) {
    const LoweredPlan plan = lower_add(row, OutOfRange::kSkip);
    EXPECT_EQ(add(plan, kernels, with_one_outside(), &threads).cells,
              add(plan, kernels, with_one_outside(), nullptr).cells);
  }
}

TEST(Buckets, FewThreadsKeepTheirOwnRanges) {
  EXPECT_FALSE(serves(lower_add(1, OutOfRange::kError), 2));
}

constexpr std::int64_t kCells = 40;

// Updates of `row` elements each for the rows of a [kCells, row] tensor.
WayCall updates_call(std::int64_t points, std::int64_t row, Combine combine = Combine::kAdd) {
  return {{points, row}, {kCells, row}, 0, {0}, true, OutOfRange::kError, combine};
}

WayMemory sorted_memory(const WayCall& call) {
  WayMemory memory(call);
  for (std::int32_t& index : memory.indices)
    if (index < 0) index += kCells;
  std::sort(memory.indices.begin(), memory.indices.end());
  return memory;
}

const SortedRanges kWay;

TEST(SortedRanges, NoCellBelongsToTwoTasks) {
  for (const Combine combine : {Combine::kAdd, Combine::kAssign}) {
    for (const std::int64_t row : {1, 3}) {
      const WayCall call = updates_call(1000, row, combine);
      const LoweredPlan plan = call.lower();
      WayMemory memory = sorted_memory(call);
      for (const std::int64_t last : {kCells, std::int64_t{3}, std::int64_t{1}}) {
        // With few cells most tasks meet within one.
        for (std::int32_t& index : memory.indices)
          index = std::min(index, static_cast<std::int32_t>(last - 1));
        for (const int tasks : {1, 2, 8}) {
          const WayResult result = run_way(Runner<SortedRanges>(kWay), plan, memory, tasks);
          EXPECT_EQ(result.outcome, RunOutcome::kDone);
          EXPECT_EQ(result.written, expected(call, memory)) << last << ", " << tasks;
          EXPECT_EQ(result.most_writers, 1);
        }
      }
    }
  }
}

TEST(SortedRanges, ServeUpdatesInOrderThatNothingElseCuts) {
  const WayCall call = updates_call(1000, 1);
  const LoweredPlan plan = call.lower();
  const Runner<SortedRanges> runner(kWay);
  WayMemory memory = sorted_memory(call);
  EXPECT_TRUE(serves(runner, plan, memory, 2));
  EXPECT_FALSE(serves(runner, plan, memory, 1)) << "one task needs no cut";
  std::swap(memory.indices.front(), memory.indices.back());
  EXPECT_FALSE(serves(runner, plan, memory, 2)) << "not in order";
  const WayCall wide = updates_call(100, 200);
  EXPECT_FALSE(serves(runner, wide.lower(), sorted_memory(wide), 2)) << "rows can be cut";
}

}  // namespace
}  // namespace windrow::internal
