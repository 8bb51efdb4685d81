#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

using List = std::vector<std::int64_t>;

class Windows : public FactsFixture {
 protected:
  Windows() { input("x", DType::kFloat32, {"n", "8", "7", "h"}); }
  void pool(const std::string& name, Attributes attributes) {
    attributes.emplace("kernel_shape", List{2, 2});
    node("MaxPool", {"x"}, {name}, std::move(attributes));
  }
};

TEST_F(Windows, ExplicitPaddingAndStrides) {
  pool("y", {{"strides", List{3, 1}}, {"pads", List{1, 0, 1, 1}}});
  EXPECT_EQ(shape("y"), "[x.shape[0], 8, 3, x.shape[3]]");
}

// Where the last place may begin in the padding, runtimes differ.
TEST_F(Windows, RoundingUpGivesAnInterval) {
  pool("y", {{"strides", List{3, 1}}, {"pads", List{1, 0, 1, 1}}, {"ceil_mode", std::int64_t{1}}});
  node("Shape", {"y"}, {"shape"});
  EXPECT_EQ(fact("y").dims->at(2).low, 3);
  EXPECT_EQ(fact("y").dims->at(2).high, 4);
  EXPECT_EQ(text(fact("shape").range.integers[2]), "y.shape[2]..y.shape[2]");
}

TEST_F(Windows, PaddingThatKeepsExtentsKeepsUnknownOnes) {
  pool("y", {{"strides", List{3, 1}}, {"auto_pad", std::string("SAME_UPPER")}});
  EXPECT_EQ(shape("y"), "[x.shape[0], 8, 3, x.shape[3]]");
}

// Runtimes differ on dilations beside this padding, and on padding that is given twice.
TEST_F(Windows, WhatRuntimesDifferOnProvesNothing) {
  pool("dilated", {{"dilations", List{2, 2}}, {"auto_pad", std::string("SAME_UPPER")}});
  pool("twice", {{"pads", List{1, 1, 1, 1}}, {"auto_pad", std::string("VALID")}});
  EXPECT_EQ(shape("dilated"), "[x.shape[0], 8, dilated.shape[2], dilated.shape[3]]");
  EXPECT_EQ(shape("twice"), "[x.shape[0], 8, twice.shape[2], twice.shape[3]]");
}

TEST_F(Windows, AttributesThatFitNoAxesProveNothing) {
  pool("y", {{"strides", List{0, 1}}});
  input("w", DType::kFloat32, {"m", "8", "a", "b"});
  node("Conv", {"x", "w"}, {"z"}, {{"kernel_shape", List{2}}});
  EXPECT_EQ(shape("y"), "[x.shape[0], 8, y.shape[2], y.shape[3]]");
  EXPECT_EQ(shape("z"), "[x.shape[0], w.shape[0], z.shape[2], z.shape[3]]");
}

TEST_F(Windows, ConvolutionsHaveTheChannelsOfTheirFilters) {
  input("w", DType::kFloat32, {"4", "8", "3", "1"});
  input("t", DType::kFloat32, {"8", "3", "3", "1"});
  node("Conv", {"x", "w"}, {"y"});
  node("ConvTranspose", {"x", "t"}, {"z"}, {{"group", std::int64_t{2}}});
  EXPECT_EQ(shape("y"), "[x.shape[0], 4, 5, x.shape[3]]");
  EXPECT_EQ(shape("z"), "[x.shape[0], 6, 9, z.shape[3]]");
}

}  // namespace
}  // namespace windrow::internal
