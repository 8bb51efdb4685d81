#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/fix.h"

// The file is long because each rule that has a fix has a test of a few lines.
namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;
using Names = std::vector<std::string>;
using Numbers = std::vector<std::int64_t>;

Tensor numbers(const Numbers& values) {
  return Tensor::from<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// table float32[4, 3] -> the node, whose other inputs are those of the model, or constants.
Model model_of(ModelNode made, int opset = 18) {
  Model model;
  model.opset_imports[""] = opset;
  model.inputs = {value("table", DType::kFloat32, {{4, ""}, {3, ""}})};
  model.outputs = {infer_fixture::untyped("y")};
  model.nodes = {std::move(made)};
  model.nodes[0].name = "n";
  return model;
}

// The same of a scatter of rows, with its other inputs.
Model scatter_of(ModelNode made) {
  Model model = model_of(std::move(made));
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}, {1, ""}}));
  model.inputs.push_back(value("u", DType::kFloat32, {{2, ""}, {3, ""}}));
  return model;
}

CheckReport found(const std::string& rule, const std::string& path = "main/n") {
  CheckReport report;
  report.findings.emplace_back();
  report.findings.back().rule = rule;
  report.findings.back().node = path;
  return report;
}

FixedModel fixed(const Model& model, const std::string& rule, bool unsafe = false,
                 const std::string& path = "main/n") {
  FixOptions options;
  options.unsafe = unsafe;
  return fix_model(model, found(rule, path), options).value();
}

Names operators_of(const Graph& graph) {
  Names names;
  for (const ModelNode& each : graph.nodes) names.push_back(each.op_type);
  return names;
}

// The elements of the graph's only constant.
Numbers only_constant(const Graph& graph) {
  EXPECT_EQ(graph.constants.size(), 1U);
  const auto tensor = graph.constants.begin()->second.tensor().value();
  const auto elements = tensor->values<std::int64_t>();
  return {elements.begin(), elements.end()};
}

void expect_left(const FixedModel& result, const std::string& why) {
  EXPECT_TRUE(result.applied.empty());
  ASSERT_EQ(result.left.size(), 1U);
  EXPECT_NE(result.left[0].what.find(why), std::string::npos) << result.left[0].what;
}

void expect_applied(const FixedModel& result, bool safe) {
  ASSERT_EQ(result.applied.size(), 1U) << (result.left.empty() ? "" : result.left[0].what);
  EXPECT_TRUE(result.left.empty());
  EXPECT_EQ(result.applied[0].safe, safe);
  EXPECT_EQ(result.applied[0].node, "main/n");
}

TEST(FixModel, DropsADefaultReduction) {
  Model model =
      scatter_of(node("ScatterND", {"table", "i", "u"}, "y", {{"reduction", std::string("none")}}));
  const FixedModel result = fixed(model, "scatter-nd-reduction-none");
  expect_applied(result, true);
  EXPECT_FALSE(result.model.nodes[0].attributes.contains("reduction"));
  EXPECT_TRUE(model.nodes[0].attributes.contains("reduction"));
  model.nodes[0].attributes["reduction"] = std::string("add");
  expect_left(fixed(model, "scatter-nd-reduction-none"), "another one changes results");
}

TEST(FixModel, IgnoresWhatCannotHappen) {
  const Model model =
      scatter_of(node("ScatterND", {"table", "i", "u"}, "y", {{"reduction", std::string("none")}}));
  CheckReport report = found("scatter-nd-reduction-none");
  report.findings[0].verdict = Verdict::kCannot;
  const FixedModel result = fix_model(model, report).value();
  EXPECT_TRUE(result.applied.empty());
  EXPECT_TRUE(result.left.empty());
}

TEST(FixModel, SaysWhyARuleHasNoFix) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"));
  model.constants["i"] = numbers({1});
  expect_left(fixed(model, "float-sum-order"), "its advice is followed by hand");
}

TEST(FixModel, CountsConstantIndicesFromTheFront) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"), 9);
  model.constants["i"] = numbers({-1, 2, -4, 7});
  const FixedModel result = fixed(model, "old-negative-index");
  expect_applied(result, true);
  EXPECT_EQ(only_constant(result.model), (Numbers{3, 2, 0, 7}));
  EXPECT_EQ(operators_of(result.model), (Names{"Gather"}));
  // An index that is out of range would stay out of range.
  model.constants["i"] = numbers({-1, -5});
  expect_left(fixed(model, "old-negative-index"), "a change would not help: after it, ");
}

