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

}  // namespace
}  // namespace windrow::internal
