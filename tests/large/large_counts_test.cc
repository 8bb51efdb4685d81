#include <gtest/gtest.h>

#include <string>

#include "windrow/onnx.h"

// More than 2^31 indices and updates, as views of one element. Takes seconds, so apart from the
// others.
namespace windrow::tests {
namespace {

constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 8;

template <class T>
TensorView repeated(const T& element) {
  return {dtype_of<T>::value, {kCount}, Strides{0}, &element};
}

TEST(LargeCounts, EveryIndexOfMoreThanTwoToTheThirtyOneIsChecked) {
  const Tensor data = Tensor::zeros(DType::kUint8, {4, 0}).value();
  const std::int32_t good = 3;
  const auto result = onnx::gather(data, repeated(good));
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->shape(), (Shape{kCount, 0}));
  const std::int32_t bad = 4;
  const auto error = onnx::gather(data, repeated(bad)).error();
  ASSERT_NE(error.index_fault(), nullptr);
  EXPECT_EQ(error.index_fault()->count, kCount);
}

TEST(LargeCounts, MoreThanTwoToTheThirtyOneUpdatesOfOneCell) {
  const Tensor data = Tensor::of<std::int64_t>({1}, {1});
  const std::int32_t index = 0;
  const std::int64_t update = 3;
  const auto result =
      onnx::scatter_elements(data, repeated(index), repeated(update), {.reduction = "add"});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->values<std::int64_t>()[0], 3 * kCount + 1);
}

}  // namespace
}  // namespace windrow::tests
