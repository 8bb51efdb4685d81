#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/dialects/onnx/schema.h"
#include "src/dialects/symbolic_test_support.h"

namespace windrow::internal {
namespace {

// The inferred shape, or the label of the rule that is broken.
template <class Op>
std::string infer(const Op& op, const std::vector<std::string>& inputs) {
  std::vector<SymbolicShape> shapes;
  shapes.reserve(inputs.size());
  for (const std::string& input : inputs) shapes.push_back(symbolic(input));
  const Result<SymbolicShape> result = infer_shape(op, std::span<const SymbolicShape>(shapes));
  if (!result) {
    EXPECT_NE(result.error().message().find(result.error().constraint()), std::string::npos);
    return result.error().constraint();
  }
  return to_words(*result);
}

TEST(InferGather, JoinsTheShapes) {
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"4 3", "2"}), "2 3");
  EXPECT_EQ(infer(onnx::Gather{.axis = 1, .version = 13}, {"4 3 5", "1 2"}), "4 1 2 5");
  EXPECT_EQ(infer(onnx::Gather{.axis = -1, .version = 13}, {"4 N", "M ?"}), "4 M ?");
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"3", ""}), "");
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"0 3", "2 0"}), "2 0 3");
}

TEST(InferGather, KnowsNothingWithoutBothRanks) {
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"-", "2"}), "-");
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"4 3", "-"}), "-");
}

TEST(InferGather, RefusesBrokenRules) {
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {"", "2"}), "ONNX-Gather-C1");
  EXPECT_EQ(infer(onnx::Gather{.axis = 2, .version = 13}, {"4 3", "-"}), "ONNX-Gather-A1");
  EXPECT_EQ(infer(onnx::Gather{.axis = -3, .version = 13}, {"4 3", "2"}), "ONNX-Gather-A1");
  const std::string rank_17 = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1";
  EXPECT_EQ(infer(onnx::Gather{.axis = 0, .version = 13}, {rank_17, rank_17}), "ONNX-Gather-C2");
}

TEST(InferGatherElements, GivesTheShapeOfIndices) {
  EXPECT_EQ(infer(onnx::GatherElements{.axis = 1, .version = 13}, {"2 2", "2 7"}), "2 7");
  EXPECT_EQ(infer(onnx::GatherElements{.axis = 0, .version = 13}, {"2 N", "9 3"}), "9 3");
  EXPECT_EQ(infer(onnx::GatherElements{.axis = 0, .version = 13}, {"-", "N 3"}), "N 3");
  EXPECT_EQ(infer(onnx::GatherElements{.axis = 0, .version = 13}, {"2 2", "-"}), "-");
}

TEST(InferGatherElements, RefusesBrokenRules) {
  const onnx::GatherElements op{.axis = 0, .version = 13};
  EXPECT_EQ(infer(op, {"2 2", "2"}), "ONNX-GatherElements-C1");
  EXPECT_EQ(infer(op, {"", ""}), "ONNX-GatherElements-C1");
  EXPECT_EQ(infer(op, {"-", ""}), "ONNX-GatherElements-C1");
  EXPECT_EQ(infer(op, {"2 2", "2 3"}), "ONNX-GatherElements-C2");
  EXPECT_EQ(infer(onnx::GatherElements{.axis = 2, .version = 13}, {"-", "2 3"}),
            "ONNX-GatherElements-A1");
}

TEST(InferGatherND, JoinsOuterIndicesAndSlices) {
  const onnx::GatherND plain{.batch_dims = 0, .version = 13};
  EXPECT_EQ(infer(plain, {"4 5 6", "2 3 2"}), "2 3 6");
  EXPECT_EQ(infer(plain, {"2 2", "2 2"}), "2");
  EXPECT_EQ(infer(plain, {"2 2", "2"}), "");
  EXPECT_EQ(infer(plain, {"N 5", "M 1"}), "M 5");
  EXPECT_EQ(infer(plain, {"4 5 6", "2 ?"}), "-");
  EXPECT_EQ(infer(plain, {"-", "2 1"}), "-");
  const onnx::GatherND batched{.batch_dims = 1, .version = 13};
  EXPECT_EQ(infer(batched, {"2 2 2", "2 1"}), "2 2");
  EXPECT_EQ(infer(batched, {"N 5 6", "N 4 1"}), "N 4 6");
}