TEST(FixModel, CountsTuplesByTheirColumns) {
  Model model = model_of(node("ScatterND", {"table", "i", "u"}, "y"));
  model.inputs.push_back(value("u", DType::kFloat32, {{2, ""}}));
  model.constants["i"] = Tensor::from<std::int64_t>({2, 2}, Numbers{-1, -1, -4, -3});
  const FixedModel result = fixed(model, "scatter-negative-index");
  EXPECT_EQ(only_constant(result.model), (Numbers{3, 2, 0, 0}));
}

TEST(FixModel, KeepsAConstantThatOthersRead) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"), 9);
  model.nodes.push_back(node("Identity", {"i"}, "same"));
  model.constants["i"] = numbers({-1});
  const FixedModel result = fixed(model, "old-negative-index");
  expect_applied(result, true);
  EXPECT_EQ(result.model.constants.size(), 2U);
  EXPECT_EQ(result.model.nodes[1].inputs, (Names{"i"}));
}

TEST(FixModel, PutsAWhereInFrontOfIndicesThatARunDecides) {
  const Model model = scatter_of(node("ScatterND", {"table", "i", "u"}, "y"));
  const FixedModel result = fixed(model, "scatter-negative-index");
  expect_applied(result, true);
  EXPECT_EQ(operators_of(result.model),
            (Names{"Add", "Less", "Where", "Less", "Where", "ScatterND"}));
  EXPECT_EQ(result.model.nodes.back().inputs[1], result.model.nodes[4].outputs[0]);
  EXPECT_EQ(result.model.nodes.back().outputs, (Names{"y"}));
  EXPECT_TRUE(result.model.infer());
}

TEST(FixModel, AsksForExtentsThatARunDecides) {
  Model model = model_of(node("Gather", {"table", "i"}, "y", {{"axis", std::int64_t{-1}}}));
  model.inputs[0].dims = std::vector<Dim>{{-1, "N"}, {-1, "M"}};
  model.inputs.push_back(value("i", DType::kInt32, {{2, ""}}));
  const FixedModel result = fixed(model, "gather-index-range", true);
  ASSERT_EQ(result.applied.size(), 1U);
  // No index is legal if a run has the extent 0.
  EXPECT_TRUE(result.applied[0].what.ends_with(", which must have an element"));
  EXPECT_TRUE(result.left.empty());
  EXPECT_EQ(operators_of(result.model),
            (Names{"Cast", "Shape", "Gather", "Sub", "Sub", "Max", "Min", "Gather"}));
  const auto axes = result.model.constants.find(result.model.nodes[2].inputs[1]);
  ASSERT_NE(axes, result.model.constants.end());
  EXPECT_EQ(axes->second.tensor().value()->values<std::int64_t>()[0], 1);
}

TEST(FixModel, ClipsOnlyIfThatIsAskedFor) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"));
  model.constants["i"] = numbers({-9, -4, 3, 9});
  expect_left(fixed(model, "gather-index-range"), "only an unsafe fix");
  const FixedModel result = fixed(model, "gather-index-range", true);
  expect_applied(result, false);
  EXPECT_EQ(only_constant(result.model), (Numbers{-4, -4, 3, 3}));
}

TEST(FixModel, ClipsWithoutMaxBeforeOpset12AndNotAtAllBefore9) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"), 11);
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}}));
  EXPECT_EQ(operators_of(fixed(model, "gather-index-range", true).model),
            (Names{"Less", "Where", "Less", "Where", "Gather"}));
  model.opset_imports[""] = 8;
  expect_left(fixed(model, "gather-index-range", true), "opset 9");
}

TEST(FixModel, FixesWhatAContractSaysOnlyIfThatIsAskedFor) {
  Model model = model_of(node("Gather", {"table", "ids"}, "y"));
  model.inputs.push_back(value("ids", DType::kInt64, {{2, ""}}));
  const CheckReport report = check(model).value();
  ASSERT_EQ(report.contracts.size(), 1U);
  EXPECT_TRUE(fix_model(model, report).value().applied.empty());
  FixOptions options;
  options.unsafe = true;
  const FixedModel result = fix_model(model, report, options).value();
  ASSERT_FALSE(result.applied.empty());
  EXPECT_EQ(operators_of(result.model), (Names{"Less", "Where", "Less", "Where", "Gather"}));
  EXPECT_EQ(result.model.nodes.back().inputs[1], result.model.nodes[3].outputs[0]);
}

