#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Movements : public FactsFixture {
 protected:
  using List = std::vector<std::int64_t>;
};

TEST_F(Movements, ReshapeKeepsSingleElements) {
  list("a", {1, 2, 3, 4});
  list("shape", {2, -1});
  node("Reshape", {"a", "shape"}, {"b"});
  EXPECT_EQ(text("b"), "1..1 2..2 3..3 4..4");
  EXPECT_EQ(shape("b"), "[2, 2]");
}

TEST_F(Movements, ReshapeKeepsAnAxisThatStays) {
  input("x", DType::kFloat32, {"n", "5"});
  list("rows", {2, -1, 1});
  list("flat", {-1});
  node("NonZero", {"x"}, {"found"});
  node("Reshape", {"found", "rows"}, {"kept"});
  node("Reshape", {"found", "flat"}, {"mixed"});
  EXPECT_EQ(text("kept"), "0..x.shape[0]-1 0..4");
  EXPECT_EQ(shape("kept"), "[2, found.shape[1], 1]");
  EXPECT_EQ(fact("mixed").range.integers.size(), 1U);
}

// 0 means the extent of the data, also where it is an extent of the model that is 0 in a run.
TEST_F(Movements, ReshapeTakesAnExtentForItself) {
  input("x", DType::kFloat32, {"n", "6"});
  input("y", DType::kFloat32, {"m"});
  list("two", {2});
  list("zero", {0, 3, 2});
  list("axis", {0});
  list("front", {0});
  list("one", {1});
  node("Shape", {"x"}, {"x_shape"});
  node("Slice", {"x_shape", "front", "one"}, {"n"});
  node("Shape", {"y"}, {"m"});
  list("rest", {-1});
  node("Concat", {"n", "rest"}, {"own"}, {{"axis", std::int64_t{0}}});
  node("Concat", {"m", "rest"}, {"foreign"}, {{"axis", std::int64_t{0}}});
  node("Reshape", {"x", "own"}, {"a"});
  node("Reshape", {"x", "foreign"}, {"b"});
  node("Reshape", {"x", "zero"}, {"c"});
  EXPECT_EQ(shape("a"), "[x.shape[0], 6]");
  EXPECT_EQ(shape("b"), "[b.shape[0], b.shape[1]]");
  EXPECT_EQ(shape("c"), "[x.shape[0], 3, 2]");
}

TEST_F(Movements, FlattenMultipliesTheExtentsOfEachHalf) {
  input("y", DType::kFloat32, {"a", "b", "c", "d"});
  for (const std::int64_t axis : {0, 1, 2, 4})
    node("Flatten", {"y"}, {"flat" + std::to_string(axis)}, {{"axis", axis}});
  EXPECT_EQ(shape("flat0"), "[1, flat0.shape[1]]");
  EXPECT_EQ(shape("flat1"), "[y.shape[0], flat1.shape[1]]");
  EXPECT_EQ(shape("flat4"), "[flat4.shape[0], 1]");
  const auto is_product = [this](const Dim& dim, const char* first, const char* second) {
    const ExtentBound bound{extents.find(second), -1, 1, extents.find(first), 0};
    Premises premises;
    return extents.is_below({0, Interval::kHighest, {}, bound}, dim, premises);
  };
  const std::vector<Dim>& halves = *fact("flat2").dims;
  EXPECT_TRUE(is_product(halves[0], "y.shape[0]", "y.shape[1]"));
  EXPECT_TRUE(is_product(halves[1], "y.shape[2]", "y.shape[3]"));
  EXPECT_FALSE(is_product(halves[1], "y.shape[1]", "y.shape[2]"));
  EXPECT_FALSE(is_product(fact("flat1").dims->back(), "y.shape[1]", "y.shape[2]"));
}

TEST_F(Movements, TransposeMovesElements) {
  constant("a", {1, 2, 3, 4, 5, 6}, {2, 3});
  node("Transpose", {"a"}, {"b"});
  node("Transpose", {"a"}, {"c"}, {{"perm", List{0, 2}}});
  EXPECT_EQ(text("b"), "1..1 4..4 2..2 5..5 3..3 6..6");
  EXPECT_EQ(text("c"), "1..6");
}

TEST_F(Movements, ExpandKeepsColumnsUnderUnknownRows) {
  input("x", DType::kFloat32, {"n"});
  constant("a", {1, 2}, {1, 2});
  list("two", {1});
  node("Shape", {"x"}, {"n"});
  node("Concat", {"n", "two"}, {"wanted"}, {{"axis", std::int64_t{0}}});
  node("Expand", {"a", "wanted"}, {"b"});
  EXPECT_EQ(text("b"), "1..1 2..2");
  EXPECT_EQ(shape("b"), "[x.shape[0], 2]");
}

TEST_F(Movements, TileRepeats) {
  list("a", {1, 2});
  list("three", {3});
  list("none", {0});
  node("Tile", {"a", "three"}, {"b"});
  node("Tile", {"a", "none"}, {"c"});
  EXPECT_EQ(text("b"), "1..1 2..2 1..1 2..2 1..1 2..2");
  EXPECT_EQ(shape("c"), "[0]");
}

TEST_F(Movements, SlicesGoBackwards) {
  list("a", {1, 2, 3, 4, 5});
  list("from", {-2});
  list("to", {-9});
  list("axis", {0});
  list("by", {-2});
  node("Slice", {"a", "from", "to", "axis", "by"}, {"b"});
  EXPECT_EQ(text("b"), "4..4 2..2");
  EXPECT_EQ(shape("b"), "[2]");
}

// Runtimes treat the largest number as the front of the axis, and the specification as its end.
TEST_F(Movements, SlicesOnWhichRuntimesDifferAreNotKnown) {
  list("a", {1, 2, 3});
  list("from", {-1});
  list("before", {-9});
  list("to", {Interval::kHighest});
  list("axis", {0});
  list("by", {-1});
  node("Slice", {"a", "from", "to", "axis", "by"}, {"b"});
  node("Slice", {"a", "before", "from", "axis", "by"}, {"c"});
  EXPECT_EQ(shape("b"), "[b.shape[0]]");
  EXPECT_EQ(text("b"), "1..3");
  EXPECT_EQ(shape("c"), "[c.shape[0]]");
}

TEST_F(Movements, SlicesOfUnknownExtentsAreBounded) {
  input("x", DType::kInt64, {"n", "3"});
  list("start", {0});
  list("end", {Interval::kHighest});
  list("four", {4});
  list("axis", {0});
  node("Slice", {"x", "start", "end", "axis"}, {"whole"});
  node("Slice", {"x", "start", "four", "axis"}, {"head"});
  EXPECT_EQ(shape("whole"), "[x.shape[0], 3]");
  EXPECT_EQ(shape("head"), "[head.shape[0], 3]");
  EXPECT_EQ(extents.extent_of((*fact("head").dims)[0]).high, 4);
  EXPECT_EQ(fact("head").source_input, "x");
}

TEST_F(Movements, PartsOfASplitAreApart) {
  list("a", {1, 2, 3, 4, 5});
  list("sizes", {1, 4});
  node("Split", {"a", "sizes"}, {"b", "c"});
  node("Split", {"a"}, {"d", "e", "f"}, {{"num_outputs", std::int64_t{3}}});
  EXPECT_EQ(text("b"), "1..1");
  EXPECT_EQ(text("c"), "2..2 3..3 4..4 5..5");
  EXPECT_EQ(text("e"), "3..3 4..4");
  EXPECT_EQ(text("f"), "5..5");
}

TEST_F(Movements, ConcatTellsColumnsApart) {
  input("i", DType::kUint8, {"n", "1"});
  input("j", DType::kUint8, {"n", "1"});
  number("nine", 9);
  node("Cast", {"i"}, {"a"}, {{"to", std::int64_t{7}}});
  node("Cast", {"j"}, {"b"}, {{"to", std::int64_t{7}}});
  node("Min", {"b", "nine"}, {"c"});
  node("Concat", {"a", "c"}, {"tuples"}, {{"axis", std::int64_t{-1}}});
  node("Concat", {"a", "c"}, {"rows"}, {{"axis", std::int64_t{0}}});
  EXPECT_EQ(text("tuples"), "0..255 0..9");
  EXPECT_EQ(text("rows"), "0..255");
}

// If nothing is known of a part, nothing is known of the whole.
TEST_F(Movements, ConcatOfAnUnknownPartHasAnUnknownExtent) {
  input("x", DType::kInt64, {"m", "1"});
  list("a", {1, 2});
  constant("b", {3, 4}, {2, 1});
  node("Unknown", {"x"}, {"u"});
  node("Concat", {"a", "u", "a"}, {"joined"}, {{"axis", std::int64_t{0}}});
  node("Concat", {"b", "x", "b"}, {"columns"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(shape("joined"), "[joined.shape[0]]");
  EXPECT_EQ(text("joined"), "?..?");
  EXPECT_EQ(text("columns"), "3..4 ?..? 3..4");
  EXPECT_EQ(shape("columns"), "[2, 3]");
}

TEST_F(Movements, SqueezeNeedsToKnowItsAxes) {
  input("x", DType::kInt64, {"1", "n", "1"});
  list("axis", {-1});
  node("Squeeze", {"x"}, {"a"});
  node("Squeeze", {"x", "axis"}, {"b"});
  node("Unsqueeze", {"b", "axis"}, {"c"});
  EXPECT_EQ(shape("a"), "?");
  EXPECT_EQ(shape("b"), "[1, x.shape[1]]");
  EXPECT_EQ(shape("c"), "[1, x.shape[1], 1]");
}

// OpenVINO's Squeeze keeps a listed axis that it cannot drop.
TEST_F(Movements, OpenVinoSqueezesOnlyExtentsOfOne) {
  model.dialect = "openvino";
  model.opset_imports.clear();
  input("x", DType::kInt64, {"1", "n", "2"});
  list("first_and_last", {0, -1});
  list("middle", {1});
  node("Squeeze", {"x", "first_and_last"}, {"a"});
  node("Squeeze", {"x", "middle"}, {"b"});
  EXPECT_EQ(shape("a"), "[x.shape[1], 2]");
  EXPECT_EQ(shape("b"), "?");
}

TEST_F(Movements, OpenVinoSlicesWithMasks) {
  model.dialect = "openvino";
  model.opset_imports.clear();
  constant("a", {1, 2, 3, 4, 5, 6}, {2, 3});
  list("begin", {1, 0});
  list("end", {0, 2});
  number("axis", 1);
  list("lengths", {1, -1});
  node("StridedSlice", {"a", "begin", "end"}, {"b"},
       {{"begin_mask", std::string("0,1")},
        {"end_mask", std::string("1,0")},
        {"shrink_axis_mask", std::string("1,0")}});
  node("StridedSlice", {"a", "begin", "end"}, {"c"}, {{"new_axis_mask", std::string("1")}});
  node("VariadicSplit", {"a", "axis", "lengths"}, {"d", "e"});
  EXPECT_EQ(text("b"), "4..4 5..5");
  EXPECT_EQ(shape("b"), "[2]");
  EXPECT_EQ(shape("c"), "?");
  EXPECT_EQ(text("c"), "1..6");
  EXPECT_EQ(text("e"), "2..2 3..3 5..5 6..6");
}

TEST_F(Movements, SelectionsKeepOneIntervalForAll) {
  input("mask", DType::kBool, {"k"});
  constant("a", {5, 6, 7, 8}, {2, 2});
  node("Compress", {"a", "mask"}, {"chosen"}, {{"axis", std::int64_t{0}}});
  node("Trilu", {"a"}, {"triangle"});
  list("pads", {0, 0, 1, 1});
  number("nine", 9);
  node("Pad", {"a", "pads", "nine"}, {"padded"});
  node("Pad", {"a", "pads"}, {"zeros"});
  node("Pad", {"a", "pads"}, {"edges"}, {{"mode", std::string("edge")}});
  EXPECT_EQ(text("chosen"), "5..8");
  EXPECT_EQ(shape("chosen"), "[chosen.shape[0], 2]");
  EXPECT_EQ(text("triangle"), "0..8");
  EXPECT_EQ(text("padded"), "5..9");
  EXPECT_EQ(text("zeros"), "0..8");
  EXPECT_EQ(text("edges"), "5..8");
}

}  // namespace
}  // namespace windrow::internal
