#include "src/base/packed.h"

#include <gtest/gtest.h>

#include <array>

namespace windrow::internal {
namespace {

TEST(Packed, FourBitElementsBeginInTheLowHalf) {
  std::array<std::uint8_t, 2> bytes = {0x21, 0x43};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(get_packed(DType::kInt4, bytes.data(), i), i + 1);
  set_packed(DType::kUint4, bytes.data(), 1, 0xff);
  set_packed(DType::kNF4, bytes.data(), 2, 0x0a);
  EXPECT_EQ(bytes[0], 0xf1);
  EXPECT_EQ(bytes[1], 0x4a);
}

TEST(Packed, SingleBitsBeginAtTheTop) {
  std::array<std::uint8_t, 2> bytes = {0x81, 0x40};
  for (const int one : {0, 7, 9}) EXPECT_EQ(get_packed(DType::kUint1, bytes.data(), one), 1);
  for (const int zero : {1, 6, 8, 10}) EXPECT_EQ(get_packed(DType::kUint1, bytes.data(), zero), 0);
  set_packed(DType::kUint1, bytes.data(), 0, 0);
  set_packed(DType::kUint1, bytes.data(), 15, 0xff);
  EXPECT_EQ(bytes[0], 0x01);
  EXPECT_EQ(bytes[1], 0x41);
}

}  // namespace
}  // namespace windrow::internal
