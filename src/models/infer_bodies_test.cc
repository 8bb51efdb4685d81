#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using namespace infer_fixture;  // NOLINT(google-build-using-namespace)

std::shared_ptr<const Graph> body(const Names& inputs, std::vector<ModelNode> nodes,
                                  const Names& outputs) {
  Graph graph;
  for (const std::string& name : inputs) graph.inputs.push_back(untyped(name));
  graph.nodes = std::move(nodes);
  for (const std::string& name : outputs) graph.outputs.push_back(untyped(name));
  return std::make_shared<const Graph>(std::move(graph));
}

ModelNode with_bodies(ModelNode node, const Names& outputs, std::vector<NodeBody> bodies) {
  node.outputs = outputs;
  node.bodies = std::move(bodies);
  return node;
}

// An If called "node_y" whose branches give values "a" and "b".
ModelNode choice(std::vector<ModelNode> then_nodes, std::vector<ModelNode> else_nodes) {
  return with_bodies(node("If", {"c"}, "y"), {"y"},
                     {{"then_branch", body({}, std::move(then_nodes), {"a"})},
                      {"else_branch", body({}, std::move(else_nodes), {"b"})}});
}

Model model_with(std::vector<ModelNode> nodes) {
  Model model = gather_model();
  model.inputs.push_back(value("c", DType::kBool, {}));
  model.nodes = std::move(nodes);
  return model;
}

TEST(InferIf, BranchesSeeTheValuesAroundAndAreJoined) {
  const Model model = model_with({choice({node("Gather", {"x", "i"}, "a")},
                                         {node("Gather", {"x", "i"}, "b", with("axis", 1))})});
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_y.then_branch", "a"), "float32[3, 4] proven");
  EXPECT_EQ(shown(found, "main/node_y.else_branch", "b"), "float32[N, 3] proven");
  EXPECT_EQ(shown(found, "y"), "float32[?, ?] proven");
  const std::vector<NodeReport> reports = model.inspect().value();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].node, "node_a");
  EXPECT_EQ(reports[0].path, "main/node_y.then_branch/node_a");
  EXPECT_EQ(to_string(reports[0].inputs[0]), "float32[N, 4]");
  EXPECT_EQ(reports[0].inputs[0].name, "x");
}

TEST(InferIf, ABranchMayGiveAValueFromAround) {
  Model model = model_with({choice({node("Gather", {"x", "i"}, "a")}, {})});
  const_cast<Graph&>(*model.nodes[0].bodies[1].graph).outputs = {untyped("x")};
  EXPECT_EQ(shown(model.infer().value(), "y"), "float32[?, 4] proven");
}

TEST(InferIf, ClaimsOfABranchStayClaims) {
  Model model = model_with({choice({node("Gather", {"x", "i"}, "a")}, {node("Neg", {"x"}, "b")})});
  Graph& other = const_cast<Graph&>(*model.nodes[0].bodies[1].graph);
  other.outputs = {value("b", DType::kFloat32, {{3, ""}, {4, ""}})};
  EXPECT_EQ(shown(model.infer().value(), "y"), "float32[3, 4] claimed");
}

// The x in the branch is its own; the one behind the node is not seen by it.
TEST(InferIf, NamesShadow) {
  ModelNode inner = choice({node("Gather", {"x", "i"}, "x2"), node("Identity", {"late"}, "a")},
                           {node("Identity", {"late"}, "b")});
  ModelNode outer = with_bodies(
      node("If", {"c"}, "z"), {"z"},
      {{"then_branch",
        body({}, {node("Gather", {"i", "i"}, "x"), std::move(inner), node("Neg", {"x"}, "late")},
             {"y"})},
       {"else_branch", body({}, {node("Identity", {"i"}, "y")}, {"y"})}});
  const Model model = model_with({node("Identity", {"x"}, "late"), std::move(outer)});
  const Inference found = model.infer().value();
  const std::string then = "main/node_z.then_branch";
  EXPECT_EQ(shown(found, then, "x"), "int64[3] proven");
  EXPECT_EQ(shown(found, then + "/node_y.then_branch", "x2"), "int64[3] proven");
  EXPECT_EQ(shown(found, then + "/node_y.then_branch", "a"), "float32[N, 4] proven");
  EXPECT_EQ(shown(found, then, "late"), "? unknown");
}

// A Loop called "node_l" with a carried value v that starts as `start`.
ModelNode loop(const std::string& start, std::vector<ModelNode> nodes, const Names& body_outputs,
               const Names& outputs) {
  return with_bodies(node("Loop", {"", "c", start}, "l"), outputs,
                     {{"body", body({"n", "go", "v"}, std::move(nodes), body_outputs)}});
}

TEST(InferLoop, AStableCarriedShapeIsKnown) {
  const Model model =
      model_with({loop("x",
                       {node("Identity", {"v"}, "w"), node("Gather", {"v", "n"}, "row"),
                        node("Gather", {"v", "i"}, "rows")},
                       {"go", "w", "row", "rows"}, {"end", "all", "stacks"})});
  const Inference found = model.infer().value();
  const std::string path = "main/node_l.body";
  EXPECT_EQ(shown(found, path, "n"), "int64[] proven");
  EXPECT_EQ(shown(found, path, "go"), "bool[] proven");
  EXPECT_EQ(shown(found, path, "v"), "float32[N, 4] proven");
  EXPECT_EQ(shown(found, path, "row"), "float32[4] proven");
  EXPECT_EQ(shown(found, "end"), "float32[N, 4] proven");
  EXPECT_EQ(shown(found, "all"), "float32[?, 4] proven");
  EXPECT_EQ(shown(found, "stacks"), "float32[?, 3, 4] proven");
}

// The first gather makes N to 3, which then stays.
TEST(InferLoop, ADimensionThatChangesIsUnknown) {
  const Model model =
      model_with({loop("x", {node("Gather", {"v", "i"}, "w")}, {"go", "w"}, {"end"})});
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_l.body", "v"), "float32[?, 4] proven");
  EXPECT_EQ(shown(found, "main/node_l.body", "w"), "float32[3, 4] proven");
  EXPECT_EQ(shown(found, "end"), "float32[?, 4] proven");
}

// Every iteration gives the value another axis.
TEST(InferLoop, ARankThatChangesIsUnknown) {
  Model model = model_with({loop("i", {node("Gather", {"j", "v"}, "w")}, {"go", "w"}, {"end"})});
  model.inputs.push_back(value("j", DType::kInt64, {{9, ""}, {9, ""}}));
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_l.body", "v"), "int64? proven");
  EXPECT_EQ(shown(found, "end"), "int64? proven");
  EXPECT_TRUE(found.findings.list.empty());
}

// Nothing is known of what Concat gives, so the carried value keeps nothing but its type.
TEST(InferLoop, AValueThatGrowsByConcat) {
  Model model = model_with({loop("x", {node("Concat", {"v", "v"}, "w")}, {"go", "w"}, {"end"})});
  EXPECT_EQ(shown(model.infer().value(), "main/node_l.body", "v"), "? unknown");
  InferOptions options;
  options.infer_others = [](const Model&) -> Result<GraphValueInfos> {
    return GraphValueInfos{
        {"main/node_l.body", {{"w", value("w", DType::kFloat32, {{-1, ""}, {4, ""}})}}}};
  };
  // Asked only if a gather needs it.
  model.nodes.push_back(node("Gather", {"end", "i"}, "y"));
  const Inference found = model.infer(options).value();
  EXPECT_EQ(shown(found, "main/node_l.body", "v"), "float32[?, 4] onnx");
  EXPECT_EQ(shown(found, "y"), "float32[3, 4] onnx");
}

TEST(InferLoop, ABodyMayTakeTheNumberAsATensorOfOneElement) {
  Model model = model_with({loop("x", {node("Gather", {"v", "n"}, "w")}, {"go", "v"}, {"end"})});
  Graph& inner = const_cast<Graph&>(*model.nodes[0].bodies[0].graph);
  inner.inputs[0] = value("n", DType::kInt64, {{1, ""}});
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_l.body", "w"), "float32[1, 4] claimed");
  EXPECT_TRUE(found.findings.list.empty());
}

TEST(InferLoop, WhatABodyDeclaresOfItsInputsIsAClaim) {
  Model model = model_with({loop("x", {node("Gather", {"v", "n"}, "w")}, {"go", "v"}, {"end"})});
  Graph& inner = const_cast<Graph&>(*model.nodes[0].bodies[0].graph);
  inner.inputs[2] = value("v", DType::kFloat32, {{-1, ""}, {5, ""}});
  const Inference found = model.infer().value();
  EXPECT_EQ(findings(found),
            std::vector<std::string>{"graph 'main/node_l.body': the model declares 'v' as "
                                     "float32[?, 5], but it is float32[N, 4]"});
  EXPECT_EQ(shown(found, "main/node_l.body", "w"), "float32[4] proven");
}

