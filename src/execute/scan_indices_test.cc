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

}  // namespace
}  // namespace windrow::internal
