#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/large/mapped_memory.h"
#include "tests/support/kernel_sets.h"
#include "windrow/onnx.h"

// Tensors of more than 2^31 elements and offsets beyond 2^32, in little memory.
namespace windrow::tests {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 33;
constexpr std::int64_t kRowBytes = 1 << 10;
constexpr std::int64_t kRows = 5 << 20;  // 5 GiB of rows

class Large : public ::testing::TestWithParam<std::string> {
 protected:
  CallOptions options() const {
    CallOptions options;
    options.kernels = GetParam();
    return options;
  }
};

// A view of `count` equal elements.
template <class T>
TensorView repeated(const T& element, std::int64_t count) {
  return {dtype_of<T>::value, {count}, Strides{0}, &element};
}

TEST_P(Large, GatherFromAStrideZeroAxis) {
  const float element = 7.5F;
  const TensorView data = repeated(element, kHuge);
  const Tensor indices = Tensor::of<std::int64_t>({4}, {0, kHuge - 1, -1, -kHuge});
  const auto result = onnx::gather(data, indices, {}, options());
  ASSERT_TRUE(result.ok()) << result.error().message();
  for (const float value : result->values<float>()) EXPECT_EQ(value, element);
}

TEST_P(Large, TheErrorNamesAnIndexBeyondTwoToTheThirtyThird) {
  const std::uint8_t element = 1;
  const TensorView data = repeated(element, kHuge);
  const Tensor indices = Tensor::of<std::int64_t>({3}, {kHuge - 1, kHuge, -kHuge - 1});
  const auto result = onnx::gather(data, indices, {}, options());
  ASSERT_EQ(result.error().code(), ErrorCode::kIndexOutOfRange);
  const IndexFault* fault = result.error().index_fault();
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->position, std::vector<std::int64_t>{1});
  EXPECT_EQ(fault->value, kHuge);
  EXPECT_EQ(fault->extent, kHuge);
  EXPECT_EQ(fault->count, 2);
}

TEST_P(Large, GatherElementsAndGatherNDOnAStrideZeroAxis) {
  const std::int64_t element = -3;
  const TensorView data(DType::kInt64, {kHuge, 2}, Strides{0, 0}, &element);
  const Tensor elements = Tensor::of<std::int64_t>({2, 2}, {kHuge - 1, 0, -1, 5});
  const auto picked = onnx::gather_elements(data, elements, {}, options());
  ASSERT_TRUE(picked.ok()) << picked.error().message();
  EXPECT_EQ(picked->values<std::int64_t>()[0], element);
  const Tensor tuples = Tensor::of<std::int64_t>({2, 2}, {kHuge - 1, 1, -kHuge, -2});
  const auto points = onnx::gather_nd(data, tuples, {}, options());
  ASSERT_TRUE(points.ok()) << points.error().message();
  EXPECT_EQ(points->values<std::int64_t>()[1], element);
}

// Rows of bytes, some of which, near the end, hold their own number.
void gather_far_rows(const MappedMemory& memory, const CallOptions& options, DType index_type) {
  ASSERT_NE(memory.data(), nullptr) << "the system refuses the mapping";
  const std::vector<std::int64_t> rows{kRows - 1, 0, (std::int64_t{1} << 22) + 3, -2};
  for (const std::int64_t row : rows) {
    const std::int64_t place = row < 0 ? row + kRows : row;
    std::memcpy(memory.data() + place * kRowBytes + kRowBytes - 8, &place, 8);
  }
  const TensorView data(DType::kUint8, {kRows, kRowBytes}, memory.data());
  Tensor indices = Tensor::zeros(index_type, {4}).value();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (index_type == DType::kInt32) {
      static_cast<std::int32_t*>(indices.data())[i] = static_cast<std::int32_t>(rows[i]);
    } else {
      static_cast<std::int64_t*>(indices.data())[i] = rows[i];
    }
  }
  const auto result = onnx::gather(data, indices, {}, options);
  ASSERT_TRUE(result.ok()) << result.error().message();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int64_t place = 0;
    std::memcpy(&place, result->values<std::uint8_t>().data() + (i + 1) * kRowBytes - 8, 8);
    EXPECT_EQ(place, rows[i] < 0 ? rows[i] + kRows : rows[i]);
  }
}

TEST_P(Large, GatherRowsBeyondFourGibibytes) {
  const auto memory = MappedMemory::anonymous(kRows * kRowBytes);
  gather_far_rows(memory, options(), DType::kInt64);
  gather_far_rows(memory, options(), DType::kInt32);
}

TEST_P(Large, GatherRowsOfAMappedSparseFile) {
  const auto memory = MappedMemory::sparse_file(kRows * kRowBytes);
  gather_far_rows(memory, options(), DType::kInt64);
}

TEST_P(Large, GatherAlongTheLastAxisWithStridesBeyondFourGibibytes) {
  const auto memory = MappedMemory::anonymous(kRows * kRowBytes);
  ASSERT_NE(memory.data(), nullptr);
  const std::int64_t stride = 3 * (std::int64_t{1} << 30);
  const std::int16_t marks[] = {11, 12, 13, 14};
  std::memcpy(memory.data(), marks, 4);
  std::memcpy(memory.data() + stride, marks + 2, 4);
  const TensorView data(DType::kInt16, {2, 2}, Strides{2, stride}, memory.data());
  const Tensor indices = Tensor::of<std::int64_t>({3}, {1, 0, -1});
  const auto result = onnx::gather(data, indices, {.axis = 1}, options());
  ASSERT_TRUE(result.ok()) << result.error().message();
  const auto values = result->values<std::int16_t>();
  EXPECT_EQ(std::vector<std::int16_t>(values.begin(), values.end()),
            (std::vector<std::int16_t>{13, 11, 13, 14, 12, 14}));
}

