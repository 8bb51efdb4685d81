#include "src/portability/contracts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;
using Texts = std::vector<std::string>;

// table float32[rows, 3], ids int64[n] -> Gather.
Model embedding(Dim rows, DType type = DType::kInt64) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("table", DType::kFloat32, {rows, {3, ""}}),
                  value("ids", type, {{-1, "n"}})};
  model.nodes = {node("Gather", {"table", "ids"}, "y")};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

CheckOptions options_of(std::int64_t low, std::int64_t high,
                        const Texts& select = {"gather-index-range"}) {
  CheckOptions options;
  options.targets = parse_targets("onnxruntime:cpu,openvino:cpu").value();
  options.select = select;
  options.assume["ids"] = {low, high};
  return options;
}

// "can gather-index-range: indices lie in 0 to 9, and ... if ids lies in 0 to 9 (assumed)", then
// "ids must lie in ...".
Texts lines(const Model& model, const CheckOptions& options) {
  const CheckReport report = check(model, options).value();
  Texts found;
  for (const PortabilityFinding& finding : report.findings) {
    std::string& line = found.emplace_back(verdict_name(finding.verdict));
    line += " " + finding.rule + ": " + finding.what;
    for (const std::string& premise : finding.premises) line += " if " + premise;
  }
  for (const InputContract& contract : report.contracts) found.push_back(contract.sentence);
  return found;
}

TEST(Promises, ThatCanBreakAContractAreFindings) {
  EXPECT_EQ(
      lines(embedding({6148, ""}), options_of(0, 8951)),
      Texts{"can gather-index-range: indices lie in 0 to 8951, and axis 0 of data takes -6148 "
            "to 6147 if ids lies in 0 to 8951 (assumed)"});
  EXPECT_EQ(
      lines(embedding({4, ""}), options_of(-5, 3)),
      Texts{"can gather-index-range: indices lie in -5 to 3, and axis 0 of data takes -4 to 3 "
            "if ids lies in -5 to 3 (assumed)"});
  EXPECT_EQ(lines(embedding({200, ""}, DType::kInt32), options_of(0, 200)).size(), 1U);
}

TEST(Promises, ThatMustBreakAContractHappen) {
  EXPECT_EQ(lines(embedding({6148, ""}), options_of(6148, 8951)),
            Texts{"happens gather-index-range: indices lie in 6148 to 8951, but axis 0 of data "
                  "takes -6148 to 6147 if ids lies in 6148 to 8951 (assumed) if indices has an "
                  "element"});
  const Texts negative = lines(embedding({4, ""}), options_of(-9, -5));
  ASSERT_EQ(negative.size(), 1U);
  EXPECT_TRUE(negative[0].starts_with("happens gather-index-range")) << negative[0];
  Model fixed = embedding({4, ""});
  fixed.inputs[1].dims = {{2, ""}};
  EXPECT_EQ(lines(fixed, options_of(4, 4)),
            Texts{"happens gather-index-range: indices lie in 4 to 4, but axis 0 of data takes -4 "
                  "to 3 if ids lies in 4 to 4 (assumed)"});
  fixed.inputs[1].dims = {{0, ""}};
  EXPECT_TRUE(lines(fixed, options_of(4, 4)).empty());
}

TEST(Promises, InsideAContractCloseIt) {
  EXPECT_TRUE(lines(embedding({6148, ""}), options_of(0, 6147)).empty());
  EXPECT_TRUE(lines(embedding({4, ""}), options_of(-4, 3)).empty());
  EXPECT_TRUE(lines(embedding({256, ""}, DType::kUint8), options_of(0, 300)).empty());
  CheckOptions all = options_of(0, 6147);
  all.show_cannot = true;
  EXPECT_EQ(lines(embedding({6148, ""}), all),
            Texts{"cannot gather-index-range: indices lie in 0 to 6147 if ids lies in 0 to 6147 "
                  "(assumed)"});
}

TEST(Promises, AreHeldAgainstExtentsWithoutANumber) {
  EXPECT_EQ(lines(embedding({-1, "rows"}), options_of(0, 8951)),
            Texts{"can gather-index-range: indices lie in 0 to 8951, and axis 0 of data takes "
                  "-table.shape[0] to table.shape[0] - 1 if ids lies in 0 to 8951 (assumed)"});
  CheckOptions others = options_of(0, 1);
  others.assume.clear();
  EXPECT_EQ(lines(embedding({-1, "rows"}), others),
            Texts{"ids must lie in -table.shape[0] to table.shape[0] - 1"});
}

TEST(Promises, OfOneInputReachEveryNodeThatReadsIt) {
  Model model = embedding({4, ""});
  model.inputs.push_back(value("small", DType::kFloat32, {{2, ""}}));
  model.nodes.push_back(node("Gather", {"small", "ids"}, "z"));
  const Texts found = lines(model, options_of(0, 3));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].find("takes -2 to 1") != std::string::npos) << found[0];
}

