#include "src/execute/find_duplicates.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/execute/pairs_fixture.h"

namespace windrow::internal {
namespace {

Status duplicates(std::initializer_list<std::int64_t> indices) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  return find_duplicates(pairs(n), views);
}

TEST(FindDuplicates, DistinctCellsAreNoError) { EXPECT_TRUE(duplicates({0, 0, 0, 1, 1, 0}).ok()); }

TEST(FindDuplicates, NamesTheFirstRepeatAndItsFirstWriter) {
  const Status status = duplicates({0, 0, 1, 1, -3, -2, 0, 0});
  ASSERT_EQ(status.code(), ErrorCode::kDuplicate);
  EXPECT_EQ(status.constraint(), "TEST-D1");
  EXPECT_EQ(status.message(),
            "test.Scatter-1 [TEST-D1]: updates[2] writes the cell at [1, 1], which updates[1] has "
            "written "
            "already");
}

TEST(FindDuplicates, HashesCellsThatAreTooManyForABitmap) {
  Operation operation = pairs(2);
  operation.map.axes[0].extent = std::int64_t{1} << 40;
  const std::int64_t indices[] = {std::int64_t{1} << 39, 1, std::int64_t{1} << 39, 1};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
  EXPECT_EQ(find_duplicates(operation, views).code(), ErrorCode::kDuplicate);
}

// Points of a loop that moves along an axis of its own repeat every collision: the first one stands
// for all.
TEST(FindDuplicates, RowsAreNamedByTheirFirstElement) {
  Operation operation = pairs(3);
  operation.map.loops = {3, 1000};
  AxisMap columns;
  columns.extent = 1000;
  columns.loops.push_back({1, 1});
  operation.map.axes.push_back(columns);
  const std::int64_t indices[] = {1, 1, 2, 2, 1, 1};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {3, 2}, indices), {}};
  const Status status = find_duplicates(operation, views);
  EXPECT_NE(
      status.message().find("updates[2, 0] writes the cell at [1, 1, 0], which updates[0, 0]"),
      std::string::npos)
      << status.message();
}

// A loop that takes part in an indexed coordinate moves cells onto each other.
TEST(FindDuplicates, LoopsBesideAnIndexAreLookedAtPointByPoint) {
  Operation operation = pairs(2);
  operation.map.loops = {2, 2};
  operation.map.axes[1].loops.push_back({1, 1});
  const std::int64_t apart[] = {1, 0, 2, 0};
  const std::int64_t meeting[] = {1, 0, 1, 1};
  const auto duplicates_of = [&](const std::int64_t* indices) {
    const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
    return find_duplicates(operation, views);
  };
  EXPECT_TRUE(duplicates_of(apart));
  const Status status = duplicates_of(meeting);
  EXPECT_NE(status.message().find("updates[1, 0] writes the cell at [1, 1], which updates[0, 1]"),
            std::string::npos)
      << status.message();
}

TEST(FindDuplicates, SkippedUpdatesWriteNoCell) {
  Operation operation = pairs(2);
  for (AxisMap& axis : operation.map.axes) {
    axis.policy = OutOfRange::kSkip;
    axis.terms.front().legal.reset();
  }
  const std::int64_t indices[] = {9, 9, 9, 9};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
  EXPECT_TRUE(find_duplicates(operation, views));
}

TEST(FindDuplicates, NoUpdatesWriteNoCellTwice) {
  const TensorView views[] = {{}, TensorView(DType::kInt64, {0, 2}, nullptr), {}};
  EXPECT_TRUE(find_duplicates(pairs(0), views));
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(FindDuplicates, FindsNothingAfterAnInterruption) {
  constexpr std::int64_t kMany = 100'000;
  Operation operation = pairs(kMany);
  operation.map.axes[0].extent = kMany;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < kMany; ++i) indices.insert(indices.end(), {i, 0});
  indices[2 * kMany - 2] = 0;
  const TensorView views[] = {{}, TensorView(DType::kInt64, {kMany, 2}, indices.data()), {}};
  EXPECT_FALSE(find_duplicates(operation, views));
  Always interrupt;
  Interruption interruption(interrupt);
  EXPECT_TRUE(find_duplicates(operation, views, &interruption));
}

}  // namespace
}  // namespace windrow::internal
