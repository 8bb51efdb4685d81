#include "windrow/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/shape.h"

namespace windrow {
namespace {

TEST(DType, NameAndParseAreInverse) {
#define WINDROW_DTYPE(enumerator, name, bits, kind, ...) \
  EXPECT_EQ(dtype_name(DType::enumerator), name);        \
  EXPECT_EQ(parse_dtype(name), DType::enumerator);       \
  EXPECT_EQ(dtype_bits(DType::enumerator), int(bits));   \
  EXPECT_EQ(dtype_kind(DType::enumerator), DTypeKind::kind);
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
}

TEST(DType, AbsentHasNoBitsAndIsNotParsed) {
  EXPECT_EQ(dtype_bits(DType::kAbsent), 0);
  EXPECT_EQ(dtype_name(DType::kAbsent), "absent");
  EXPECT_EQ(dtype_kind(DType::kAbsent), DTypeKind::kAbsent);
  EXPECT_EQ(parse_dtype("absent"), std::nullopt);
  EXPECT_EQ(parse_dtype("float"), std::nullopt);
}

TEST(DType, PackedAndIntegerTypes) {
  EXPECT_TRUE(is_packed(DType::kInt4));
  EXPECT_TRUE(is_packed(DType::kUint4));
  EXPECT_TRUE(is_packed(DType::kFloat4E2M1));
  EXPECT_TRUE(is_packed(DType::kUint2));
  EXPECT_FALSE(is_packed(DType::kAbsent));
  EXPECT_FALSE(is_packed(DType::kInt8));
  EXPECT_TRUE(is_integer(DType::kInt4));
  EXPECT_TRUE(is_integer(DType::kUint64));
  EXPECT_FALSE(is_integer(DType::kBool));
  EXPECT_FALSE(is_integer(DType::kFloat32));
}

TEST(DType, OfCppTypesHasTheirSize) {
  EXPECT_EQ(dtype_bits(dtype_of<bool>::value), 8);
  EXPECT_EQ(dtype_bits(dtype_of<std::int32_t>::value), 32);
  EXPECT_EQ(dtype_bits(dtype_of<double>::value), 64);
  EXPECT_EQ(dtype_bits(dtype_of<std::string>::value), int(8 * sizeof(std::string)));
}

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Dims, AppendStopsAtTheLargestRank) {
  Dims dims = Dims::filled(kMaxRank - 1, 2);
  EXPECT_FALSE(dims.append(Dims{1, 2, 3}, 0, 2));
  EXPECT_EQ(dims.rank(), kMaxRank - 1);
  EXPECT_TRUE(dims.append(Dims{1, 2, 3}, 2, 3));
  EXPECT_EQ(dims.back(), 3);
  EXPECT_FALSE(dims.push_back(1));
  EXPECT_EQ(dims.rank(), kMaxRank);
}

TEST(Dims, EqualIfRankAndValuesAre) {
  EXPECT_EQ((Dims{2, 3}), (Dims{2, 3}));
  EXPECT_NE((Dims{2, 3}), (Dims{2, 3, 1}));
  EXPECT_NE((Dims{2, 3}), (Dims{3, 2}));
  EXPECT_EQ(Dims{}, Dims{});
}

TEST(ElementCount, MultipliesExtents) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({kMax}), kMax);
}

TEST(ElementCount, AZeroExtentWinsOverOverflow) {
  EXPECT_EQ(element_count({kMax, 0, 1}), 0);
  EXPECT_EQ(element_count({kMax, kMax, 0}), 0);
}

TEST(ElementCount, NothingForNegativeExtentOrOverflow) {
  EXPECT_EQ(element_count({2, -1}), std::nullopt);
  EXPECT_EQ(element_count({0, -1}), std::nullopt);
  EXPECT_EQ(element_count({kMax, 2}), std::nullopt);
}

TEST(RowMajorStrides, CountBytes) {
  EXPECT_EQ(row_major_strides({2, 3, 4}, 8), (Strides{96, 32, 8}));
  EXPECT_EQ(row_major_strides({}, 8), Strides{});
}

