#include "plugins/onnxruntime/strings.h"

#include <gtest/gtest.h>

#include "plugins/onnxruntime/kernel.h"
#include "plugins/onnxruntime/provider.h"

namespace windrow::plugins {
namespace {

TEST(ElementTypes, EveryTypeOfEveryKernelHasANumber) {
  for (const OperatorInfo& row : kernel_rows()) {
    for (const OperatorInput& input : row.inputs) {
      for (const DType type : input.dtypes)
        EXPECT_EQ(from_host(to_host(type)), type) << row.name << ' ' << dtype_name(type);
    }
  }
}

TEST(ElementTypes, TheNewestOnesHaveOtherNumbersThanInOnnx) {
  EXPECT_EQ(to_host(DType::kFloat4E2M1), static_cast<ONNXTensorElementDataType>(23));
  EXPECT_EQ(to_host(DType::kUint2), static_cast<ONNXTensorElementDataType>(24));
  EXPECT_EQ(to_host(DType::kFloat8E8M0), static_cast<ONNXTensorElementDataType>(26));
  EXPECT_EQ(from_host(static_cast<ONNXTensorElementDataType>(25)), DType::kAbsent);  // int2
}

TEST(ElementTypes, WhatOneSideLacksIsAbsent) {
  EXPECT_EQ(to_host(DType::kUint1), ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED);
  EXPECT_EQ(to_host(DType::kAbsent), ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED);
  EXPECT_EQ(from_host(ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED), DType::kAbsent);
  EXPECT_EQ(from_host(static_cast<ONNXTensorElementDataType>(31)), DType::kAbsent);
}

TEST(KernelRows, AreTheRowsOfOnnxWithoutValuesAtCompilation) {
  std::size_t expected = 0;
  for (const OperatorInfo& row : list_operators())
    expected += static_cast<std::size_t>(row.dialect == "onnx" && row.name != "OneHot");
  EXPECT_EQ(kernel_rows().size(), expected);
}

}  // namespace
}  // namespace windrow::plugins
