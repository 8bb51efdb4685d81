#include <gtest/gtest.h>

#include "src/reference/openvino/operators.h"

namespace windrow::internal::reference {
namespace {

TEST(OpenvinoHasReduction, NotForTypesThatAreOnlyCopiedNorMeansOfBools) {
  for (const DType dtype : {DType::kString, DType::kUint1, DType::kUint2, DType::kNF4,
                            DType::kFloat4E2M1, DType::kFloat8E8M0}) {
    EXPECT_TRUE(openvino_has_reduction(dtype, Reduction::kNone));
    EXPECT_FALSE(openvino_has_reduction(dtype, Reduction::kAdd));
    EXPECT_FALSE(openvino_has_reduction(dtype, Reduction::kMax));
  }
  EXPECT_TRUE(openvino_has_reduction(DType::kBool, Reduction::kSub));
  EXPECT_FALSE(openvino_has_reduction(DType::kBool, Reduction::kMean));
  EXPECT_TRUE(openvino_has_reduction(DType::kInt4, Reduction::kMean));
  EXPECT_TRUE(openvino_has_reduction(DType::kFloat8E5M2, Reduction::kMul));
}

}  // namespace
}  // namespace windrow::internal::reference