TEST_P(Large, ScattersInPlaceBeyondFourGibibytes) {
  const auto memory = MappedMemory::anonymous(kRows * kRowBytes);
  ASSERT_NE(memory.data(), nullptr);
  MutableTensorView bytes(DType::kUint8, {kRows * kRowBytes}, memory.data());
  const std::int64_t last = kRows * kRowBytes - 1;
  const Tensor indices = Tensor::of<std::int64_t>({3}, {last, std::int64_t{1} << 32, -1});
  const Tensor updates = Tensor::of<std::uint8_t>({3}, {200, 9, 100});
  const auto elements =
      compile(onnx::ScatterElements{.reduction = "add"},
              {TensorView(bytes).spec(), indices.spec(), updates.spec()}, options());
  ASSERT_TRUE(elements.ok()) << elements.error().message();
  const Status status = elements->run({bytes, indices, updates}, bytes);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(memory.data()[last], 300 % 256);
  EXPECT_EQ(memory.data()[std::int64_t{1} << 32], 9);
  EXPECT_EQ(memory.data()[0], 0);

  MutableTensorView rows(DType::kUint8, {kRows, kRowBytes}, memory.data());
  const Tensor tuple = Tensor::of<std::int64_t>({1, 1}, {kRows - 2});
  const std::uint8_t five = 5;
  const TensorView row(DType::kUint8, {1, kRowBytes}, Strides{0, 0}, &five);
  const auto nd =
      compile(onnx::ScatterND{}, {TensorView(rows).spec(), tuple.spec(), row.spec()}, options());
  ASSERT_TRUE(nd.ok()) << nd.error().message();
  ASSERT_TRUE(nd->run({rows, tuple, row}, rows).ok());
  EXPECT_EQ(memory.data()[(kRows - 2) * kRowBytes], 5);
  EXPECT_EQ(memory.data()[(kRows - 1) * kRowBytes - 1], 5);
  EXPECT_EQ(memory.data()[(kRows - 2) * kRowBytes - 1], 0);
}

TEST_P(Large, DuplicatesBeyondFourGibibytesAreFound) {
  const auto memory = MappedMemory::anonymous(kRows * kRowBytes);
  ASSERT_NE(memory.data(), nullptr);
  MutableTensorView bytes(DType::kUint8, {kRows * kRowBytes}, memory.data());
  const Tensor indices =
      Tensor::of<std::int64_t>({3}, {kRows * kRowBytes - 1, std::int64_t{1} << 32, -1});
  const Tensor updates = Tensor::of<std::uint8_t>({3}, {1, 2, 3});
  CallOptions refusing = options();
  refusing.duplicates = Duplicates::kError;
  const auto plan = compile(onnx::ScatterElements{},
                            {TensorView(bytes).spec(), indices.spec(), updates.spec()}, refusing);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->run({bytes, indices, updates}, bytes).code(), ErrorCode::kDuplicate);
  EXPECT_EQ(memory.data()[kRows * kRowBytes - 1], 0);
}

TEST_P(Large, TensorScatterIntoACacheBeyondFourGibibytes) {
  const auto memory = MappedMemory::anonymous(kRows * kRowBytes);
  ASSERT_NE(memory.data(), nullptr);
  MutableTensorView cache(DType::kUint8, {2, kRows / 2, kRowBytes}, memory.data());
  const std::uint8_t mark = 77;
  const TensorView update(DType::kUint8, {2, 2, kRowBytes}, Strides{0, 0, 0}, &mark);
  const Tensor write = Tensor::of<std::int64_t>({2}, {0, kRows / 2 - 1});
  const auto plan = compile(onnx::TensorScatter{.mode = "circular"},
                            {TensorView(cache).spec(), update.spec(), write.spec()}, options());
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  ASSERT_TRUE(plan->run({cache, update, write}, cache).ok());
  EXPECT_EQ(memory.data()[kRows * kRowBytes - 1], mark);
  EXPECT_EQ(memory.data()[kRows / 2 * kRowBytes], mark);
  EXPECT_EQ(memory.data()[(kRows - 1) * kRowBytes - 1], 0);
}

TEST_P(Large, RankThirtyTwo) {
  Shape shape = Shape::filled(kMaxRank, 1);
  for (const int axis : {0, 7, 30, 31}) shape[axis] = 3;
  Tensor data = Tensor::allocate(DType::kInt32, shape).value();
  for (std::int32_t i = 0; i < 81; ++i) static_cast<std::int32_t*>(data.data())[i] = i;
  const auto result =
      onnx::gather(data, Tensor::of<std::int32_t>({1}, {-1}), {.axis = 7}, options());
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->shape().rank(), kMaxRank);
  EXPECT_EQ(result->values<std::int32_t>()[0], 18);
  const auto too_many =
      onnx::gather(data, Tensor::of<std::int32_t>({1, 1}, {0}), {.axis = 7}, options());
  EXPECT_EQ(too_many.error().constraint(), "ONNX-Gather-C2");
}

TEST(LargeResult, AResultBeyondTheLargestSizeIsRefused) {
  const std::uint8_t element = 0;
  const std::int64_t most = std::int64_t{1} << 40;
  const TensorView data(DType::kUint8, {most, most}, Strides{0, 0}, &element);
  const auto error = onnx::gather(data, Tensor::of<std::int64_t>({1}, {0})).error();
  EXPECT_EQ(error.constraint(), "CALL-I2");
}

INSTANTIATE_TEST_SUITE_P(Kernels, Large, ::testing::ValuesIn(supported_kernel_sets()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace windrow::tests
