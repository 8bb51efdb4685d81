#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class Contractions : public FactsFixture {
 protected:
  Contractions() {
    input("a", DType::kFloat32, {"n", "2", "3"});
    input("b", DType::kFloat32, {"5", "1", "3", "4"});
    input("v", DType::kFloat32, {"3"});
  }
  std::string einsum(const std::string& equation, std::vector<std::string> inputs) {
    const std::string name = "e" + std::to_string(model.nodes.size());
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