TEST(InferLoop, FaultsOfAPassThatIsRepeatedAreToldOnce) {
  const Model model = model_with({loop(
      "x", {node("Gather", {"v", "i"}, "w"), node("Gather", {"x", "i"}, "bad", with("axis", 7))},
      {"go", "w"}, {"end"})});
  EXPECT_EQ(model.infer().value().findings.list.size(), 1U);
}

TEST(InferScan, BodiesGetSlices) {
  ModelNode scan = with_bodies(
      node("Scan", {"s", "x", "t"}, "l",
           {{"num_scan_inputs", std::int64_t{2}},
            {"scan_input_axes", std::vector<std::int64_t>{1, -1}},
            {"scan_output_axes", std::vector<std::int64_t>{-1}}}),
      {"end", "all"},
      {{"body", body({"state", "a", "b"},
                     {node("Gather", {"a", "i"}, "g"), node("Identity", {"state"}, "next")},
                     {"next", "g"})}});
  Model model = model_with({std::move(scan)});
  model.inputs.push_back(value("s", DType::kFloat32, {{2, ""}}));
  model.inputs.push_back(value("t", DType::kInt64, {{5, ""}, {-1, ""}}));
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_l.body", "a"), "float32[N] proven");
  EXPECT_EQ(shown(found, "main/node_l.body", "b"), "int64[5] proven");
  EXPECT_EQ(shown(found, "main/node_l.body", "g"), "float32[3] proven");
  EXPECT_EQ(shown(found, "end"), "float32[2] proven");
  EXPECT_EQ(shown(found, "all"), "float32[3, 4] proven");
}

TEST(InferScan, BeforeOpset9NothingIsSaid) {
  ModelNode scan = with_bodies(node("Scan", {"", "x"}, "l", with("num_scan_inputs", 1)), {"all"},
                               {{"body", body({"a"}, {node("Gather", {"a", "i"}, "g")}, {"g"})}});
  Model model = model_with({std::move(scan)});
  model.opset_imports[""] = 8;
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "main/node_l.body", "a"), "? unknown");
  EXPECT_EQ(shown(found, "all"), "? unknown");
}

TEST(InferScan, RefusesNoNumberOfScanInputs) {
  for (const std::int64_t number : {-1, 0, 3}) {
    ModelNode scan = with_bodies(node("Scan", {"x"}, "l", with("num_scan_inputs", number)), {"all"},
                                 {{"body", body({"a"}, {node("Neg", {"a"}, "g")}, {"g"})}});
    EXPECT_EQ(shown(model_with({std::move(scan)}).infer().value(), "all"), "? unknown");
  }
}

TEST(InferFunctions, HaveTheTypesOfTheirCalls) {
  Model model = model_with({node("Twice", {"x"}, "y")});
  model.nodes[0].domain = "mine";
  model.nodes[0].unsupported = "it is a function of the model";
  ModelFunction& function = model.functions.emplace_back();
  function.domain = "mine";
  function.graph.name = "Twice";
  function.opset_imports[""] = 11;
  function.graph.inputs = {untyped("a")};
  function.graph.nodes = {
      node("Constant", {}, "two", {{"value_ints", std::vector<std::int64_t>{0, 1}}}),
      node("Gather", {"a", "two"}, "b"), node("Shape", {"a"}, "s"),
      node("Gather", {"two", "s"}, "t")};
  function.graph.outputs = {untyped("b")};
  // value_ints is of opset 12.
  const Inference found = model.infer().value();
  EXPECT_EQ(found.findings.list.size(), 1U);
  function.opset_imports[""] = 13;
  const Inference again = model.infer().value();
  EXPECT_EQ(shown(again, "function mine.Twice", "t"), "int64[?] proven");
  EXPECT_EQ(shown(again, "function mine.Twice", "a"), shown(again, "x"));
  EXPECT_TRUE(again.notes.empty());
  model.nodes.clear();
  EXPECT_EQ(shown(model.infer().value(), "function mine.Twice", "a"), "? unknown");
  EXPECT_EQ(model.inspect().value()[0].path, "function mine.Twice/node_b");
  EXPECT_EQ(model.inspect().value()[0].operator_name, "onnx.Gather-13");
}

