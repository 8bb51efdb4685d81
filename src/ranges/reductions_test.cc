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

// One runtime takes it for all axes, one for that axis, and one refuses it.
TEST_F(Reductions, AScalarIsNoListOfAxes) {
  node("ReduceSum", {"ones", "along"}, {"sum"});
  EXPECT_EQ(shape("sum"), "?");
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

class Contractions : public FactsFixture {
 protected:
  Contractions() {
    input("a", DType::kFloat32, {"n", "2", "3"});
    input("b", DType::kFloat32, {"5", "1", "3", "4"});
    input("v", DType::kFloat32, {"3"});
  }
  std::string einsum(const std::string& equation, std::vector<std::string> inputs) {
    std::string name = "e" + std::to_string(model.nodes.size());
    node("Einsum", std::move(inputs), {name}, {{"equation", equation}});
    return name;
  }
};

TEST_F(Contractions, MatricesAreMultipliedInBatches) {
  node("MatMul", {"a", "b"}, {"product"});
  node("MatMul", {"a", "v"}, {"row"});
  node("MatMul", {"v", "v"}, {"number"});
  EXPECT_EQ(shape("product"), "[5, a.shape[0], 2, 4]");
  EXPECT_EQ(shape("row"), "[a.shape[0], 2]");
  EXPECT_EQ(shape("number"), "[]");
}

TEST_F(Contractions, EquationsNameTheExtents) {
  const std::string swapped = einsum("bij, j -> jb", {"a", "v"});
  const std::string implied = einsum("bij,j", {"a", "v"});
  EXPECT_EQ(shape(swapped), "[3, a.shape[0]]");
  EXPECT_EQ(shape(implied), "[a.shape[0], 2]");
}

// onnx infers the extent of the first operand.
TEST_F(Contractions, AnExtentOfOneIsRepeated) {
  input("c", DType::kFloat32, {"1", "2", "3"});
  input("d", DType::kFloat32, {"4", "2", "3"});
  const std::string both = einsum("bij,bij->bij", {"c", "d"});
  EXPECT_EQ(shape(both), "[4, 2, 3]");
}

TEST_F(Contractions, OtherEquationsProveNothing) {
  const std::string dots = einsum("...j,j->...", {"a", "v"});
  const std::string rank = einsum("ij,j->i", {"a", "v"});
  const std::string result = einsum("bij,j->k", {"a", "v"});
  const std::string none = einsum("", {"a"});
  for (const std::string& name : {dots, rank, result, none}) EXPECT_EQ(shape(name), "?");
}

}  // namespace
}  // namespace windrow::internal