TEST(RowMajorStrides, OfNoElementsAreNeverZeroAndDoNotOverflow) {
  EXPECT_EQ(row_major_strides({5, 0}, 4), (Strides{4, 4}));
  EXPECT_EQ(row_major_strides({kMax, 0, kMax}, 4), (Strides{4, 4, 4}));
}

TEST(ToString, OfDims) {
  EXPECT_EQ(to_string(Dims{}), "[]");
  EXPECT_EQ(to_string(Dims{2, -3}), "[2, -3]");
}

template <class T>
std::vector<T> to_vector(const Tensor& tensor) {
  return {tensor.values<T>().begin(), tensor.values<T>().end()};
}

TEST(Tensor, AllocationsAreAligned) {
  for (const std::int64_t n : {0, 1, 7, 1000}) {
    const Tensor tensor = Tensor::allocate(DType::kInt8, {n}).value();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64, 0U);
    EXPECT_EQ(tensor.byte_count(), n);
  }
}

TEST(Tensor, ZerosAreZero) {
  const Tensor numbers = Tensor::zeros(DType::kInt32, {2, 2}).value();
  EXPECT_EQ(to_vector<std::int32_t>(numbers), (std::vector<std::int32_t>{0, 0, 0, 0}));
  const Tensor strings = Tensor::zeros(DType::kString, {2}).value();
  EXPECT_EQ(to_vector<std::string>(strings), (std::vector<std::string>{"", ""}));
}

TEST(Tensor, RefusesImpossibleShapes) {
  EXPECT_EQ(Tensor::allocate(DType::kInt8, {-1}).error().code(), ErrorCode::kShape);
  EXPECT_EQ(Tensor::allocate(DType::kInt32, {kMax}).error().code(), ErrorCode::kShape);
  EXPECT_EQ(Tensor::allocate(DType::kAbsent, {1}).error().code(), ErrorCode::kType);
}

TEST(Tensor, SaysWhenThereIsNoMemory) {
  const Status error = Tensor::allocate(DType::kInt8, {std::int64_t{1} << 60}).error();
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_EQ(error.message(), "tensor: could not allocate 1152921504606846976 bytes");
}

TEST(Tensor, OfNoElementsMayHaveHugeExtents) {
  const Tensor tensor = Tensor::zeros(DType::kFloat32, {kMax, 0, 1}).value();
  EXPECT_EQ(tensor.element_count(), 0);
  EXPECT_EQ(tensor.clone().value().shape(), (Shape{kMax, 0, 1}));
}

TEST(Tensor, OfChecksTheCount) {
  EXPECT_THROW(Tensor::of<float>({2, 2}, {1, 2, 3}), Error);
  EXPECT_EQ(Tensor::of<float>({}, {5}).values<float>()[0], 5);
}

TEST(Tensor, CopyOfFollowsStrides) {
  const std::array<std::int16_t, 6> values = {0, 1, 2, 3, 4, 5};
  const TensorView transposed(DType::kInt16, {3, 2}, Strides{2, 6}, values.data());
  EXPECT_EQ(to_vector<std::int16_t>(Tensor::copy_of(transposed).value()),
            (std::vector<std::int16_t>{0, 3, 1, 4, 2, 5}));
  const TensorView reversed(DType::kInt16, {6}, Strides{-2}, &values[5]);
  EXPECT_EQ(to_vector<std::int16_t>(Tensor::copy_of(reversed).value()),
            (std::vector<std::int16_t>{5, 4, 3, 2, 1, 0}));
  const TensorView repeated(DType::kInt16, {2, 3}, Strides{0, 2}, &values[1]);
  EXPECT_EQ(to_vector<std::int16_t>(Tensor::copy_of(repeated).value()),
            (std::vector<std::int16_t>{1, 2, 3, 1, 2, 3}));
  const TensorView gapped(DType::kInt16, {2, 2}, Strides{6, 2}, &values[1]);
  EXPECT_EQ(to_vector<std::int16_t>(Tensor::copy_of(gapped).value()),
            (std::vector<std::int16_t>{1, 2, 4, 5}));
}

