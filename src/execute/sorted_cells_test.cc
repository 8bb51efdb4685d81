#include "src/execute/sorted_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/execute/pairs_fixture.h"

namespace windrow::internal {
namespace {

Operation ascending(int input) {
  Operation operation;
  operation.ascending_input = input;
  operation.operator_name = "array.SegmentReduce-1";
  operation.order_constraint = "ARRAY-SegmentReduce-C3";
  operation.input_names = {"data", "segment_ids"};
  return operation;
}

TEST(CheckOrder, NamesTheFirstValueThatFalls) {
  const Tensor ids = Tensor::of<std::int64_t>({6}, {-2, 0, 0, 3, 2, 1});
  const std::vector<TensorView> inputs{TensorView(), ids};
  const Status status = check_order(ascending(1), inputs);
  EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.constraint(), "ARRAY-SegmentReduce-C3");
  EXPECT_EQ(status.message(),
            "array.SegmentReduce-1 [ARRAY-SegmentReduce-C3]: segment_ids[4] is 2 after 3, must not "
            "be smaller");
  EXPECT_TRUE(check_order(ascending(-1), inputs));
}

TEST(CheckOrder, FollowsStridesAndTypes) {
  const std::vector<std::uint8_t> memory{9, 0, 7, 0, 7};
  const TensorView backwards(DType::kUint8, {3}, Strides{-2}, memory.data() + 4);
  const TensorView forwards(DType::kUint8, {3}, Strides{2}, memory.data());
  EXPECT_TRUE(check_order(ascending(1), std::vector<TensorView>{TensorView(), backwards}));
  EXPECT_FALSE(check_order(ascending(1), std::vector<TensorView>{TensorView(), forwards}));
}

TEST(CheckOrder, NothingIsInOrder) {
  const TensorView none(DType::kInt32, {0}, nullptr);
  EXPECT_TRUE(check_order(ascending(1), std::vector<TensorView>{TensorView(), none}));
}

std::int64_t cell_of(std::int64_t index) { return index < 0 ? index + kCells : index; }

std::vector<std::int64_t> sorted_indices() {
  std::vector<std::int64_t> indices = random_indices();
  std::sort(indices.begin(), indices.end(),
            [](std::int64_t a, std::int64_t b) { return cell_of(a) < cell_of(b); });
  return indices;
}

bool is_sorted(const LoweredPlan& plan, const std::vector<std::int64_t>& indices) {
  const std::byte* inputs[] = {nullptr, reinterpret_cast<const std::byte*>(indices.data()),
                               nullptr};
  EightThreads threads;
  const RunMemory memory{nullptr, nullptr, inputs};
  Outcome outcome;
  return has_sorted_cells({plan, find_kernel_set("")->table, memory, &threads, outcome});
}

// A scatter asks before its start is copied and again before its points are divided.
TEST(SortedCells, ARunSamplesThemOnce) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kError);
  std::vector<std::int64_t> indices = sorted_indices();
  const std::byte* inputs[] = {nullptr, reinterpret_cast<const std::byte*>(indices.data()),
                               nullptr};
  const RunMemory memory{nullptr, nullptr, inputs};
  Outcome outcome;
  const RunContext run{plan, find_kernel_set("")->table, memory, nullptr, outcome};
  EXPECT_TRUE(may_have_sorted_cells(run));
  std::reverse(indices.begin(), indices.end());
  EXPECT_TRUE(may_have_sorted_cells(run));
  const RunContext next{plan, find_kernel_set("")->table, memory, nullptr, outcome};
  EXPECT_FALSE(may_have_sorted_cells(next));
}

TEST(SortedCells, AreFoundWhateverTheIndicesLookLike) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kError);
  EXPECT_TRUE(is_sorted(plan, sorted_indices()));
  EXPECT_TRUE(is_sorted(plan, std::vector<std::int64_t>(kUpdates, 7)));
  EXPECT_FALSE(is_sorted(plan, random_indices()));
}

// Every position of a descent, including the ends of blocks and of tasks.
TEST(SortedCells, OneThatFallsIsEnough) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kError);
  const std::vector<std::int64_t> sorted(kUpdates, 7);
  for (const std::int64_t place : {std::int64_t{1}, std::int64_t{1023}, std::int64_t{1024},
                                   kUpdates / 3, kUpdates / 3 + 1, kUpdates - 1}) {
    std::vector<std::int64_t> indices = sorted;
    indices[static_cast<std::size_t>(place)] = 6;
    EXPECT_FALSE(is_sorted(plan, indices)) << place;
    indices[static_cast<std::size_t>(place)] = kCells;
    EXPECT_FALSE(is_sorted(plan, indices)) << "bad, " << place;
  }
}

TEST(SortedCells, SkippedUpdatesMayStandAtTheEnd) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kSkip);
  std::vector<std::int64_t> indices = sorted_indices();
  indices.back() = kCells;
  EXPECT_TRUE(is_sorted(plan, indices));
  indices[kUpdates / 2] = kCells;
  EXPECT_FALSE(is_sorted(plan, indices));
}

TEST(SortedCells, EightTasksAddWithoutAnyBucketsInTheSameOrder) {
  constexpr std::int64_t kFewReads = 1000;  // for the sample and the ends of cells
  EightThreads threads;
  std::vector<std::int64_t> few_cells = sorted_indices();
  for (std::int64_t& index : few_cells) index = cell_of(index) / (kCells / 3);
  for (const std::int64_t row : {1, 3}) {
    const LoweredPlan plan = lower_add(row, OutOfRange::kError);
    for (const KernelSetEntry& set : kernel_sets()) {
      if (!set.supported) continue;
      for (const auto& indices :
           {sorted_indices(), few_cells, std::vector<std::int64_t>(kUpdates, -1)}) {
        const Sums serial = add(plan, set.table, indices, nullptr);
        const Sums eight = add(plan, set.table, indices, &threads);
        EXPECT_EQ(eight.outcome, RunOutcome::kDone);
        EXPECT_LE(eight.index_bytes, (2 * kUpdates + kFewReads) * 8);
        EXPECT_EQ(eight.cells, serial.cells) << set.name << ", rows of " << row;
      }
    }
  }
}

}  // namespace
}  // namespace windrow::internal
