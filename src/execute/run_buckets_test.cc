#include <gtest/gtest.h>

#include <vector>

#include "src/execute/add_fixture.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

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

}  // namespace
}  // namespace windrow::internal
