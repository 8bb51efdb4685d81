#include "src/models/node_plans.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow::internal {
namespace {

TensorSpec spec(DType type, const Shape& shape) {
  TensorSpec result;
  result.dtype = type;
  result.shape = shape;
  return result;
}

Result<NodeOperator> gather() {
  const OperatorId id{"onnx", "Gather", 13};
  const Result<OperatorInfo> info = find_operator(id);
  return NodeOperator{id, info.value()};
}

TEST(NodePlans, AreSharedByEqualNodesAlone) {
  const NodeOperator op = gather().value();
  const CallOptions options;
  NodePlans plans(options);
  const auto result = [&](std::int64_t axis, const std::vector<TensorSpec>& specs) {
    return to_string(plans.find(op, {{"axis", axis}}, specs)->result().shape);
  };
  const TensorSpec data = spec(DType::kFloat32, {4, 4});
  const TensorSpec two = spec(DType::kInt64, {2});
  EXPECT_EQ(result(0, {data, two}), "[2, 4]");
  EXPECT_EQ(result(1, {data, two}), "[4, 2]");
  EXPECT_EQ(result(0, {data, spec(DType::kInt64, {3})}), "[3, 4]");
  EXPECT_EQ(plans.find(op, {}, std::vector{spec(DType::kInt8, {4, 4}), two})->result().dtype,
            DType::kInt8);
  EXPECT_EQ(plans.find(op, {{"axis", std::int64_t{2}}}, std::vector{data, two}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(result(0, {data, two}), "[2, 4]");
  const NodePlans::Entry& entry = plans.find_described(op, {}, std::vector{data, two});
  EXPECT_EQ(to_string(*entry.description), entry.plan->describe());
  EXPECT_EQ(&plans.find_described(op, {}, std::vector{data, two}), &entry);
}

// More different nodes than plans that are kept.
TEST(NodePlans, OfManyNodesAreAllRight) {
  Model model;
  model.opset_imports[""] = 13;
  model.constants["x"] = std::make_shared<const Tensor>(Tensor::of<float>({3}, {5, 6, 7}));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 300; ++i) {
      const std::string name = std::to_string(round) + "_" + std::to_string(i);
      const std::vector<std::int64_t> indices(static_cast<std::size_t>(i), i % 3);
      model.constants["i" + name] =
          std::make_shared<const Tensor>(Tensor::from<std::int64_t>({i}, indices));
      model.nodes.push_back({"n" + name, "", "Gather", {"x", "i" + name}, {"y" + name}, {}, ""});
      model.outputs.push_back({"y" + name, DType::kAbsent, std::nullopt});
    }
  }
  const NamedTensors outputs = model.run({}).value();
  ASSERT_EQ(outputs.size(), 600U);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto values = outputs[i].second.values<float>();
    EXPECT_EQ(values.size(), i % 300);
    for (const float value : values) EXPECT_EQ(value, 5 + static_cast<float>(i % 300 % 3));
  }
  EXPECT_EQ(model.inspect().value().size(), 600U);
}

}  // namespace
}  // namespace windrow::internal
