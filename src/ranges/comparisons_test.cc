#include <utility>

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Conditions : public FactsFixture {
 protected:
  Conditions() {
    input("x", DType::kFloat32, {"rows", "3"});
    input("ids", DType::kInt64, {"k"});
    number("zero", 0);
    number("ten", 10);
    number("minus", -10);
    number("nine", 9);
    node("Clip", {"ids", "minus", "nine"}, {"i"});
    node("Add", {"i", "ten"}, {"wrapped"});
  }
};

TEST_F(Conditions, NegativeIndicesAreWrapped) {
  node("Less", {"i", "zero"}, {"is_negative"});
  node("Where", {"is_negative", "wrapped", "i"}, {"index"});
  EXPECT_EQ(text("index"), "0..9");
}

TEST_F(Conditions, TheyAreByAnExtent) {
  node("Shape", {"x"}, {"shape"});
  node("Gather", {"shape", "zero"}, {"n"});
  node("Neg", {"n"}, {"first"});
  number("one", 1);
  node("Range", {"first", "n", "one"}, {"j"});
  node("GreaterOrEqual", {"j", "zero"}, {"is_there"});
  node("Add", {"n", "j"}, {"from_end"});
  node("Where", {"is_there", "j", "from_end"}, {"index"});
  EXPECT_EQ(text("index"), "0..x.shape[0]-1");
}

TEST_F(Conditions, NegationsAndPartsOfConditionsCount) {
  node("Greater", {"zero", "ids"}, {"is_negative"});
  node("Not", {"is_negative"}, {"is_not"});
  node("Less", {"ids", "ten"}, {"is_small"});
  node("And", {"is_not", "is_small"}, {"is_valid"});
  node("Where", {"is_valid", "ids", "zero"}, {"index"});
  node("GreaterOrEqual", {"ids", "ten"}, {"is_large"});
  node("Or", {"is_negative", "is_large"}, {"is_bad"});
  node("Where", {"is_bad", "nine", "ids"}, {"other"});
  EXPECT_EQ(text("index"), "0..9");
  EXPECT_EQ(text("other"), "0..9");
}

// A part is looked for through three nodes: what more there are costs time for nothing.
TEST_F(Conditions, PartsAreNotLookedForFarAway) {
  input("other", DType::kBool, {"k"});
  node("Greater", {"zero", "i"}, {"is_negative"});
  const std::vector<std::string> kinds = {"Identity", "Not", "left", "right"};
  for (const std::string& kind : kinds) {
    std::string part = "is_negative";
    for (int depth = 1; depth <= 5; ++depth) {
      node("Where", {part, "wrapped", "i"}, {kind + " index " + std::to_string(depth)});
      const std::string inner = std::exchange(part, kind + std::to_string(depth));
      if (kind == "left") {
        node("And", {inner, "other"}, {part});
      } else if (kind == "right") {
        node("And", {"other", inner}, {part});
      } else {
        node(kind, {inner}, {part});
      }
    }
  }
  for (const std::string& kind : kinds) {
    EXPECT_EQ(text(kind + " index 3"), kind == "left" || kind == "right" ? "-10..9" : "0..9");
    if (kind != "Not") {
      EXPECT_EQ(text(kind + " index 4"), text(kind + " index 3"));
    }
    EXPECT_EQ(text(kind + " index 5"), "-10..19");
  }
}

TEST_F(Conditions, ValuesAreFollowedThroughFourNodes) {
  node("Less", {"i", "zero"}, {"is_negative"});
  std::string value = "i";
  for (int depth = 1; depth <= 5; ++depth) {
    const std::string inner = std::exchange(value, std::to_string(depth));
    node("Add", {inner, "zero"}, {value});
    node("Where", {"is_negative", "zero", value}, {"index " + value});
  }
  EXPECT_EQ(text("index 4"), "0..9");
  EXPECT_EQ(text("index 5"), "-10..9");
}

TEST_F(Conditions, APaddingNumberIsReplaced) {
  number("pad", -1);
  node("Clip", {"ids", "pad", "nine"}, {"padded"});
  node("Equal", {"padded", "pad"}, {"is_pad"});
  node("Where", {"is_pad", "zero", "padded"}, {"index"});
  EXPECT_EQ(text("index"), "0..9");
}

TEST_F(Conditions, OtherValuesAreNotNarrowed) {
  input("others", DType::kInt64, {"k"});
  node("Less", {"others", "zero"}, {"is_negative"});
  node("Where", {"is_negative", "wrapped", "i"}, {"index"});
  node("Less", {"i", "zero"}, {"condition"});
  node("Where", {"condition", "i", "wrapped"}, {"swapped"});
  EXPECT_EQ(text("index"), "-10..19");
  EXPECT_EQ(text("swapped"), "-10..19");
}

// Reversing pairs each element with the condition of another element.
TEST_F(Conditions, ElementsThatMoveAreNotNarrowed) {
  input("four", DType::kInt64, {"4"});
  list("first", {-1});
  list("last", {-100});
  list("axis", {0});
  list("down", {-1});
  node("Clip", {"four", "minus", "nine"}, {"j"});
  node("Slice", {"j", "first", "last", "axis", "down"}, {"reversed"});
  node("Less", {"j", "zero"}, {"is_negative"});
  node("Where", {"is_negative", "zero", "reversed"}, {"index"});
  EXPECT_EQ(text("index"), "-10..9 -10..9 -10..9 -10..9");
}

TEST_F(Conditions, AComparisonExcludesNaN) {
  input("y", DType::kFloat32, {"3"});
  real("low", 0);
  real("high", 5);
  node("Clip", {"x", "low", "high"}, {"bounded"});
  node("Less", {"bounded", "high"}, {"is_less"});
  node("Where", {"is_less", "bounded", "low"}, {"number"});
  node("Where", {"is_less", "low", "bounded"}, {"perhaps"});
  node("IsNaN", {"bounded"}, {"is_nan"});
  node("Where", {"is_nan", "low", "bounded"}, {"cleaned"});
  EXPECT_EQ(text("number"), "0.000000..5.000000");
  EXPECT_EQ(text("perhaps"), "0.000000..5.000000 or NaN");
  EXPECT_EQ(text("cleaned"), "0.000000..5.000000");
}

TEST_F(Conditions, AConditionThatIsKnownChoosesABranch) {
  node("Less", {"zero", "ten"}, {"yes"});
  node("Where", {"yes", "nine", "ids"}, {"chosen"});
  EXPECT_EQ(text("chosen"), "9..9");
}

TEST_F(Conditions, AssumptionsBecomePremisesOfBothBranches) {
  options.assumed["ids"] = {-3, 3};
  node("Less", {"ids", "zero"}, {"is_negative"});
  node("Where", {"is_negative", "ten", "ids"}, {"index"});
  EXPECT_EQ(text("index"), "0..10 if ids lies in -3 to 3 (assumed)");
}

}  // namespace
}  // namespace windrow::internal
