#include "src/execute/mean.h"

#include <gtest/gtest.h>

#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

Tensor counts(const Shape& shape, const std::vector<std::uint32_t>& values) {
  return Tensor::from(shape, std::span<const std::uint32_t>(values));
}

// The cells of a [rows, columns] tensor after the division, in memory with a gap behind each row
// that must stay.
std::vector<float> divide(const std::vector<float>& cells, std::int64_t columns,
                          const Tensor& updates, std::int64_t extra) {
  const auto rows = static_cast<std::int64_t>(cells.size()) / columns;
  std::vector<float> memory(static_cast<std::size_t>(rows * (columns + 1)), -7);
  for (std::size_t i = 0; i < cells.size(); ++i)
    memory[i + i / static_cast<std::size_t>(columns)] = cells[i];
  const MutableTensorView view(DType::kFloat32, {rows, columns}, Strides{4 * (columns + 1), 4},
                               memory.data());
  divide_sums({DType::kFloat32, view, &updates, extra}, nullptr);
  std::vector<float> divided;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (i % static_cast<std::size_t>(columns + 1) < static_cast<std::size_t>(columns))
      divided.push_back(memory[i]);
    else
      EXPECT_EQ(memory[i], -7) << "the gap at " << i;
  }
  return divided;
}

const std::vector<float> kSums = {12, 24, 36, 48, 60, 72};

TEST(DivideSums, DividesEachCellThatTookUpdates) {
  const Tensor updates = counts({2, 3}, {1, 2, 3, 0, 4, 1});
  EXPECT_EQ(divide(kSums, 3, updates, 0), (std::vector<float>{12, 12, 12, 48, 15, 72}));
  // The cell's own value counts too, but not where nothing was added to it.
  EXPECT_EQ(divide(kSums, 3, updates, 1), (std::vector<float>{6, 8, 9, 48, 12, 36}));
}

TEST(DivideSums, BroadcastsTheNumbersOfUpdates) {
  EXPECT_EQ(divide(kSums, 3, counts({2, 1}, {2, 4}), 0),
            (std::vector<float>{6, 12, 18, 12, 15, 18}));
  EXPECT_EQ(divide(kSums, 3, counts({1, 3}, {1, 2, 3}), 0),
            (std::vector<float>{12, 12, 12, 48, 30, 24}));
  EXPECT_EQ(divide(kSums, 3, counts({1, 1}, {2}), 0), (std::vector<float>{6, 12, 18, 24, 30, 36}));
  const std::vector<std::uint64_t> wide = {2, 4};
  const Tensor updates = Tensor::from({2, 1}, std::span<const std::uint64_t>(wide));
  EXPECT_EQ(divide(kSums, 3, updates, 0), (std::vector<float>{6, 12, 18, 12, 15, 18}));
}

TEST(DivideSums, ASingleCellMayHaveNoAxes) {
  float cell = 12;
  const Tensor updates = counts({}, {4});
  divide_sums({DType::kFloat32, MutableTensorView(DType::kFloat32, {}, &cell), &updates, 0},
              nullptr);
  EXPECT_EQ(cell, 3);
}

// Tasks begin and end within rows, and no cell is divided twice.
TEST(DivideSums, EightTasksDivideEachCellOnce) {
  constexpr std::int64_t kRows = 33;
  const std::int64_t columns = least_task_indices() / 4 + 1;
  std::vector<std::int32_t> cells(kRows * columns);
  std::vector<std::uint32_t> numbers(kRows);
  for (std::size_t row = 0; row < kRows; ++row) numbers[row] = static_cast<std::uint32_t>(row);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::int32_t>(i);
  const Tensor updates = counts({kRows, 1}, numbers);
  EightThreads threads;
  divide_sums({DType::kInt32, MutableTensorView(DType::kInt32, {kRows, columns}, cells.data()),
               &updates, 0},
              &threads);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto row = static_cast<std::int32_t>(i / columns);
    ASSERT_EQ(cells[i], static_cast<std::int32_t>(i) / std::max(row, 1)) << i;
  }
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(DivideSums, AnInterruptionEndsIt) {
  std::vector<float> cells(std::size_t{1} << 21, 8);
  const Tensor updates = counts({1}, {2});
  Always interrupt;
  Interruption interruption(interrupt);
  divide_sums(
      {DType::kFloat32,
       MutableTensorView(DType::kFloat32, {static_cast<std::int64_t>(cells.size())}, cells.data()),
       &updates, 0},
      nullptr, &interruption);
  EXPECT_TRUE(interruption.was_requested());
  EXPECT_EQ(cells.front(), 4);
  EXPECT_EQ(cells.back(), 8);
}

}  // namespace
}  // namespace windrow::internal
