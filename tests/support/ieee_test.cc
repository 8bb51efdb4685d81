#include "tests/support/ieee.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace windrow::tests {
namespace {

TEST(Ieee, EncodesFloat16) {
  EXPECT_EQ(encode_component(DType::kFloat16, 1.0), 0x3c00U);
  EXPECT_EQ(encode_component(DType::kFloat16, -0.0), 0x8000U);
  EXPECT_EQ(encode_component(DType::kFloat16, 65504), 0x7bffU);
  EXPECT_EQ(encode_component(DType::kFloat16, 65520), 0x7c00U);          // the tie goes to infinity
  EXPECT_EQ(encode_component(DType::kFloat16, std::ldexp(1, -24)), 1U);  // the least subnormal
  EXPECT_EQ(encode_component(DType::kFloat16, std::ldexp(1, -25)), 0U);  // a tie to even
  EXPECT_EQ(encode_component(DType::kFloat16, std::ldexp(1023.5, -24)), 0x400U);  // carries over
  EXPECT_EQ(encode_component(DType::kFloat16, 2049), 0x6800U);
  EXPECT_EQ(encode_component(DType::kFloat16, 2051), 0x6802U);
}

TEST(Ieee, EncodesFloat32AsTheCompilerDoes) {
  for (const double value : {0.1, -3e-40, 1e39, 16777217.0, -1.0 / 3})
    EXPECT_EQ(encode_component(DType::kFloat32, value),
              std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

TEST(Ieee, DecodesWhatItEncodes) {
  for (const DType type : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    for (const double value : {0.0, 1.5, -2.0, std::ldexp(1, -14)})
      EXPECT_EQ(decode_component(type, encode_component(type, value)), value);
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(decode_component(type, encode_component(type, -infinity)), -infinity);
    EXPECT_TRUE(std::isnan(decode_component(type, encode_component(type, std::nan("")))));
  }
}

}  // namespace
}  // namespace windrow::tests
