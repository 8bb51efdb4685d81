#include "src/execute/scan_indices.h"

#include <gtest/gtest.h>

#include "src/execute/check_indices.h"
#include "src/execute/pairs_fixture.h"

namespace windrow::internal {
namespace {

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

BadIndices listed(std::initializer_list<std::int64_t> indices, std::int64_t most) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  return describe_illegal_indices(pairs(n), views, nullptr, most).index_fault()->listed;
}

TEST(ScanIndices, ListsTheFirstOfAllTermsInRowMajorOrder) {
  const std::initializer_list<std::int64_t> indices = {0, 0, 3, 3, 9, 0, -5, -4};
  const BadIndices all = listed(indices, 100);
  EXPECT_EQ(all.input, "indices");
  EXPECT_EQ(all.rank, 2);
  EXPECT_EQ(all.positions, (std::vector<std::int64_t>{1, 1, 2, 0, 3, 0, 3, 1}));
  EXPECT_EQ(all.values, (std::vector<std::int64_t>{3, 9, -5, -4}));
  EXPECT_EQ(listed(indices, 3).values, (std::vector<std::int64_t>{3, 9, -5}));
  EXPECT_EQ(listed(indices, 0).count(), 0);
}

}  // namespace
}  // namespace windrow::internal