TEST(Promises, OfDefaultInputsAreHeldToo) {
  Model model = embedding({4, ""});
  model.default_inputs = {model.inputs.back()};
  model.inputs.pop_back();
  model.constants["ids"] = Tensor::from<std::int64_t>({1}, std::vector<std::int64_t>{0});
  EXPECT_EQ(lines(model, options_of(0, 4)),
            Texts{"can gather-index-range: indices lie in 0 to 4, and axis 0 of data takes -4 to 3 "
                  "if ids lies in 0 to 4 (assumed)"});
  EXPECT_TRUE(lines(model, options_of(0, 3)).empty());
}

TEST(Promises, OnColumnsOfTuplesAreHeldToo) {
  Model model = embedding({4, ""});
  model.inputs[1].dims = {{-1, "n"}, {2, ""}};
  model.nodes = {node("GatherND", {"table", "ids"}, "y")};
  const Texts found = lines(model, options_of(0, 3, {"gather-nd-index-range"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("can gather-nd-index-range: indices lie in 0 to 3")) << found[0];
  EXPECT_TRUE(lines(model, options_of(0, 2, {"gather-nd-index-range"})).empty());
}

TEST(Promises, OnIntervalsLeaveOtherDemands) {
  Model model;
  model.opset_imports[""] = 18;
  model.inputs = {value("x", DType::kFloat32, {{4, ""}}), value("ids", DType::kInt64, {{2, ""}}),
                  value("u", DType::kFloat32, {{2, ""}})};
  model.nodes = {node("ScatterElements", {"x", "ids", "u"}, "y")};
  model.outputs = {infer_fixture::untyped("y")};
  CheckOptions options = options_of(0, 3, {"scatter-elements-duplicates"});
  options.targets.clear();
  EXPECT_EQ(lines(model, options), Texts{"ids must not address a cell twice"});
}

TEST(Promises, OfDataThatAHostNarrows) {
  Model model = embedding({4, ""});
  model.inputs[0].dtype = DType::kInt64;
  model.inputs[1].dtype = DType::kInt32;
  CheckOptions options = options_of(0, 3, {"type-wide-integers"});
  options.assume["table"] = {0, std::int64_t{1} << 40};
  const Texts can = lines(model, options);
  ASSERT_EQ(can.size(), 1U);
  EXPECT_TRUE(can[0].starts_with("can type-wide-integers")) << can[0];
  options.assume["table"] = {std::int64_t{1} << 33, std::int64_t{1} << 40};
  const Texts certain = lines(model, options);
  ASSERT_EQ(certain.size(), 1U);
  EXPECT_TRUE(certain[0].starts_with("happens type-wide-integers")) << certain[0];
  options.assume["table"] = {-5, 5};
  EXPECT_TRUE(lines(model, options).empty());
}

TEST(Promises, AboutAnInputThatIsNotThereNameTheNearest) {
  CheckOptions options = options_of(0, 3);
  options.assume = {{"idz", {0, 3}}};
  const auto report = check(embedding({4, ""}), options);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(std::string(report.error().message()).find("did you mean ids?"), std::string::npos)
      << report.error().message();
}

// The values of inputs in a run take the place of promises.
TEST(GivenValues, AreJudgedElementByElement) {
  Model model = embedding({4, ""});
  model.nodes.insert(model.nodes.begin(),
                     node("Cast", {"ids"}, "narrow", infer_fixture::with("to", 6)));
  model.nodes.push_back(node("Gather", {"table", "narrow"}, "z"));
  CheckOptions options = options_of(0, 3);
  const auto give = [&](const std::vector<std::int64_t>& ids) {
    options.given["ids"] = std::make_shared<const Tensor>(
        Tensor::from<std::int64_t>({static_cast<std::int64_t>(ids.size())}, ids));
    return check(model, options).value().findings;
  };
  const auto found = give({0, 3, 9, -5});
  ASSERT_EQ(found.size(), 2U);
  for (const PortabilityFinding& finding : found) {
    EXPECT_EQ(finding.verdict, Verdict::kHappens);
    EXPECT_EQ(finding.evidence, Evidence::kInputs);
  }
  EXPECT_EQ(found[0].position, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(found[0].value, "9");
  EXPECT_EQ(found[1].position, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(found[1].value, "9");
  EXPECT_EQ(found[0].what, "indices[2] is 9, but axis 0 of data takes -4 to 3");
  EXPECT_TRUE(give({0, 3}).empty());
  // What OpenVINO makes of a tensor without elements is not known.
  for (const PortabilityFinding& finding : give({})) {
    EXPECT_EQ(finding.verdict, Verdict::kCan);
    EXPECT_EQ(std::count(finding.runtimes.begin(), finding.runtimes.end(), "onnxruntime:cpu"), 0);
  }
}

TEST(GivenValues, ThatAreNotTheModelsAreErrors) {
  CheckOptions options = options_of(0, 3);
  const auto code = [&](const std::string& name, Tensor tensor) {
    options.given = {{name, std::make_shared<const Tensor>(std::move(tensor))}};
    const auto report = check(embedding({4, ""}), options);
    return report.ok() ? ErrorCode::kOk : report.error().code();
  };
  EXPECT_EQ(code("idz", Tensor::of<std::int64_t>({1}, {0})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("ids", Tensor::of<std::int32_t>({1}, {0})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("ids", Tensor::of<std::int64_t>({1, 1}, {0})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("ids", Tensor::of<std::int64_t>({1}, {0})), ErrorCode::kOk);
}

}  // namespace
}  // namespace windrow

namespace windrow::internal {
namespace {

Bound number(std::int64_t value) { return {"", false, value}; }

std::vector<ValueInfo> inputs_called(const std::vector<std::string>& names) {
  std::vector<ValueInfo> inputs;
  for (const std::string& name : names) inputs.push_back({name, DType::kInt64, std::nullopt});
  return inputs;
}

TEST(Contracts, JoinWhatRulesAskOfAnInput) {
  Contracts contracts;
  contracts.add("ids", {number(-30522), number(30521), ""}, "gather-index-range", "main/a");
  contracts.add("ids", {number(-512), number(511), ""}, "gather-index-range", "main/b");
  contracts.add("ids", {.low = number(0)}, "gather-negative-index-dynamic", "main/b");
  contracts.add("mask", {.words = "must not be NaN"}, "reduction-nan", "main/c");
  const std::vector<InputContract> list = contracts.list(inputs_called({"mask", "x", "ids"}));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].sentence, "mask must not be NaN");
  EXPECT_EQ(list[1].sentence, "ids must lie in 0 to 511");
  EXPECT_EQ(list[1].low, "0");
  EXPECT_EQ(list[1].high, "511");
  EXPECT_EQ(list[1].rules,
            (std::vector<std::string>{"gather-index-range", "gather-negative-index-dynamic"}));
  EXPECT_EQ(list[1].nodes, (std::vector<std::string>{"main/a", "main/b"}));
}

TEST(Contracts, NameExtents) {
  Contracts contracts;
  const Bound low{"table.shape[0]", true, 0};
  const Bound high{"table.shape[0]", false, -1};
  contracts.add("ids", {low, high, ""}, "gather-index-range", "main/a");
  const auto sentence = [&] { return contracts.list(inputs_called({"ids"})).at(0).sentence; };
  EXPECT_EQ(sentence(), "ids must lie in -table.shape[0] to table.shape[0] - 1");
  contracts.add("ids", {number(-4), number(3), "must not address a cell twice"},
                "scatter-nd-duplicates", "main/b");
  EXPECT_EQ(sentence(),
            "ids must lie in max(-table.shape[0], -4) to min(table.shape[0] - 1, 3) and must not "
            "address a cell twice");
}

TEST(Contracts, LeaveBoundsOutThatOthersImply) {
  Contracts contracts;
  contracts.add("ids", {.low = Bound{"x.shape[0]", true, 0}}, "gather-index-range", "main/a");
  contracts.add("ids", {.low = number(0)}, "gather-negative-index", "main/a");
  EXPECT_EQ(contracts.list(inputs_called({"ids"})).at(0).sentence, "ids must be at least 0");
}

TEST(Contracts, JoinBoundsOfAllElementsWithThoseOfColumns) {
  Contracts contracts;
  const Bound rows{"data.shape[0]", false, -1};
  const Bound minus_rows{"data.shape[0]", true, 0};
  Demand demand;
  demand.columns = {{minus_rows, rows}, {number(-3), number(2)}, {std::nullopt, number(9)}};
  contracts.add("indices", {.low = number(0)}, "gather-negative-index", "main/a");
  contracts.add("indices", demand, "gather-index-range", "main/a");
  demand.columns = {{std::nullopt, number(5)}, {number(-1), number(1)}, {std::nullopt, number(9)}};
  contracts.add("indices", demand, "gather-index-range", "main/b");
  const InputContract contract = contracts.list(inputs_called({"indices"})).at(0);
  EXPECT_EQ(
      contract.sentence,
      "indices must lie along its last axis in 0 to min(data.shape[0] - 1, 5), 0 to 1, 0 to 9");
  EXPECT_EQ(contract.low, "0");
  EXPECT_EQ(contract.high, "");
}

TEST(Contracts, NameAtMostEightNodes) {
  Contracts contracts;
  for (int i = 0; i < 20; ++i)
    contracts.add("ids", {.low = number(0)}, "gather-negative-index", "main/" + std::to_string(i));
  EXPECT_EQ(contracts.list(inputs_called({"ids"})).at(0).nodes.size(), 8U);
}

}  // namespace
}  // namespace windrow::internal

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
