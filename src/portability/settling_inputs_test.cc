#include "src/portability/settling_inputs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;
using internal::InputTrace;
using Texts = std::vector<std::string>;

// A table of 8 rows whose indices are mask * scale, of which nothing is known.
Model product(const Texts& factors) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("table", DType::kFloat32, {{8, ""}, {3, ""}})};
  for (const std::string& factor : factors)
    model.inputs.push_back(value(factor, DType::kInt64, {{4, ""}}));
  std::string last = factors.front();
  for (std::size_t i = 1; i < factors.size(); ++i) {
    model.nodes.push_back(node("Mul", {last, factors[i]}, "product" + std::to_string(i)));
    last = "product" + std::to_string(i);
  }
  model.nodes.push_back(node("Neg", {last}, "minus"));
  model.nodes.push_back(node("Gather", {"table", "minus"}, "y"));
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

std::string what(const Model& model, CheckOptions options = {}) {
  options.targets = parse_targets("onnxruntime:cpu").value();
  options.select = {"gather-index-range"};
  const CheckReport report = check(model, options).value();
  if (report.findings.size() != 1U) return std::to_string(report.findings.size());
  const PortabilityFinding& finding = report.findings[0];
  EXPECT_NE(finding.message.find(finding.what), std::string::npos) << finding.message;
  return finding.what;
}

TEST(SettlingInputs, AreNamedWithTheOption) {
  EXPECT_EQ(what(product({"mask"})),
            "nothing is known of indices, and axis 0 of data takes -8 to 7; --assume mask=0..1 "
            "would settle it, if that is true");
  EXPECT_EQ(what(product({"mask", "part"})),
            "nothing is known of indices, and axis 0 of data takes -8 to 7; --assume mask=0..1 "
            "--assume part=0..1 would settle it, if that is true");
}

TEST(SettlingInputs, AreNotNamedIfThereAreMany) {
  EXPECT_EQ(what(product({"a", "b", "c", "d"})),
            "nothing is known of indices, and axis 0 of data takes -8 to 7");
}

TEST(SettlingInputs, ThatOnlyBoundSaySo) {
  Model model = product({"mask"});
  model.constants["far"] = Tensor::of<std::int64_t>({1}, {-20});
  model.nodes.insert(model.nodes.begin() + 1, node("Add", {"minus", "far"}, "far_minus"));
  model.nodes.back().inputs[1] = "far_minus";
  const std::string text = what(model);
  EXPECT_NE(text.find("a promise such as --assume mask=0..1 would bound them"), std::string::npos)
      << text;
}

TEST(SettlingInputs, AreNotThoseOfFloatsOrOfWhichOnlyTheShapeIsRead) {
  Model model = product({"mask"});
  model.inputs[1].dtype = DType::kFloat32;
  model.nodes.insert(model.nodes.begin() + 1,
                     node("Cast", {"minus"}, "number", infer_fixture::with("to", 7)));
  model.nodes.back().inputs[1] = "number";
  EXPECT_EQ(what(model).find("--assume"), std::string::npos);
  const InputTrace trace(model);
  EXPECT_TRUE(trace.inputs_of("y", 4).empty());
}

TEST(SettlingInputs, AreFoundAroundBodies) {
  Model model = product({"mask"});
  auto body = std::make_shared<Graph>();
  body->nodes = {node("Neg", {"mask"}, "inner")};
  body->outputs = {infer_fixture::untyped("inner")};
  model.nodes.insert(model.nodes.begin(), node("If", {"condition"}, "chosen"));
  model.nodes.front().bodies = {{"then_branch", body}};
  EXPECT_EQ(InputTrace(model).inputs_of("chosen", 4), Texts{"mask"});
  model.nodes.front() = node("Shape", {"mask"}, "chosen");
  EXPECT_TRUE(InputTrace(model).inputs_of("chosen", 4).empty());
}

}  // namespace
}  // namespace windrow
