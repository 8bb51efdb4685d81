#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

constexpr DType kFloat = DType::kFloat32;
constexpr DType kLong = DType::kInt64;

using Inputs = std::vector<std::pair<DType, std::vector<std::int64_t>>>;

// A node of inputs "0", "1", ... of these types and shapes.
Model model_of(const std::string& op, int opset, const Inputs& inputs, Attributes attributes = {}) {
  Model model;
  model.opset_imports[""] = opset;
  infer_fixture::Names names;
  for (const auto& [dtype, extents] : inputs) {
    std::vector<Dim> dims;
    for (const std::int64_t extent : extents) dims.push_back({extent, ""});
    names.push_back(std::to_string(names.size()));
    model.inputs.push_back(value(names.back(), dtype, dims));
  }
  model.nodes = {node(op, names, "y", std::move(attributes))};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

NodeOpset of_node(const Model& model) {
  const LowestOpset found = lowest_opset(model).value();
  return found.nodes.size() == 1 ? found.nodes.front() : NodeOpset();
}

const Inputs kElements = {{kFloat, {4, 3}}, {kLong, {2, 3}}, {kFloat, {2, 3}}};

struct Case {
  std::string op;
  Inputs inputs;
  Attributes attributes;
  std::optional<int> lowest;
  std::string rule;
};

TEST(LowestOpset, FollowsFromTypesShapesAndAttributes) {
  const std::vector<Case> cases = {
      {"Gather", {{kFloat, {4, 3}}, {kLong, {2}}}, {}, 1, ""},
      {"Gather", {{DType::kBFloat16, {4, 3}}, {kLong, {2}}}, {}, 13, "ONNX-Gather-T1"},
      {"Gather", {{kFloat, {4, 3}}, {kLong, {2}}}, {{"axis", 5L}}, std::nullopt, "ONNX-Gather-A1"},
      {"GatherND", {{kFloat, {4, 3}}, {kLong, {2, 1}}}, {}, 11, ""},
      {"GatherND",
       {{kFloat, {4, 3}}, {kLong, {4, 1}}},
       {{"batch_dims", 1L}},
       12,
       "ONNX-GatherND-A2"},
      {"ScatterElements", kElements, {}, 11, ""},
      {"ScatterElements", kElements, {{"reduction", "add"}}, 16, "ONNX-ScatterElements-A2"},
      {"ScatterElements", kElements, {{"reduction", "max"}}, 18, "ONNX-ScatterElements-A3"},
      {"ScatterElements",
       kElements,
       {{"reduction", "mean"}},
       std::nullopt,
       "ONNX-ScatterElements-A3"},
      {"Scatter", kElements, {}, 9, ""},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.op + " " + each.rule);
    const NodeOpset found = of_node(model_of(each.op, 18, each.inputs, each.attributes));
    EXPECT_EQ(found.node, "main/node_y");
    EXPECT_EQ(found.operator_name, "onnx." + each.op);
    EXPECT_EQ(found.declared, 18);
    EXPECT_EQ(found.lowest, each.lowest);
    EXPECT_EQ(found.rule, each.rule);
    EXPECT_FALSE(found.why.empty());
    EXPECT_EQ(found.is_enough(), each.lowest.has_value());
  }
}

// What the lowest opset is does not depend on the one that the model declares.
TEST(LowestOpset, IsHeldAgainstWhatIsDeclared) {
  for (const int declared : {1, 11, 15, 16, 18}) {
    const Model model = model_of("ScatterElements", declared, kElements, {{"reduction", "add"}});
    const LowestOpset found = lowest_opset(model).value();
    ASSERT_EQ(found.domains.size(), 1U);
    EXPECT_EQ(found.domains.front().declared, declared);
    EXPECT_EQ(found.domains.front().lowest, 16);
    EXPECT_EQ(found.is_enough, declared >= 16) << declared;
  }
}

