#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windrow/models.h"

namespace windrow {
namespace {

using Names = std::vector<std::string>;

ValueInfo value(const std::string& name, DType type, std::vector<Dim> dims) {
  return {name, type, std::move(dims)};
}

ModelNode node(const std::string& op, const Names& inputs, const std::string& output,
               Attributes attributes = {}) {
  return {"node_" + output, "", op, inputs, {output}, std::move(attributes), ""};
}

Attributes with(const std::string& name, std::int64_t number) { return {{name, number}}; }

void add_constant(Model& model, const std::string& name, Tensor tensor) {
  model.constants[name] = std::make_shared<const Tensor>(std::move(tensor));
}

// x [2, N, 5] and its shape.
Model shape_model() {
  Model model;
  model.opset_imports[""] = 15;
  model.inputs = {value("x", DType::kFloat32, {{2, ""}, {-1, "N"}, {5, ""}})};
  model.nodes = {node("Shape", {"x"}, "shape")};
  return model;
}

// "2 N ?"; "-" if nothing is known.
std::string elements(const Model& model, const std::string& name) {
  const auto known = model.infer().value().values().at(name).elements;
  if (!known) return "-";
  std::string text;
  for (const KnownElement& element : *known) {
    if (!text.empty()) text += ' ';
    text += element.value ? std::to_string(*element.value)
                          : (element.symbol.empty() ? "?" : element.symbol);
  }
  return text;
}

std::string type(const Model& model, const std::string& name) {
  return to_string(model.infer().value().values().at(name));
}

TEST(Infer, FollowsTheNodes) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", DType::kFloat16, {{-1, "N"}, {4, ""}}),
                  value("i", DType::kInt64, {{2, ""}, {3, ""}})};
  model.nodes = {node("Gather", {"x", "i"}, "y"), node("Identity", {"y"}, "z"),
                 node("Constant", {}, "c", {{"value_ints", std::vector<std::int64_t>{1, 2}}}),
                 node("Gather", {"z", "c"}, "w", with("axis", -1))};
  EXPECT_EQ(type(model, "x"), "float16[N, 4]");
  EXPECT_EQ(type(model, "y"), "float16[2, 3, 4]");
  EXPECT_EQ(type(model, "z"), "float16[2, 3, 4]");
  EXPECT_EQ(type(model, "c"), "int64[2]");
  EXPECT_EQ(type(model, "w"), "float16[2, 3, 2]");
  EXPECT_EQ(model.infer().value().values().at("w").name, "w");
}

TEST(Infer, DeclaredTypesFillWhatIsUnknown) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", DType::kFloat32, {{-1, ""}, {4, ""}}),
                  value("i", DType::kInt64, {{-1, "M"}})};
  model.nodes = {node("Relu", {"x"}, "r"), node("Gather", {"r", "i"}, "y"),
                 node("Split", {"y"}, "s")};
  model.values = {value("r", DType::kFloat32, {{7, ""}, {4, ""}})};
  model.outputs = {value("y", DType::kFloat32, {{3, ""}, {9, ""}})};
  EXPECT_EQ(type(model, "r"), "float32[7, 4]");
  EXPECT_EQ(type(model, "y"), "float32[M, 4]");  // 9 contradicts: nothing of the claim holds
  EXPECT_EQ(type(model, "s"), "?");
}

TEST(Infer, ReportsBrokenRulesWithTheNode) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", DType::kFloat32, {{-1, "N"}, {4, ""}}),
                  value("i", DType::kInt64, {{-1, ""}})};
  model.nodes = {node("Gather", {"x", "i"}, "y", with("axis", 2))};
  const Status error = model.infer().value().first_broken_rule();
  EXPECT_EQ(error.constraint(), "ONNX-Gather-A1");
  EXPECT_EQ(error.message().rfind("node 'node_y': onnx.Gather-13 [ONNX-Gather-A1]", 0), 0U);
  model.nodes = {node("Gather", {"x", "i", "i"}, "y")};
  EXPECT_EQ(model.infer().value().first_broken_rule().code(), ErrorCode::kInvalidArgument);
}