TEST(InferGatherND, RefusesBrokenRules) {
  const onnx::GatherND plain{.batch_dims = 0, .version = 13};
  EXPECT_EQ(infer(plain, {"", "2 1"}), "ONNX-GatherND-C1");
  EXPECT_EQ(infer(plain, {"2", ""}), "ONNX-GatherND-C1");
  EXPECT_EQ(infer(plain, {"2 2", "3 3"}), "ONNX-GatherND-C3");
  EXPECT_EQ(infer(plain, {"2 2", "3 0"}), "ONNX-GatherND-C3");
  const onnx::GatherND batched{.batch_dims = 1, .version = 13};
  EXPECT_EQ(infer(batched, {"2 2", "3 1"}), "ONNX-GatherND-C2");
  EXPECT_EQ(infer(batched, {"2 2", "2 2"}), "ONNX-GatherND-C3");
  EXPECT_EQ(infer(batched, {"-", "2"}), "ONNX-GatherND-A1");
  EXPECT_EQ(infer(onnx::GatherND{.batch_dims = -1, .version = 13}, {"-", "-"}), "ONNX-GatherND-A1");
  const std::string rank_18 = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1";
  EXPECT_EQ(infer(plain, {rank_18, rank_18}), "ONNX-GatherND-C4");
}

TEST(InferScatterElements, GivesTheShapeOfData) {
  const onnx::ScatterElements op{.axis = 0, .version = 18};
  EXPECT_EQ(infer(op, {"3 N", "9 2", "9 2"}), "3 N");
  EXPECT_EQ(infer(op, {"3 3", "-", "-"}), "3 3");
  EXPECT_EQ(infer(op, {"-", "2 2", "2 2"}), "-");
  EXPECT_EQ(infer(onnx::Scatter{.axis = -1, .version = 9}, {"3 4", "3 9", "3 9"}), "3 4");
}

TEST(InferScatterElements, RefusesBrokenRules) {
  const onnx::ScatterElements op{.axis = 0, .version = 18};
  EXPECT_EQ(infer(op, {"3 3", "2", "2"}), "ONNX-ScatterElements-C1");
  EXPECT_EQ(infer(op, {"-", "2", "2 2"}), "ONNX-ScatterElements-C1");
  EXPECT_EQ(infer(op, {"", "-", "-"}), "ONNX-ScatterElements-C1");
  EXPECT_EQ(infer(op, {"3 3", "2 2", "2 1"}), "ONNX-ScatterElements-C2");
  EXPECT_EQ(infer(op, {"3 3", "2 4", "2 4"}), "ONNX-ScatterElements-C3");
  EXPECT_EQ(infer(onnx::ScatterElements{.axis = 2, .version = 18}, {"3 3", "-", "-"}),
            "ONNX-ScatterElements-A1");
  EXPECT_EQ(
      infer(onnx::ScatterElements{.axis = 0, .reduction = "mean", .version = 18}, {"-", "-", "-"}),
      "ONNX-ScatterElements-A3");
  EXPECT_EQ(infer(onnx::Scatter{.axis = 0, .version = 9}, {"3 3", "2 4", "2 4"}),
            "ONNX-Scatter-C3");
}

TEST(InferScatterND, GivesTheShapeOfData) {
  const onnx::ScatterND op{.version = 18};
  EXPECT_EQ(infer(op, {"4 N 6", "5 1", "5 N 6"}), "4 N 6");
  EXPECT_EQ(infer(op, {"4 5", "3 0", "3 4 5"}), "4 5");
  EXPECT_EQ(infer(op, {"4 5", "2", ""}), "4 5");
  EXPECT_EQ(infer(op, {"4 5", "-", "1"}), "4 5");
  EXPECT_EQ(infer(op, {"4 5", "3 ?", "1"}), "4 5");
}