TEST(FixModel, RenamesScatter) {
  Model model = model_of(node("Scatter", {"table", "i", "u"}, "y"), 13);
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}, {3, ""}}));
  model.inputs.push_back(value("u", DType::kFloat32, {{2, ""}, {3, ""}}));
  EXPECT_EQ(operators_of(fixed(model, "scatter-old").model), (Names{"ScatterElements"}));
  model.opset_imports[""] = 10;
  expect_left(fixed(model, "scatter-old"), "needs opset 11");
}

TEST(FixModel, WidensSmallIntegersThatMove) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"));
  model.inputs[0].dtype = DType::kInt16;
  model.constants["i"] = numbers({0});
  const FixedModel result = fixed(model, "type-not-in-tensorrt");
  expect_applied(result, true);
  EXPECT_EQ(operators_of(result.model), (Names{"Cast", "Gather", "Cast"}));
  model.inputs[0].dtype = DType::kFloat64;
  expect_left(fixed(model, "type-not-in-tensorrt"), "no wider type");
}

TEST(FixModel, FindsTheLengthOfTuplesInRanks) {
  Model model = scatter_of(node("ScatterND", {"table", "i", "u"}, "y"));
  model.inputs[1].dims = std::vector<Dim>{{2, ""}, {-1, "K"}};
  const FixedModel result = fixed(model, "tuple-length-unknown");
  expect_applied(result, true);
  EXPECT_EQ(operators_of(result.model), (Names{"Reshape", "ScatterND"}));
  EXPECT_EQ(only_constant(result.model), (Numbers{0, 1}));
  model.inputs[2].dims = std::nullopt;
  expect_left(fixed(model, "tuple-length-unknown"), "ranks of its inputs are not known");
}

TEST(FixModel, MakesAnAxisConstantThatHasOneValue) {
  Model model = model_of(node("Gather", {"table", "i", "axis"}, "y"));
  model.dialect = "openvino";
  model.nodes[0].version = 8;
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}}));
  model.constants["axis"] = Tensor::of<std::int64_t>({}, {-1});
  const FixedModel result = fixed(model, "axis-not-constant");
  expect_applied(result, true);
  EXPECT_EQ(only_constant(result.model), (Numbers{1}));
  model.constants.clear();
  model.inputs.push_back(value("axis", DType::kInt64, {}));
  expect_left(fixed(model, "axis-not-constant"), "the axis is not known");
}

TEST(FixModel, CountsFromTheFrontOfAnAxisThatARunDecides) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"));
  model.inputs[0].dims = std::vector<Dim>{{-1, "N"}, {3, ""}};
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}}));
  const FixedModel result = fixed(model, "gather-negative-index-dynamic");
  expect_applied(result, true);
  EXPECT_EQ(operators_of(result.model),
            (Names{"Shape", "Gather", "Add", "Less", "Where", "Less", "Where", "Gather"}));
  const CheckReport report = check(result.model).value();
  EXPECT_TRUE(std::none_of(report.findings.begin(), report.findings.end(), [](const auto& found) {
    return found.rule == "gather-negative-index-dynamic";
  }));
}

TEST(FixModel, KeepsZerosOfGather8) {
  Model model = model_of(node("Gather", {"table", "i", "axis"}, "y"));
  model.dialect = "openvino";
  model.nodes[0].version = 8;
  model.constants["axis"] = Tensor::of<std::int64_t>({}, {0});
  model.constants["i"] = numbers({9});
  expect_left(fixed(model, "gather-index-range", true), "has a defined result");
}

TEST(FixModel, RaisesVersionsAndWritesWhatTheyAdd) {
  Model model = model_of(node("ScatterElementsUpdate", {"table", "i", "u", "axis"}, "y"));
  model.dialect = "openvino";
  model.constants["i"] = Tensor::from<std::int64_t>({1, 1}, Numbers{-1});
  model.constants["axis"] = Tensor::of<std::int64_t>({}, {0});
  model.inputs.push_back(value("u", DType::kFloat32, {{1, ""}, {1, ""}}));
  model.nodes[0].version = 3;
  const FixedModel result = fixed(model, "old-negative-index");
  expect_applied(result, true);
  EXPECT_EQ(result.model.nodes[0].version, 12);
  EXPECT_EQ(std::get<std::string>(result.model.nodes[0].attributes.at("reduction")), "none");
  EXPECT_EQ(std::get<bool>(result.model.nodes[0].attributes.at("use_init_val")), true);
}