TEST(Propagation, ShapeGivesDims) {
  Model model = shape_model();
  model.nodes.push_back(node("Shape", {"x"}, "tail", with("start", -2)));
  model.nodes.push_back(node("Shape", {"x"}, "head", with("end", 1)));
  model.nodes.push_back(node("Shape", {"x"}, "none", {{"start", std::int64_t{3}}}));
  EXPECT_EQ(elements(model, "shape"), "2 N 5");
  EXPECT_EQ(type(model, "shape"), "int64[3]");
  EXPECT_EQ(elements(model, "tail"), "N 5");
  EXPECT_EQ(elements(model, "head"), "2");
  EXPECT_EQ(type(model, "none"), "int64[0]");
}

TEST(Propagation, GatherOfAShapePicksDims) {
  Model model = shape_model();
  add_constant(model, "ids", Tensor::of<std::int64_t>({2}, {1, 2}));
  add_constant(model, "from_end", Tensor::of<std::int32_t>({1}, {-3}));
  add_constant(model, "scalar", Tensor::of<std::int64_t>({}, {1}));
  model.nodes.push_back(node("Identity", {"shape"}, "same"));
  model.nodes.push_back(node("Gather", {"same", "ids"}, "picked"));
  model.nodes.push_back(node("Gather", {"shape", "from_end"}, "first", with("axis", -1)));
  model.nodes.push_back(node("Gather", {"shape", "scalar"}, "middle"));
  model.nodes.push_back(node("Gather", {"picked", "from_end"}, "outside"));
  EXPECT_EQ(elements(model, "picked"), "N 5");
  EXPECT_EQ(elements(model, "first"), "2");
  EXPECT_EQ(elements(model, "middle"), "N");
  EXPECT_EQ(type(model, "middle"), "int64[]");
  EXPECT_EQ(elements(model, "outside"), "-");
}

TEST(Propagation, GatherDeclinesWhatIsNoListOfDims) {
  Model model = shape_model();
  model.inputs.push_back(value("unknown", DType::kInt64, {{2, ""}}));
  add_constant(model, "matrix", Tensor::of<std::int64_t>({1, 2}, {0, 1}));
  add_constant(model, "empty", Tensor::of<std::int64_t>({0}, {}));
  add_constant(model, "ids", Tensor::of<std::int64_t>({2}, {1, 0}));
  model.nodes.push_back(node("Gather", {"shape", "matrix"}, "a"));
  model.nodes.push_back(node("Gather", {"shape", "empty"}, "b"));
  model.nodes.push_back(node("Gather", {"shape", "unknown"}, "c"));
  model.nodes.push_back(node("Gather", {"unknown", "ids"}, "d"));
  model.nodes.push_back(node("Gather", {"matrix", "ids"}, "e", with("axis", 1)));
  for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_EQ(elements(model, name), "-") << name;
}

TEST(Propagation, ConstantsAreKnownUnlessTheyCanBeReplaced) {
  Model model = shape_model();
  add_constant(model, "table", Tensor::of<std::int32_t>({3}, {7, -8, 9}));
  add_constant(model, "ids", Tensor::of<std::int64_t>({2}, {2, 1}));
  add_constant(model, "reals", Tensor::of<float>({1}, {1}));
  model.nodes.push_back(node("Gather", {"table", "ids"}, "y"));
  EXPECT_EQ(elements(model, "y"), "9 -8");
  EXPECT_EQ(elements(model, "reals"), "-");
  model.default_inputs = {value("ids", DType::kInt64, {{2, ""}})};
  EXPECT_EQ(elements(model, "y"), "-");
}

