#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Conversions : public FactsFixture {
 protected:
  void cast(const std::string& from, const std::string& to, std::int64_t type) {
    node("Cast", {from}, {to}, {{"to", type}});
  }
  static constexpr std::int64_t kFloat32 = 1;
  static constexpr std::int64_t kUint8 = 2;
  static constexpr std::int64_t kInt32 = 6;
  static constexpr std::int64_t kInt64 = 7;
  static constexpr std::int64_t kBool = 9;
  static constexpr std::int64_t kUint32 = 12;
};

TEST_F(Conversions, NarrowingKeepsBoundsThatFit) {
  input("i", DType::kInt64, {"n"});
  number("zero", 0);
  number("byte", 255);
  number("more", 256);
  node("Clip", {"i", "zero", "byte"}, {"a"});
  node("Clip", {"i", "zero", "more"}, {"b"});
  cast("a", "fits", kUint8);
  cast("b", "wraps", kUint8);
  cast("i", "truth", kBool);
  EXPECT_EQ(text("fits"), "0..255");
  EXPECT_EQ(text("wraps"), "0..255");
  EXPECT_EQ(text("b"), "0..256");
  EXPECT_EQ(text("truth"), "0..1");
}

TEST_F(Conversions, AnExtentInANarrowTypeIsAPremise) {
  input("x", DType::kFloat32, {"n"});
  node("Shape", {"x"}, {"shape"});
  cast("shape", "narrow", kInt32);
  cast("shape", "byte", kUint8);
  EXPECT_EQ(text("narrow"), "x.shape[0]..x.shape[0] if no extent is above 2147483647");
  EXPECT_EQ(text("byte"), "0..255");
}

TEST_F(Conversions, NegativeIntegersWrapToLargeOnes) {
  number("low", -3);
  number("high", 5);
  input("i", DType::kInt64, {"n"});
  node("Clip", {"i", "low", "high"}, {"a"});
  cast("a", "unsigned", kUint32);
  EXPECT_EQ(text("unsigned"), "0..4294967295");
}

// A shape has the premises of the values that determine it, and so have values that are read of it.
TEST_F(Conversions, ShapesHaveThePremisesOfTheirParameters) {
  input("x", DType::kFloat32, {"n"});
  node("Shape", {"x"}, {"shape"});
  cast("shape", "narrow", kInt32);
  cast("narrow", "wide", kInt64);
  node("ConstantOfShape", {"wide"}, {"zeros"});
  node("ConstantOfShape", {"shape"}, {"as_x"});
  node("Shape", {"zeros"}, {"again"});
  EXPECT_EQ(shape("zeros"), "[x.shape[0]] if no extent is above 2147483647");
  EXPECT_EQ(shape("as_x"), "[x.shape[0]]");
  EXPECT_EQ(text("again"), "x.shape[0]..x.shape[0] if no extent is above 2147483647");
}

TEST_F(Conversions, IntegersBecomeFloatsOutward) {
  input("i", DType::kInt64, {"n"});
  number("low", -16777217);
  number("high", 16777217);
  node("Clip", {"i", "low", "high"}, {"clipped"});
  cast("clipped", "real", kFloat32);
  cast("real", "back", kInt64);
  EXPECT_EQ(text("back"), "-16777218..16777218");
}

TEST_F(Conversions, IndicesKeepTheirSourceInTypesThatHoldThem) {
  input("ids", DType::kInt64, {"n"});
  cast("ids", "narrow", kInt32);
  cast("ids", "unsigned", kUint32);
  cast("ids", "byte", kUint8);
  node("Identity", {"narrow"}, {"same"});
  EXPECT_EQ(fact("narrow").source_input, "ids");
  EXPECT_EQ(fact("same").source_input, "ids");
  EXPECT_EQ(fact("unsigned").source_input, "");
  EXPECT_EQ(fact("byte").source_input, "");
}

TEST_F(Conversions, UnknownTypesProveNothing) {
  input("i", DType::kInt64, {"n"});
  cast("i", "far", std::int64_t{1} << 40);
  cast("i", "text", 8);
  EXPECT_EQ(fact("far").dtype, DType::kAbsent);
  EXPECT_EQ(fact("text").dtype, DType::kString);
  EXPECT_EQ(text("text"), "");
}

TEST_F(Conversions, ConstantOfShapeHasOneValue) {
  list("dims", {2, 3});
  const auto seven = std::make_shared<const Tensor>(Tensor::of<std::int64_t>({1}, {7}));
  node("ConstantOfShape", {"dims"}, {"sevens"}, {{"value", seven}});
  EXPECT_EQ(text("sevens"), "7..7");
  EXPECT_EQ(shape("sevens"), "[2, 3]");
}

}  // namespace
}  // namespace windrow::internal
