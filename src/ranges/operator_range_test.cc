#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class OperatorRange : public FactsFixture {};

TEST_F(OperatorRange, AGatherOfIndicesReadsAPartOfATable) {
  input("i", DType::kInt64, {"n"});
  list("table", {10, 20, 30, 40});
  number("low", -2);
  number("zero", 0);
  number("one", 1);
  node("Clip", {"i", "low", "one"}, {"either"});
  node("Clip", {"i", "zero", "one"}, {"first"});
  node("Sub", {"first", "one"}, {"shifted"});
  number("minus", -1);
  node("Clip", {"i", "low", "minus"}, {"last"});
  node("Gather", {"table", "either"}, {"a"});
  node("Gather", {"table", "first"}, {"b"});
  node("Gather", {"table", "last"}, {"c"});
  node("Gather", {"table", "i"}, {"d"});
  EXPECT_EQ(text("a"), "10..40");
  EXPECT_EQ(text("b"), "10..20");
  EXPECT_EQ(text("c"), "30..40");
  EXPECT_EQ(text("d"), "10..40");
}

TEST_F(OperatorRange, AGatherOfKnownPositionsChoosesElements) {
  constant("table", {1, 2, 3, 4, 5, 6}, {2, 3});
  list("order", {2, -3});
  number("row", 1);
  node("Gather", {"table", "order"}, {"columns"}, {{"axis", std::int64_t{1}}});
  node("Gather", {"table", "row"}, {"last"});
  EXPECT_EQ(text("columns"), "3..3 1..1 6..6 4..4");
  EXPECT_EQ(text("last"), "4..4 5..5 6..6");
}

TEST_F(OperatorRange, AGatherKeepsTheAxesThatItDoesNotRead) {
  input("x", DType::kFloat32, {"n", "5"});
  input("rows", DType::kInt64, {"a", "b"});
  node("NonZero", {"x"}, {"found"});
  node("Transpose", {"found"}, {"tuples"});
  node("Gather", {"tuples", "rows"}, {"some"});
  number("one", 1);
  node("Gather", {"tuples", "one"}, {"second"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(text("some"), "0..x.shape[0]-1 0..4");
  EXPECT_EQ(fact("some").range.axis, 2);
  EXPECT_EQ(text("second"), "0..4");
  EXPECT_EQ(shape("second"), "[found.shape[1]]");
}

TEST_F(OperatorRange, AnIndexOutOfRangeMayReadZero) {
  model.dialect = "tensorrt";
  model.opset_imports.clear();
  version = 10;
  input("i", DType::kInt32, {"n"});
  model.constants.emplace("table", Tensor::of<std::int32_t>({3}, {5, 6, 7}));
  node("Gather", {"table", "i"}, {"a"}, {{"axis", std::int64_t{0}}});
  model.nodes.back().version = 10;
  EXPECT_EQ(text("a"), "0..7");
}

TEST_F(OperatorRange, OpenVinoGathersReadZeroUnlessTheIndexIsInRange) {
  model.dialect = "openvino";
  model.opset_imports.clear();
  version = 8;
  input("i", DType::kInt64, {"n"});
  list("table", {5, 6, 7});
  number("axis", 0);
  node("Clamp", {"i"}, {"safe"}, {{"min", std::string("0")}, {"max", std::string("2")}});
  node("Gather", {"table", "i", "axis"}, {"a"}, {{"batch_dims", std::int64_t{0}}});
  node("Gather", {"table", "safe", "axis"}, {"b"}, {{"batch_dims", std::int64_t{0}}});
  EXPECT_EQ(text("a"), "0..7");
  EXPECT_EQ(text("b"), "5..7");
}

TEST_F(OperatorRange, AScatterHoldsDataAndUpdates) {
  input("i", DType::kInt64, {"1"});
  list("data", {1, 2, 3});
  list("updates", {9});
  node("ScatterElements", {"data", "i", "updates"}, {"written"});
  node("ScatterElements", {"data", "i", "updates"}, {"largest"},
       {{"reduction", std::string("max")}});
  node("ScatterElements", {"data", "i", "updates"}, {"added"}, {{"reduction", std::string("add")}});
  EXPECT_EQ(text("written"), "1..9");
  EXPECT_EQ(shape("written"), "[3]");
  EXPECT_EQ(text("largest"), "1..9");
  EXPECT_EQ(text("added"), "?..?");
}

TEST_F(OperatorRange, OneHotHasItsTwoValues) {
  input("i", DType::kInt64, {"n"});
  number("depth", 4);
  list("values", {-1, 1});
  node("OneHot", {"i", "depth", "values"}, {"hot"});
  EXPECT_EQ(text("hot"), "-1..1");
  EXPECT_EQ(shape("hot"), "[i.shape[0], 4]");
}

}  // namespace
}  // namespace windrow::internal