TEST(FixModel, TakesAnotherFixWhereTheVersionCannotRise) {
  Model model = model_of(node("GatherND", {"table", "i"}, "y", {{"batch_dims", std::int64_t{2}}}));
  model.dialect = "openvino";
  model.nodes[0].version = 5;
  model.inputs[0].dims = std::vector<Dim>{{4, ""}, {3, ""}, {2, ""}};
  model.constants["i"] = Tensor::from<std::int64_t>({4, 3, 1}, Numbers(12, -1));
  const FixedModel result = fixed(model, "old-negative-index");
  expect_applied(result, true);
  EXPECT_EQ(result.model.nodes[0].version, 5);
  EXPECT_EQ(only_constant(result.model), Numbers(12, 1));
}

TEST(FixModel, WidensHalvesWhereThatRoundsNothing) {
  Model model =
      model_of(node("ScatterND", {"table", "i", "u"}, "y", {{"reduction", std::string("max")}}));
  model.inputs[0].dtype = DType::kFloat16;
  model.inputs.push_back(value("i", DType::kInt64, {{2, ""}, {1, ""}}));
  model.inputs.push_back(value("u", DType::kFloat16, {{2, ""}, {3, ""}}));
  const FixedModel result = fixed(model, "reduction-half");
  expect_applied(result, true);
  EXPECT_EQ(operators_of(result.model), (Names{"Cast", "Cast", "ScatterND", "Cast"}));
  EXPECT_EQ(result.model.nodes.back().outputs, (Names{"y"}));
  model.nodes[0].attributes["reduction"] = std::string("add");
  expect_left(fixed(model, "reduction-half"), "rounds otherwise");
}

TEST(FixModel, ChangesNodesInBodies) {
  Model model;
  model.opset_imports[""] = 9;
  model.inputs = {value("table", DType::kFloat32, {{4, ""}}), value("c", DType::kBool, {})};
  model.constants["i"] = numbers({-1});
  const auto body = std::make_shared<Graph>();
  body->nodes = {node("Gather", {"table", "i"}, "z")};
  body->nodes[0].name = "n";
  body->outputs = {infer_fixture::untyped("z")};
  ModelNode branch = node("If", {"c"}, "y");
  branch.name = "if";
  branch.bodies = {{"then_branch", body}, {"else_branch", body}};
  model.nodes = {branch};
  model.outputs = {infer_fixture::untyped("y")};
  const FixedModel result = fixed(model, "old-negative-index", false, "main/if.then_branch/n");
  ASSERT_EQ(result.applied.size(), 1U) << (result.left.empty() ? "" : result.left[0].what);
  const Graph& changed = *result.model.nodes[0].bodies[0].graph;
  EXPECT_EQ(only_constant(changed), (Numbers{3}));
  // A body that both branches share is changed only in the branch of the finding.
  EXPECT_EQ(result.model.nodes[0].bodies[1].graph, body);
  EXPECT_EQ(body->nodes[0].inputs, (Names{"table", "i"}));
  EXPECT_TRUE(result.model.constants.contains("i"));
}

TEST(FixModel, ChangesNothingTwice) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"), 9);
  model.constants["i"] = numbers({-1, 2});
  const FixedModel once = fixed(model, "old-negative-index");
  const CheckReport report = check(once.model).value();
  EXPECT_TRUE(std::none_of(report.findings.begin(), report.findings.end(), [](const auto& finding) {
    return finding.rule == "old-negative-index";
  }));
}

TEST(FixModel, TakesNamesThatNothingHas) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"), 9);
  model.constants["i"] = numbers({-1});
  model.outputs.push_back(infer_fixture::untyped("windrow_fix1_1_indices"));
  model.nodes.push_back(node("Identity", {"i"}, "windrow_fix1_1_indices"));
  const FixedModel result = fixed(model, "old-negative-index");
  EXPECT_EQ(result.model.nodes[0].inputs[1], "windrow_fix2_1_indices");
}

TEST(FixModel, RefusesNetworks) {
  Model model = model_of(node("Gather", {"table", "i"}, "y"));
  model.dialect = "tensorrt";
  EXPECT_EQ(fix_model(model, found("gather-index-range")).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow
