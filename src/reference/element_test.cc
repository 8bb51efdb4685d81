#include "src/reference/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace windrow::internal::reference {
namespace {

TEST(Positions, AreVisitedInRowMajorOrder) {
  std::vector<std::string> seen;
  for_each_position(Shape{2, 1, 2}, [&](const Position& p) {
    seen.push_back(to_string(p));
    return true;
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"[0, 0, 0]", "[0, 0, 1]", "[1, 0, 0]", "[1, 0, 1]"}));
}

TEST(Positions, RankZeroHasOneAndEmptyShapesNone) {
  int visits = 0;
  const auto count = [&](const Position&) {
    ++visits;
    return true;
  };
  for_each_position(Shape{}, count);
  EXPECT_EQ(visits, 1);
  for_each_position(Shape{3, 0}, count);
  EXPECT_EQ(visits, 1);
}

TEST(Positions, StopWhenTheVisitorSaysSo) {
  int visits = 0;
  for_each_position(Shape{10}, [&](const Position&) { return ++visits < 3; });
  EXPECT_EQ(visits, 3);
}

TEST(Positions, FlatIndexAndBack) {
  EXPECT_EQ(flat_index(Shape{2, 3, 4}, Position{1, 2, 3}), 23);
  EXPECT_EQ(position_of(Shape{2, 3, 4}, 23), (Position{1, 2, 3}));
  EXPECT_EQ(position_of(Shape{}, 0), Position{});
}

TEST(ReadElement, FollowsStrides) {
  const std::array<std::int16_t, 4> values = {1, 2, 3, 4};
  const TensorView view(DType::kInt16, {2, 2}, Strides{-4, 2}, &values[2]);
  EXPECT_EQ(std::to_integer<int>(read_element(view, Position{1, 1}).bits[0]), 2);
}

TEST(ReadAndWriteElement, PackedTypes) {
  const std::array<std::uint8_t, 2> bytes = {0x21, 0x03};
  const TensorView view(DType::kInt4, {3}, bytes.data());
  Tensor copy = Tensor::zeros(DType::kInt4, {3}).value();
  for_each_position(view.shape, [&](const Position& p) {
    write_element(copy, p, read_element(view, p));
    return true;
  });
  EXPECT_EQ(std::memcmp(copy.data(), bytes.data(), 2), 0);
}

TEST(ReadIndex, OfBothTypesUnaligned) {
  std::array<std::byte, 9> bytes{};
  const std::int32_t small = -5;
  std::memcpy(&bytes[1], &small, sizeof small);
  EXPECT_EQ(read_index(TensorView(DType::kInt32, {1}, &bytes[1]), Position{0}), -5);
  const std::int64_t large = std::int64_t{-1} << 40;
  std::memcpy(&bytes[1], &large, sizeof large);
  EXPECT_EQ(read_index(TensorView(DType::kInt64, {1}, &bytes[1]), Position{0}), large);
}

TEST(ReadIndex, OfSmallAndUnsignedTypes) {
  const std::array<std::uint8_t, 8> bytes = {0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const auto read = [&](DType dtype, std::int64_t place) {
    return read_index(TensorView(dtype, {place + 1}, bytes.data()), Position{place});
  };
  EXPECT_EQ(read(DType::kInt4, 0), 7);
  EXPECT_EQ(read(DType::kInt4, 1), -1);
  EXPECT_EQ(read(DType::kUint4, 1), 15);
  EXPECT_EQ(read(DType::kInt8, 0), -9);
  EXPECT_EQ(read(DType::kUint8, 0), 0xf7);
  EXPECT_EQ(read(DType::kInt16, 0), -9);
  EXPECT_EQ(read(DType::kUint16, 0), 0xfff7);
  EXPECT_EQ(read(DType::kUint32, 0), 0xfffffff7);
  EXPECT_EQ(read(DType::kUint64, 0), std::numeric_limits<std::int64_t>::max());
}

template <class T>
std::int64_t index_of(DType dtype, T bits) {
  return read_index(TensorView(dtype, {}, &bits), {});
}

TEST(ReadIndex, CutsFloatsTowardZero) {
  EXPECT_EQ(index_of(DType::kFloat32, 2.9F), 2);
  EXPECT_EQ(index_of(DType::kFloat32, -0.5F), 0);
  EXPECT_EQ(index_of(DType::kFloat64, -2.9), -2);
  EXPECT_EQ(index_of(DType::kFloat64, 0x1.fffffffffffffp62), std::int64_t{0x7ffffffffffffc00});
  EXPECT_EQ(index_of(DType::kFloat16, std::uint16_t{0x4100}), 2);  // 2.5
  EXPECT_EQ(index_of(DType::kFloat16, std::uint16_t{0xfbff}), -65504);
}

TEST(ReadIndex, AFloatThatNoInt64HoldsIsTheLowestIndex) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  for (const double value :
       {0x1p63, -0x1p63, 1e30, -1e30, std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(index_of(DType::kFloat64, value), kLowest);
    EXPECT_EQ(index_of(DType::kFloat32, static_cast<float>(value)), kLowest);
  }
  EXPECT_EQ(index_of(DType::kFloat16, std::uint16_t{0x7c00}), kLowest);  // infinity
}

}  // namespace
}  // namespace windrow::internal::reference
