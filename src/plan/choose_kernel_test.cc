#include "src/plan/choose_kernel.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

Family family_of(bool scatter, Fold fold, std::int64_t row_bytes) {
  LoweredPlan plan;
  plan.dtype = DType::kFloat32;
  plan.scatter = scatter;
  plan.fold = fold;
  plan.row_bytes = row_bytes;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.kernel, Kernel::kCount);
  return plan.family;
}

TEST(ChooseKernel, ElementsAreRowsOfAPowerOfTwo) {
  for (const std::int64_t bytes : {1, 2, 4, 8, 16})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kTakeElements);
  for (const std::int64_t bytes : {3, 12, 17, 32, 1000})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kCopyRows);
}

TEST(ChooseKernel, ScattersAssignOrReduce) {
  EXPECT_EQ(family_of(true, Fold::kNone, 4), Family::kAssign);
  EXPECT_EQ(family_of(true, Fold::kAdd, 64), Family::kReduce);
}

TEST(ChooseKernel, StringsHaveTheirOwn) {
  LoweredPlan plan;
  plan.dtype = DType::kString;
  plan.row_bytes = plan.element_bytes = dtype_bits(DType::kString) / 8;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.string_kernel, nullptr);
  EXPECT_EQ(kernel_name(plan), "strings");
  plan.scatter = true;
  plan.fold = Fold::kMul;
  EXPECT_EQ(choose_kernel(plan).code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow::internal