TEST(LowestOpset, TheModelNeedsTheHighestOfItsNodes) {
  Model model = model_of("ScatterElements", 18, kElements);
  model.nodes.push_back(node("ScatterElements", {"0", "1", "2"}, "z", {{"reduction", "max"}}));
  model.nodes.push_back(node("Gather", {"0", "1"}, "w"));
  model.nodes.push_back(node("ArrayFeatureExtractor", {"0", "1"}, "v"));
  model.nodes.back().domain = "ai.onnx.ml";
  const LowestOpset found = lowest_opset(model).value();
  ASSERT_EQ(found.domains.size(), 2U);
  EXPECT_EQ(found.domains[0].lowest, 18);
  EXPECT_EQ(found.domains[0].node, "main/node_z");
  EXPECT_EQ(found.domains[1].domain, "ai.onnx.ml");
  EXPECT_EQ(found.domains[1].declared, std::nullopt);
  EXPECT_FALSE(found.is_enough);
  EXPECT_EQ(found.nodes.size(), 4U);
}

TEST(LowestOpset, NegativeConstantsNeedTheOpsetThatDefinesThem) {
  for (const std::int64_t index : {0, -1}) {
    Model model = model_of("Gather", 13, {{kFloat, {4, 3}}});
    model.constants.emplace("i", Constant(Tensor::of<std::int64_t>({2}, {1, index})));
    model.nodes.front().inputs.push_back("i");
    const NodeOpset found = of_node(model);
    EXPECT_EQ(found.lowest, index < 0 ? 11 : 1);
    EXPECT_EQ(found.rule, index < 0 ? "old-negative-index" : "");
  }
}

TEST(LowestOpset, ANodeThatNoOpsetAllowsNamesTheRuleOfItsOwnVersion) {
  Model model = model_of("ScatterElements", 15, kElements, {{"reduction", "mean"}});
  EXPECT_EQ(of_node(model).rule, "ONNX-ScatterElements-A2");
  model.opset_imports[""] = 16;
  EXPECT_EQ(of_node(model).rule, "ONNX-ScatterElements-A3");
  model.nodes.front().outputs.push_back("z");
  EXPECT_EQ(of_node(model).rule, "operator-outputs");
}

TEST(LowestOpset, NodesOfFunctionsAreHeldAgainstTheirFunctionsImports) {
  Model model = model_of("ScatterElements", 18, kElements, {{"reduction", "add"}});
  ModelFunction function;
  function.domain = "mine";
  function.opset_imports[""] = 13;
  function.graph.name = "Add";
  function.graph.inputs = {infer_fixture::untyped("0"), infer_fixture::untyped("1"),
                           infer_fixture::untyped("2")};
  function.graph.nodes = model.nodes;
  function.graph.outputs = model.outputs;
  model.functions.push_back(function);
  const LowestOpset found = lowest_opset(model).value();
  ASSERT_EQ(found.nodes.size(), 2U);
  EXPECT_TRUE(found.nodes[0].is_enough());
  EXPECT_EQ(found.nodes[1].declared, 13);
  EXPECT_EQ(found.nodes[1].lowest, 16);
  EXPECT_FALSE(found.is_enough);
}

TEST(LowestOpset, ModelsWithoutOpsetsOrNodes) {
  Model model = model_of("Gather", 13, {{kFloat, {4, 3}}, {kLong, {2}}});
  model.opset_imports = {{"odd", 1}};
  const LowestOpset without = lowest_opset(model).value();
  EXPECT_EQ(without.domains.at(0).lowest, 1);
  EXPECT_EQ(without.nodes.at(0).declared, std::nullopt);
  EXPECT_FALSE(without.is_enough);
  model.nodes.front().domain = "odd";
  const LowestOpset none = lowest_opset(model).value();
  EXPECT_TRUE(none.nodes.empty());
  EXPECT_TRUE(none.domains.empty());
  EXPECT_TRUE(none.is_enough);
  model.dialect = "openvino";
  EXPECT_EQ(lowest_opset(model).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow
