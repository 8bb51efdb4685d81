#include "src/execute/scan_indices.h"

#include <gtest/gtest.h>

#include "src/execute/check_indices.h"
#include "src/execute/find_duplicates.h"

namespace windrow::internal {
namespace {

// ScatterND with index pairs over a [4, 3] tensor: indices [n, 2], updates [n].
Operation pairs(std::int64_t n) {
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.operator_name = "test.Scatter-1";
  operation.index_constraint = "TEST-C1";
  operation.duplicate_constraint = "TEST-D1";
  operation.input_names = {"data", "indices", "updates"};
  operation.map.loops = {n};
  for (int k = 0; k < 2; ++k) {
    AxisMap axis;
    axis.extent = k == 0 ? 4 : 3;
    IndexTerm term;
    term.input = 1;
    term.coordinates = {{0, 0}, {-1, k}};
    term.normalise = Normalise::kNegativeWraps;
    term.legal = {-axis.extent, axis.extent - 1};
    axis.terms.push_back(term);
    operation.map.axes.push_back(axis);
  }
  return operation;
}

Status describe(std::initializer_list<std::int64_t> indices) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    EXPECT_EQ(has_illegal_index(pairs(n), views, set.table, nullptr),
              !describe_illegal_indices(pairs(n), views).ok());
  }
  return describe_illegal_indices(pairs(n), views);
}

TEST(ScanIndices, LegalIndicesAreNoError) { EXPECT_TRUE(describe({0, 0, 3, 2, -4, -3}).ok()); }

TEST(ScanIndices, NamesTheFirstInRowMajorOrderOfTheTensorAndCountsAll) {
  // The first tuple element is checked against axis 0, the second against axis 1.
  const Status status = describe({0, 0, 3, 3, 9, 0, -5, -4});
  ASSERT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(
      status.message(),
      "test.Scatter-1 [TEST-C1]: indices[1, 1] is 3, out of range for axis 1 of data with extent 3 "
      "(legal: -3 to 2); 4 of 8 indices are out of range");
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->position, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(status.index_fault()->value, 3);
  EXPECT_EQ(status.index_fault()->axis, 1);
  EXPECT_EQ(status.index_fault()->extent, 3);
  EXPECT_EQ(status.index_fault()->count, 4);
}

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

}  // namespace
}  // namespace windrow::internal
