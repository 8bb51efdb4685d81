#include "src/base/element.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "windrow/element.h"

namespace windrow {
namespace {

std::string text_of_byte(DType dtype, std::uint8_t byte) {
  return to_text(element_at(dtype, &byte, 0));
}

TEST(Element, EachSmallFloatTypeHasItsOwnValues) {
  EXPECT_EQ(text_of_byte(DType::kFloat8E4M3FN, 0x38), "1");
  EXPECT_EQ(text_of_byte(DType::kFloat8E4M3FNUZ, 0x38), "0.5");
  EXPECT_EQ(text_of_byte(DType::kFloat8E4M3FNUZ, 0x80), "nan");
  EXPECT_EQ(text_of_byte(DType::kFloat8E5M2, 0x3c), "1");
  EXPECT_EQ(text_of_byte(DType::kFloat8E5M2FNUZ, 0x3c), "0.5");
  EXPECT_EQ(text_of_byte(DType::kFloat8E8M0, 0x80), "2");
  EXPECT_EQ(text_of_byte(DType::kFloat4E2M1, 0x07), "6");
}

TEST(Element, CodesAndSingleBits) {
  const std::array<std::uint8_t, 1> byte = {0x4a};
  EXPECT_EQ(to_text(element_at(DType::kNF4, byte.data(), 1)), "4");
  EXPECT_EQ(to_text(element_at(DType::kInt4, byte.data(), 0)), "-6");
  EXPECT_EQ(to_text(element_at(DType::kUint1, byte.data(), 1)), "1");
  EXPECT_EQ(to_text(element_at(DType::kUint2, byte.data(), 0)), "2");
  EXPECT_EQ(to_text(element_at(DType::kUint2, byte.data(), 3)), "1");
}

TEST(Element, FloatsAreWrittenWithoutAnExponentWhereThatIsShort) {
  EXPECT_EQ(to_text(100000.0F), "100000");
  EXPECT_EQ(to_text(0.001), "0.001");
  EXPECT_EQ(to_text(1e20), "1e+20");
  EXPECT_EQ(to_text(-0.0F), "-0");
  EXPECT_EQ(to_text(std::complex<float>(1, -2)), "1-2j");
}

TEST(Element, StringsAreQuotedAndCutBetweenCharacters) {
  EXPECT_EQ(to_text(std::string("a\"b\n")), "\"a\\\"b\\n\"");
  const std::string text = to_text(std::string(39, 'x') + "\u00e9");
  EXPECT_EQ(text, "\"" + std::string(39, 'x') + "\"...");
}

}  // namespace
}  // namespace windrow

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

TEST(Packed, TwoBitElementsBeginInTheLowestBits) {
  std::array<std::uint8_t, 2> bytes = {0xe4, 0x01};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(get_packed(DType::kUint2, bytes.data(), i), i < 4 ? i : 1);
  set_packed(DType::kUint2, bytes.data(), 1, 0xff);
  set_packed(DType::kUint2, bytes.data(), 7, 0x02);
  EXPECT_EQ(bytes[0], 0xec);
  EXPECT_EQ(bytes[1], 0x81);
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