ModelFunction function_of(const std::string& name, std::vector<ModelNode> nodes) {
  ModelFunction function;
  function.domain = "mine";
  function.graph.name = name;
  function.opset_imports[""] = 13;
  function.graph.inputs = {untyped("a"), untyped("b")};
  function.graph.nodes = std::move(nodes);
  function.graph.outputs = {untyped("c")};
  return function;
}

ModelNode call_of(const std::string& name, const Names& inputs, const std::string& output) {
  ModelNode call = node(name, inputs, output);
  call.domain = "mine";
  call.unsupported = "it is a function of the model";
  return call;
}

// Outer calls Pick, which stands in front of it; it is called with indices of integers and floats.
TEST(InferFunctions, AreJudgedForEachOfTheirCalls) {
  Model model = gather_model();
  model.inputs.push_back(value("f", DType::kFloat32, {{3, ""}}));
  model.functions = {function_of("Pick", {node("Gather", {"a", "b"}, "c")}),
                     function_of("Outer", {call_of("Pick", {"a", "b"}, "c")})};
  model.nodes = {call_of("Outer", {"x", "i"}, "y")};
  Inference found = model.infer().value();
  EXPECT_TRUE(found.findings.list.empty());
  EXPECT_EQ(shown(found, "function mine.Pick", "c"), "float32[3, 4] proven");
  model.nodes.push_back(call_of("Outer", {"x", "f"}, "z"));
  model.nodes.push_back(call_of("Outer", {"x", "i"}, "w"));
  found = model.infer().value();
  ASSERT_EQ(found.findings.list.size(), 1U);
  EXPECT_EQ(found.findings.list[0].node, "function mine.Pick/node_c");
  EXPECT_EQ(found.findings.list[0].status.constraint(), "ONNX-Gather-T2");
  EXPECT_EQ(shown(found, "function mine.Pick", "a"), "float32[N, 4] proven");
  EXPECT_EQ(shown(found, "function mine.Pick", "b"), "?[3] proven");
}

TEST(InferFunctions, ThatCallThemselvesHaveNoTypes) {
  Model model = gather_model();
  model.functions = {function_of("Pick", {call_of("Pick", {"a", "b"}, "c")})};
  model.nodes = {call_of("Pick", {"x", "i"}, "y")};
  EXPECT_EQ(shown(model.infer().value(), "function mine.Pick", "a"), "? unknown");
}

// Loops in loops whose carried values never settle.
TEST(InferLoop, DeepNestsTakeLinearTime) {
  std::shared_ptr<const Graph> inner;
  for (int depth = 0; depth < 30; ++depth) {
    std::vector<ModelNode> nodes = {node("Gather", {"j", "v"}, "w")};
    if (inner)
      nodes.push_back(with_bodies(node("Loop", {"", "go", "i"}, "l"), {"e"}, {{"body", inner}}));
    inner = body({"n", "go", "v"}, std::move(nodes), {"go", "w"});
  }
  Model model =
      model_with({with_bodies(node("Loop", {"", "c", "i"}, "l"), {"end"}, {{"body", inner}})});
  model.inputs.push_back(value("j", DType::kInt64, {{9, ""}, {9, ""}}));
  const auto start = std::chrono::steady_clock::now();
  const Inference found = model.infer().value();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(shown(found, "end"), "int64? proven");
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes[0].find("too large"), std::string::npos);
}

TEST(InferIf, ManyBodies) {
  std::vector<ModelNode> nodes;
  for (int i = 0; i < 50000; ++i) {
    nodes.push_back(choice({node("Gather", {"x", "i"}, "a")}, {node("Identity", {"x"}, "b")}));
    nodes.back().name = "if_" + std::to_string(i);
    nodes.back().outputs = {"y" + std::to_string(i)};
  }
  const Model model = model_with(std::move(nodes));
  std::size_t reports = 0;
  const auto start = std::chrono::steady_clock::now();
  const Result<Inference> found = model.inspect(
      {}, {}, [&](const NodeReport& report) { reports += report.path.empty() ? 0 : 1; });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(reports, 50000U);
}

}  // namespace
}  // namespace windrow