TEST(Inspect, ReportsGatherAndScatterNodes) {
  Model model = shape_model();
  model.inputs.push_back(value("i", DType::kInt64, {{3, ""}, {2, ""}}));
  model.inputs.push_back(value("d", DType::kFloat32, {{4, ""}, {5, ""}, {6, ""}}));
  model.nodes.push_back(node("Gather", {"x", "i"}, "g", with("axis", -1)));
  model.nodes.push_back(node("GatherND", {"d", "i"}, "nd"));
  model.outputs = {value("nd", DType::kFloat32, {{9, ""}, {6, ""}})};
  CallOptions options;
  options.out_of_range = OutOfRange::kClamp;
  const std::vector<NodeReport> reports = model.inspect(options).value();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].node, "node_g");
  EXPECT_EQ(reports[0].operator_name, "onnx.Gather-13");
  EXPECT_EQ(to_string(reports[0].axis), "axis 2 of 3");
  EXPECT_EQ(reports[0].axis, (IndexedAxes{{{2}}, 3, 0}));
  EXPECT_EQ(reports[0].policy, "clamp");
  EXPECT_EQ(reports[0].plan, nullptr);
  EXPECT_EQ(reports[0].no_plan, "input 'x' is float32[2, N, 5]");
  EXPECT_EQ(to_string(reports[0].outputs.at(0)), "float32[2, N, 3, 2]");
  EXPECT_EQ(to_string(reports[1].axis), "axes 0..1 of 3");
  EXPECT_EQ(reports[1].plan->operator_name, "onnx.GatherND-13");
  EXPECT_EQ(reports[1].plan->shape, Shape({3, 6}));
  EXPECT_EQ(reports[1].no_plan, "");
  EXPECT_TRUE(reports[1].notes.empty());
  const std::vector<Finding> findings = model.infer().value().findings.list;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(to_string(findings[0]),
            "node 'node_nd': the model declares 'nd' as float32[9, 6], but it is float32[3, 6]");
}

TEST(Inspect, NamesTheAxes) {
  struct Row {
    std::string op;
    std::vector<Dim> indices;
    Attributes attributes;
    std::string axis;
  };
  const std::vector<Row> rows = {{"GatherND",
                                  {{4, ""}, {3, ""}, {2, ""}},
                                  with("batch_dims", 1),
                                  "axes 1..2 of 4 (batch_dims 1)"},
                                 {"GatherND",
                                  {{4, ""}, {3, ""}, {1, ""}},
                                  with("batch_dims", 1),
                                  "axis 1 of 4 (batch_dims 1)"},
                                 {"GatherND", {{3, ""}, {1, ""}}, {}, "axis 0 of 4"},
                                 {"GatherND", {{3, ""}, {-1, "K"}}, {}, "? of 4"},
                                 {"Gather", {{3, ""}}, {}, "axis 0 of 4"}};
  for (const Row& row : rows) {
    Model model;
    model.opset_imports[""] = 13;
    model.inputs = {value("d", DType::kFloat32, {{4, ""}, {5, ""}, {6, ""}, {7, ""}}),
                    value("i", DType::kInt64, row.indices)};
    model.nodes = {node(row.op, {"d", "i"}, "y", row.attributes)};
    EXPECT_EQ(to_string(model.inspect().value().at(0).axis), row.axis);
    model.inputs[0].dims.reset();
    EXPECT_EQ(to_string(model.inspect().value().at(0).axis), "?");
  }
}

TEST(Inspect, SaysWhyThereIsNoPlan) {
  Model model;
  model.opset_imports[""] = 11;
  model.inputs = {value("d", DType::kBFloat16, {{4, ""}}), value("i", DType::kInt64, {{2, ""}})};
  model.nodes = {node("Gather", {"d", "i"}, "y")};
  const NodeReport report = model.inspect().value().at(0);
  EXPECT_EQ(report.plan, nullptr);
  EXPECT_EQ(report.no_plan.rfind("onnx.Gather-11 [ONNX-Gather-T1]", 0), 0U) << report.no_plan;
}

}  // namespace
}  // namespace windrow
