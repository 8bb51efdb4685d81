#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class IndexProducers : public FactsFixture {};

TEST_F(IndexProducers, PositionsOfExtremesLieOnTheAxis) {
  input("x", DType::kFloat32, {"n", "7"});
  node("ArgMax", {"x"}, {"first"});
  node("ArgMin", {"x"}, {"last"}, {{"axis", std::int64_t{-1}}, {"keepdims", std::int64_t{0}}});
  node("ArgMax", {"x"}, {"wrong"}, {{"axis", std::int64_t{2}}});
  EXPECT_EQ(text("first"), "0..x.shape[0]-1");
  EXPECT_EQ(shape("first"), "[1, 7]");
  EXPECT_EQ(text("last"), "0..6");
  EXPECT_EQ(shape("last"), "[x.shape[0]]");
  EXPECT_EQ(text("wrong"), "0.." + std::to_string(Extents::kLargest - 1));
  EXPECT_EQ(shape("wrong"), "?");
}

TEST_F(IndexProducers, TopKHasThePositionsOfItsAxis) {
  input("x", DType::kInt32, {"n", "m"});
  input("k", DType::kInt64, {"1"});
  list("two", {2});
  node("TopK", {"x", "two"}, {"values", "places"}, {{"axis", std::int64_t{0}}});
  node("TopK", {"x", "k"}, {"values2", "places2"});
  EXPECT_EQ(text("places"), "0..x.shape[0]-1");
  EXPECT_EQ(shape("places"), "[2, x.shape[1]]");
  EXPECT_EQ(text("values"), "-2147483648..2147483647");
  EXPECT_EQ(text("places2"), "0..x.shape[1]-1");
  EXPECT_EQ(shape("places2"), "[x.shape[0], places2.shape[1]]");
}

