#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Shapes : public FactsFixture {
 protected:
  Shapes() { input("x", DType::kFloat32, {"n", "8"}); }
};

TEST_F(Shapes, OutputsHaveTheirOwnTypes) {
  node("Dropout", {"x"}, {"kept", "mask"});
  node("DynamicQuantizeLinear", {"x"}, {"bytes", "scale", "zero"});
  EXPECT_EQ(shape("kept"), "[x.shape[0], 8]");
  EXPECT_EQ(shape("mask"), "[x.shape[0], 8]");
  EXPECT_EQ(fact("mask").dtype, DType::kBool);
  EXPECT_EQ(fact("bytes").dtype, DType::kUint8);
  EXPECT_EQ(shape("scale"), "[]");
  EXPECT_EQ(fact("scale").dtype, DType::kFloat32);
}

// A slope that is larger than the data is an error or broadcasts, depending on the runtime.
TEST_F(Shapes, ASlopeDoesNotChangeTheShape) {
  input("small", DType::kFloat32, {"8"});
  input("large", DType::kFloat32, {"3", "1", "8"});
  node("PRelu", {"x", "small"}, {"y"});
  node("PRelu", {"x", "large"}, {"z"});
  EXPECT_EQ(shape("y"), "[x.shape[0], 8]");
  EXPECT_EQ(shape("z"), "?");
}

// Runtimes multiply in float or in double: 0.7 times 10 is 7 or less.
TEST_F(Shapes, AScaleThatIsNotExactGivesAnInterval) {
  input("image", DType::kFloat32, {"n", "10"});
  model.constants.emplace("scales", Tensor::of<float>({2}, {1, 0.7F}));
  model.constants.emplace("halves", Tensor::of<float>({2}, {1, 0.5F}));
  node("Resize", {"image", "", "scales"}, {"y"});
  node("Resize", {"image", "", "halves"}, {"z"});
  EXPECT_EQ(fact("y").dims->at(1).low, 6);
  EXPECT_EQ(fact("y").dims->at(1).high, 7);
  EXPECT_EQ(shape("z"), "[image.shape[0], 5]");
}

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