TEST(Tensor, CopyOfUnalignedData) {
  std::array<std::byte, 9> bytes{};
  const std::array<std::int32_t, 2> values = {-7, 123456};
  std::memcpy(&bytes[1], values.data(), sizeof values);
  const TensorView view(DType::kInt32, {2}, &bytes[1]);
  EXPECT_EQ(to_vector<std::int32_t>(Tensor::copy_of(view).value()),
            (std::vector<std::int32_t>{-7, 123456}));
}

TEST(Tensor, CopyOfStrings) {
  const Tensor strings = Tensor::of<std::string>(
      {2, 2}, {"a", "a string that is too long to stand in place", "", "d"});
  const TensorView transposed(DType::kString, {2, 2},
                              Strides{sizeof(std::string), 2 * sizeof(std::string)},
                              strings.data());
  EXPECT_EQ(
      to_vector<std::string>(Tensor::copy_of(transposed).value()),
      (std::vector<std::string>{"a", "", "a string that is too long to stand in place", "d"}));
}

TEST(Tensor, CopyOfPackedElementsCopiesWholeBytes) {
  const std::array<std::uint8_t, 2> bytes = {0x21, 0x03};
  const Tensor copy = Tensor::copy_of(TensorView(DType::kInt4, {3}, bytes.data())).value();
  EXPECT_EQ(copy.byte_count(), 2);
  EXPECT_EQ(std::memcmp(copy.data(), bytes.data(), 2), 0);
}

TEST(Tensor, AdoptKeepsTheOwnerAlive) {
  auto owner = std::make_shared<std::array<float, 2>>(std::array<float, 2>{1, 2});
  const std::weak_ptr<std::array<float, 2>> watch = owner;
  {
    const Tensor tensor = Tensor::adopt(DType::kFloat32, {2}, owner->data(), owner);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(tensor.values<float>()[1], 2);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(TensorView, IsDenseIgnoresStridesThatMoveNothing) {
  const float value = 0;
  EXPECT_TRUE(TensorView(DType::kFloat32, {2, 3}, &value).is_dense());
  EXPECT_TRUE(TensorView(DType::kFloat32, {}, &value).is_dense());
  EXPECT_TRUE(TensorView(DType::kFloat32, {1, 3}, Strides{-999, 4}, &value).is_dense());
  EXPECT_TRUE(TensorView(DType::kFloat32, {0, 3}, Strides{7, 7}, &value).is_dense());
  EXPECT_TRUE(TensorView(DType::kInt4, {2, 3}, &value).is_dense());
  EXPECT_FALSE(TensorView(DType::kFloat32, {2, 3}, Strides{16, 4}, &value).is_dense());
  EXPECT_FALSE(TensorView(DType::kFloat32, {2}, Strides{0}, &value).is_dense());
}

TEST(TensorView, SpecHasStridesOnlyWhereNeeded) {
  const float value = 0;
  EXPECT_EQ(TensorView(DType::kFloat32, {2, 3}, &value).spec().strides, std::nullopt);
  const TensorSpec spec = TensorView(DType::kFloat32, {2, 3}, Strides{16, 4}, &value).spec();
  EXPECT_EQ(spec.strides, (Strides{16, 4}));
  EXPECT_EQ(spec.shape, (Shape{2, 3}));
  EXPECT_TRUE(TensorView().spec().is_absent());
}

TEST(DenseByteCount, RoundsPackedTypesUp) {
  EXPECT_EQ(dense_byte_count(DType::kInt4, {3}), 2);
  EXPECT_EQ(dense_byte_count(DType::kUint4, {kMax}), kMax / 2 + 1);
  EXPECT_EQ(dense_byte_count(DType::kComplex128, {2, 2}), 64);
  EXPECT_EQ(dense_byte_count(DType::kInt16, {kMax}), std::nullopt);
}

}  // namespace
}  // namespace windrow