TEST_F(IndexProducers, RowsOfNonZeroStayApartThroughTransposeAndSlice) {
  input("x", DType::kFloat32, {"n", "5"});
  list("one", {1});
  list("two", {2});
  list("axis", {0});
  node("NonZero", {"x"}, {"found"});
  node("Transpose", {"found"}, {"tuples"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
  node("Slice", {"found", "one", "two", "axis"}, {"row"});
  node("Squeeze", {"row", "axis"}, {"columns"});
  EXPECT_EQ(text("found"), "0..x.shape[0]-1 0..4");
  EXPECT_EQ(fact("tuples").range.axis, 1);
  EXPECT_EQ(shape("tuples"), "[found.shape[1], 2]");
  EXPECT_EQ(text("columns"), "0..4");
  EXPECT_EQ(shape("columns"), "[found.shape[1]]");
}

// Runtimes return one row, and the specification asks for none.
TEST_F(IndexProducers, NonZeroOfAScalarHasNoKnownRows) {
  input("x", DType::kFloat32, {});
  input("y", DType::kFloat32, {"n"});
  model.inputs.back().dims.reset();
  node("NonZero", {"x"}, {"scalar"});
  node("NonZero", {"y"}, {"unknown"});
  EXPECT_EQ(shape("scalar"), "[scalar.shape[0], scalar.shape[1]]");
  EXPECT_EQ(shape("unknown"), "[unknown.shape[0], unknown.shape[1]]");
}

TEST_F(IndexProducers, AnExtentIsExactThroughShapeArithmetic) {
  input("x", DType::kFloat32, {"n", "5"});
  number("zero", 0);
  number("one", 1);
  node("Shape", {"x"}, {"shape"});
  node("Gather", {"shape", "zero"}, {"n"});
  node("Sub", {"n", "one"}, {"last"});
  node("Neg", {"n"}, {"first"});
  node("Sub", {"n", "last"}, {"difference"});
  EXPECT_EQ(text("shape"), "x.shape[0]..x.shape[0] 5..5");
  EXPECT_EQ(text("last"), "x.shape[0]-1..x.shape[0]-1");
  EXPECT_EQ(text("first"), "-x.shape[0]..-x.shape[0]");
  EXPECT_EQ(text("difference"), "1..1");
}

TEST_F(IndexProducers, ShapeCountsItsBoundsFromEitherEnd) {
  input("x", DType::kFloat32, {"2", "3", "4"});
  node("Shape", {"x"}, {"tail"}, {{"start", std::int64_t{-2}}});
  node("Shape", {"x"}, {"none"}, {{"start", std::int64_t{2}}, {"end", std::int64_t{1}}});
  node("Shape", {"x"}, {"head"}, {{"start", std::int64_t{-9}}, {"end", std::int64_t{-2}}});
  node("Size", {"x"}, {"size"});
  EXPECT_EQ(text("tail"), "3..3 4..4");
  EXPECT_EQ(shape("none"), "[0]");
  EXPECT_EQ(text("head"), "2..2");
  EXPECT_EQ(text("size"), "24..24");
}

TEST_F(IndexProducers, RangesGoUpAndDown) {
  input("x", DType::kFloat32, {"n"});
  input("step", DType::kInt64, {});
  number("zero", 0);
  number("one", 1);
  number("back", -1);
  node("Shape", {"x"}, {"shape"});
  node("Gather", {"shape", "zero"}, {"n"});
  node("Sub", {"n", "one"}, {"last"});
  node("Range", {"zero", "n", "one"}, {"up"});
  node("Range", {"last", "back", "back"}, {"down"});
  node("Range", {"zero", "n", "step"}, {"unknown"});
  node("Range", {"back", "one", "one"}, {"known"});
  node("Range", {"one", "back", "one"}, {"empty"});
  EXPECT_EQ(text("up"), "0..x.shape[0]-1");
  EXPECT_EQ(shape("up"), "[x.shape[0]]");
  EXPECT_EQ(text("down"), "0..x.shape[0]-1");
  EXPECT_EQ(text("unknown"), "?..?");
  EXPECT_EQ(text("known"), "-1..-1 0..0");
  EXPECT_EQ(shape("empty"), "[0]");
}

// The number of steps is computed in double precision.
TEST_F(IndexProducers, LongRangesProveNothing) {
  number("start", 0);
  number("limit", (std::int64_t{1} << 60) + 1);
  number("step", std::int64_t{1} << 59);
  node("Range", {"start", "limit", "step"}, {"long"});
  EXPECT_EQ(text("long"), "?..?");
}

TEST_F(IndexProducers, UniqueTellsPlacesAndCounts) {
  input("x", DType::kInt64, {"n", "4"});
  node("Unique", {"x"}, {"values", "first", "inverse", "counts"}, {{"axis", std::int64_t{0}}});
  EXPECT_EQ(shape("values"), "[values.shape[0], 4]");
  EXPECT_EQ(text("first"), "0..x.shape[0]-1");
  EXPECT_EQ(text("inverse"), "0..values.shape[0]-1");
  EXPECT_EQ(shape("inverse"), "[x.shape[0]]");
  EXPECT_EQ(text("counts"), "1..x.shape[0]");
}

// The number of values is not the first extent of the values.
TEST_F(IndexProducers, UniqueAlongAnAxisOfAnUnknownRank) {
  input("rows", DType::kFloat32, {"n", "3"});
  input("dims", DType::kInt64, {"k"});
  node("Reshape", {"rows", "dims"}, {"x"});
  node("Unique", {"x"}, {"values", "first"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(shape("x"), "?");
  EXPECT_EQ(shape("first"), "[first.shape[0]]");
}

TEST_F(IndexProducers, NonMaxSuppressionHasThreeColumns) {
  input("boxes", DType::kFloat32, {"2", "n", "4"});
  input("scores", DType::kFloat32, {"2", "80", "n"});
  node("NonMaxSuppression", {"boxes", "scores"}, {"found"});
  EXPECT_EQ(text("found"), "0..1 0..79 0..boxes.shape[1]-1");
  EXPECT_EQ(fact("found").range.axis, 1);
}

TEST_F(IndexProducers, OpenVinoNamesTheTypeOfPositions) {
  model.dialect = "openvino";
  model.opset_imports.clear();
  input("x", DType::kFloat32, {"n", "5"});
  input("scores", DType::kFloat32, {"1", "2", "3"});
  number("k", 2);
  version = 3;
  node("ShapeOf", {"x"}, {"shape"}, {{"output_type", std::string("i32")}});
  node("TopK", {"x", "k"}, {"values", "places"},
       {{"axis", std::string("-1")}, {"index_element_type", std::string("i64")}});
  version = 5;
  node("NonMaxSuppression", {"x", "scores"}, {"found"}, {{"output_type", std::string("i32")}});
  EXPECT_EQ(text("shape"), "x.shape[0]..x.shape[0] 5..5 if no extent is above 2147483647");
  EXPECT_EQ(fact("shape").dtype, DType::kInt32);
  EXPECT_EQ(text("places"), "0..4");
  EXPECT_EQ(text("found"), "-1..0 -1..1 -1..2");
}

TEST_F(IndexProducers, AnExtentMayBeBeyondMemoryWhereAnotherIsZero) {
  input("x", DType::kFloat32, {"n", "m"});
  input("rows", DType::kFloat32, {"n", "3"});
  number("large", std::int64_t{1} << 40);
  number("one", 1);
  number("zero", 0);
  for (const char* const name : {"x", "rows"}) {
    const std::string value = name;
    node("Shape", {name}, {value + " shape"});
    node("Gather", {value + " shape", "zero"}, {value + " extent"});
    node("Div", {value + " extent", "large"}, {value + " part"});
    node("Add", {value + " extent", "one"}, {value + " next"});
  }
  EXPECT_EQ(text("x part"), "0..x.shape[0]");
  EXPECT_EQ(fact("x part").range.integers[0].high, (std::int64_t{1} << 23) - 1);
  EXPECT_EQ(fact("rows part").range.integers[0].high, 256);
  EXPECT_EQ(text("x next"), "x.shape[0]+1..x.shape[0]+1 if no extent is above 2147483647");
  EXPECT_EQ(text("rows next"), "rows.shape[0]+1..rows.shape[0]+1");
}

}  // namespace
}  // namespace windrow::internal
