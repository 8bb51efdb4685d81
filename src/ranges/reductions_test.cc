#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Reductions : public FactsFixture {
 protected:
  Reductions() {
    input("mask", DType::kBool, {"batch", "length"});
    list("axis", {1});
    number("along", 1);
    number("one", 1);
    node("Cast", {"mask"}, {"ones"}, {{"to", std::int64_t{7}}});
  }
};

TEST_F(Reductions, CountsOfAMaskLieBelowItsLength) {
  node("CumSum", {"ones", "along"}, {"sums"});
  node("Sub", {"sums", "one"}, {"positions"});
  node("CumSum", {"ones", "along"}, {"before"}, {{"exclusive", std::int64_t{1}}});
  node("ReduceSum", {"ones", "axis"}, {"count"}, {{"keepdims", std::int64_t{0}}});
  EXPECT_EQ(text("sums"), "0..mask.shape[1]");
  EXPECT_EQ(text("positions"), "-1..mask.shape[1]-1");
  EXPECT_EQ(text("before"), "0..mask.shape[1]-1");
  EXPECT_EQ(text("count"), "0..mask.shape[1]");
  EXPECT_EQ(shape("count"), "[mask.shape[0]]");
}

TEST_F(Reductions, SumsThatMayOverflowProveNothing) {
  input("x", DType::kInt64, {"n"});
  list("front", {0});
  node("ReduceSum", {"x", "front"}, {"sum"});
  EXPECT_EQ(text("sum"), "?..?");
  EXPECT_EQ(shape("sum"), "[1]");
}

// The maximum of no elements is the smallest number of the type.
TEST_F(Reductions, ExtremesOfAxesThatMayBeEmptyKeepOneEnd) {
  input("x", DType::kUint8, {"n", "3"});
  node("Cast", {"x"}, {"wide"}, {{"to", std::int64_t{7}}});
  node("ReduceMax", {"wide"}, {"most"}, {{"axes", std::vector<std::int64_t>{0}}});
  node("ReduceMin", {"wide"}, {"least"}, {{"axes", std::vector<std::int64_t>{0}}});
  node("ReduceMax", {"wide"}, {"of_three"}, {{"axes", std::vector<std::int64_t>{-1}}});
  EXPECT_EQ(text("most"), "?..255");
  EXPECT_EQ(text("least"), "0..?");
  EXPECT_EQ(text("of_three"), "0..255");
}

TEST_F(Reductions, NoAxesAreAllOrNone) {
  list("none", {});
  node("ReduceSum", {"ones", "none"}, {"all"}, {{"keepdims", std::int64_t{0}}});
  node("ReduceSum", {"ones", "none"}, {"same"}, {{"noop_with_empty_axes", std::int64_t{1}}});
  EXPECT_EQ(shape("all"), "[]");
  EXPECT_EQ(shape("same"), "[mask.shape[0], mask.shape[1]]");
  EXPECT_EQ(text("same"), "0..1");
}

}  // namespace
}  // namespace windrow::internal
