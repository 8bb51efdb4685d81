#include <gtest/gtest.h>

#include "src/reference/openvino/operators.h"

namespace windrow::internal::reference {
namespace {

TEST(OpenvinoHasReduction, NotForStringsBitsAndNf4NorMeansOfBools) {
  for (const DType dtype : {DType::kString, DType::kUint1, DType::kNF4}) {
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
