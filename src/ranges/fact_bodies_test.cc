#include "src/ranges/fact_bodies.h"

#include <string>
#include <vector>

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Claims : public FactsFixture {
 protected:
  // What infer_others says of a value of the main graph.
  void claim(const std::string& name, DType type, const std::vector<std::string>& extents) {
    claimed["main"][name] = {name, type, dims(extents)};
    options.infer = {[this](const Model&) -> Result<GraphValueInfos> { return claimed; }};
  }
  // Makes inference ask: it does so only for gathers and scatters.
  void gather(const std::string& from) {
    number("zero", 0);
    node("Gather", {from, "zero"}, {"gathered"});
  }
  std::string type_premises(const std::string& name) {
    std::string result;
    for (const int premise : fact(name).type_premises) result += extents.premise_text(premise);
    return result;
  }

  GraphValueInfos claimed;
};

TEST_F(Claims, WhatIsReadOfAClaimedShapeHasItsPremise) {
  input("x", DType::kFloat32, {"n", "3"});
  node("Custom", {"x"}, {"y"});
  node("Neg", {"y"}, {"z"});
  node("Shape", {"z"}, {"shape"});
  node("ArgMax", {"z"}, {"best"});
  gather("z");
  claim("y", DType::kFloat32, {"x.shape[0]", "7"});
  claim("z", DType::kFloat32, {"5", "9"});
  const std::string premise = " if y (Custom) has the shape float32[x.shape[0], 7], as onnx infers";
  EXPECT_EQ(shape("y"), "[x.shape[0], 7]" + premise);
  EXPECT_EQ(type_premises("y"), premise.substr(4));
  EXPECT_EQ(shape("z"), "[x.shape[0], 7]" + premise);
  EXPECT_EQ(text("shape"), "x.shape[0]..x.shape[0] 7..7" + premise);
  EXPECT_EQ(text("best"), "0..x.shape[0]-1" + premise);
  EXPECT_EQ(shape("gathered"), "[7]" + premise);
}

TEST_F(Claims, AnIntervalForAllElementsRestsOnTypesAlone) {
  input("x", DType::kInt64, {"4", "n"});
  number("low", 0);
  number("high", 9);
  node("DepthToSpace", {"x"}, {"y"});
  node("Clip", {"y", "low", "high"}, {"clipped"});
  node("Custom", {"x"}, {"mask"});
  node("Where", {"mask", "clipped", "clipped"}, {"chosen"});
  gather("mask");
  claim("y", DType::kInt64, {"9", ""});
  claim("mask", DType::kBool, {"9", "n"});
  EXPECT_EQ(shape("clipped"),
            "[9, y.shape[1]] if y (DepthToSpace) has the shape int64[9, ?], as onnx infers");
  EXPECT_EQ(text("clipped"), "0..9");
  EXPECT_EQ(text("chosen"), "0..9 if mask (Custom) has the shape bool[9, n], as onnx infers");
}

TEST_F(Claims, AreDroppedWhereOurRulesSayOtherwise) {
  input("x", DType::kFloat32, {"4", "n"});
  node("Relu", {"x"}, {"y"});
  node("Custom", {"y"}, {"z"});
  gather("z");
  claim("y", DType::kFloat64, {"9"});
  claim("z", DType::kFloat32, {"9"});
  EXPECT_EQ(shape("y"), "[4, x.shape[1]]");
  EXPECT_EQ(fact("y").dtype, DType::kFloat32);
}

TEST_F(Claims, OfUnknownExtentsAreAddedToAKnownRank) {
  input("x", DType::kFloat32, {"4", "n"});
  node("DepthToSpace", {"x"}, {"y"});
  node("Custom", {"y"}, {"z"});
  gather("z");
  claim("y", DType::kFloat32, {"9", ""});
  EXPECT_EQ(shape("y"),
            "[9, y.shape[1]] if y (DepthToSpace) has the shape float32[9, ?], as onnx infers");
  EXPECT_EQ(type_premises("y"), "");
}

}  // namespace
}  // namespace windrow::internal
