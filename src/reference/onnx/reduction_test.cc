#include <gtest/gtest.h>

#include "src/reference/onnx/operators.h"

namespace windrow::internal::reference {
namespace {

TEST(OnnxHasReduction, NotForComplexOrderNorStringProducts) {
  EXPECT_FALSE(onnx_has_reduction(DType::kComplex64, Reduction::kMin));
  EXPECT_FALSE(onnx_has_reduction(DType::kComplex128, Reduction::kMax));
  EXPECT_TRUE(onnx_has_reduction(DType::kComplex64, Reduction::kMul));
  EXPECT_FALSE(onnx_has_reduction(DType::kString, Reduction::kMul));
  EXPECT_TRUE(onnx_has_reduction(DType::kString, Reduction::kMin));
  EXPECT_TRUE(onnx_has_reduction(DType::kString, Reduction::kNone));
  EXPECT_TRUE(onnx_has_reduction(DType::kBool, Reduction::kMul));
}

}  // namespace
}  // namespace windrow::internal::reference