TEST(InferScatterND, RefusesBrokenRules) {
  const onnx::ScatterND op{.version = 18};
  EXPECT_EQ(infer(op, {"", "1 1", "1"}), "ONNX-ScatterND-C1");
  EXPECT_EQ(infer(op, {"4", "", "1"}), "ONNX-ScatterND-C1");
  EXPECT_EQ(infer(op, {"4 5", "2 3", "-"}), "ONNX-ScatterND-C2");
  EXPECT_EQ(infer(op, {"4 5", "2 1", "2"}), "ONNX-ScatterND-C3");
  EXPECT_EQ(infer(op, {"4 5", "2 1", "3 5"}), "ONNX-ScatterND-C3");
  EXPECT_EQ(infer(op, {"4 5", "2 1", "2 4"}), "ONNX-ScatterND-C3");
  EXPECT_EQ(infer(onnx::ScatterND{.reduction = "max", .version = 16}, {"-", "-", "-"}),
            "ONNX-ScatterND-A3");
}

TEST(InferTensorScatter, GivesTheShapeOfTheCache) {
  const onnx::TensorScatter op{.version = 24};
  EXPECT_EQ(infer(op, {"2 N 8 5", "2 N 3 5", "2"}), "2 N 8 5");
  EXPECT_EQ(infer(op, {"2 8 5", "2 8 5"}), "2 8 5");
  EXPECT_EQ(infer(op, {"B 8 5", "2 8 5", "-"}), "B 8 5");
  EXPECT_EQ(infer(onnx::TensorScatter{.axis = 1, .version = 24}, {"2 8", "2 3", "2"}), "2 8");
}

TEST(InferTensorScatter, RefusesBrokenRules) {
  const onnx::TensorScatter op{.version = 24};
  EXPECT_EQ(infer(op, {"2", "2"}), "ONNX-TensorScatter-C1");
  EXPECT_EQ(infer(op, {"2 8 5", "2 8"}), "ONNX-TensorScatter-C1");
  EXPECT_EQ(infer(op, {"2 8", "2 8"}), "ONNX-TensorScatter-A1");
  EXPECT_EQ(infer(onnx::TensorScatter{.axis = 0, .version = 24}, {"-", "-"}),
            "ONNX-TensorScatter-A1");
  EXPECT_EQ(infer(onnx::TensorScatter{.axis = 3, .version = 24}, {"2 8 5", "2 3 5"}),
            "ONNX-TensorScatter-A1");
  EXPECT_EQ(infer(onnx::TensorScatter{.mode = "ring", .version = 24}, {"2 8 5", "2 3 5"}),
            "ONNX-TensorScatter-A3");
  EXPECT_EQ(infer(op, {"2 8 5", "2 8 4"}), "ONNX-TensorScatter-C2");
  EXPECT_EQ(infer(op, {"2 8 5", "2 9 5"}), "ONNX-TensorScatter-C3");
  EXPECT_EQ(infer(op, {"2 8 5", "2 3 5", "3"}), "ONNX-TensorScatter-C4");
  EXPECT_EQ(infer(op, {"2 8 5", "2 3 5", "2 1"}), "ONNX-TensorScatter-C4");
}

TEST(InferArrayFeatureExtractor, CountsTheIndices) {
  const onnx::ArrayFeatureExtractor op{.version = 1};
  EXPECT_EQ(infer(op, {"N 4", "3"}), "N 3");
  EXPECT_EQ(infer(op, {"2 4", "1 3"}), "2 3");
  EXPECT_EQ(infer(op, {"4", "3"}), "1 3");
  EXPECT_EQ(infer(op, {"2 4", "M"}), "2 M");
  EXPECT_EQ(infer(op, {"2 4", "1 M"}), "2 ?");
  EXPECT_EQ(infer(op, {"2 4", "-"}), "2 ?");
  EXPECT_EQ(infer(op, {"-", "3"}), "-");
  EXPECT_EQ(infer(op, {"", "3"}), "ONNX-ArrayFeatureExtractor-C1");
}

TEST(InferShape, ErrorsNameOperatorRuleAndNumbers) {
  const std::vector<SymbolicShape> shapes = {symbolic("4 3"), symbolic("2")};
  const Status error =
      infer_shape(onnx::Gather{.axis = 5, .version = 11}, std::span<const SymbolicShape>(shapes))
          .error();
  EXPECT_EQ(error.message(),
            "onnx.Gather-11 [ONNX-Gather-A1]: axis is 5, must be in [-2, 1] for data of rank 2");
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace windrow::internal
