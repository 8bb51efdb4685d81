#include "windrow/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

// table float32[4, 3] -> Gather of constant indices.
Model lookup(const std::vector<std::int64_t>& indices) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("table", DType::kFloat32, {{4, ""}, {3, ""}})};
  model.constants["i"] =
      Tensor::from<std::int64_t>({static_cast<std::int64_t>(indices.size())}, indices);
  model.nodes = {node("Gather", {"table", "i"}, "y")};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

TEST(Check, NamesTheFirstBadIndex) {
  const CheckReport report = check(lookup({0, -4, 7, 9})).value();
  ASSERT_EQ(report.findings.size(), 1U);
  const PortabilityFinding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "gather-index-range");
  EXPECT_EQ(finding.verdict, Verdict::kHappens);
  EXPECT_EQ(finding.severity, Severity::kFails);
  EXPECT_EQ(finding.position, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(finding.value, "7");
  EXPECT_EQ(finding.input, "indices");
  EXPECT_NE(finding.message.find("indices[2] is 7, but axis 0 of data takes -4 to 3"),
            std::string::npos)
      << finding.message;
  EXPECT_EQ(report.nodes, 1U);
}

TEST(Check, SaysCannotOnlyIfAsked) {
  EXPECT_TRUE(check(lookup({0, 3})).value().findings.empty());
  CheckOptions options;
  options.show_cannot = true;
  options.select = {"gather-index-range"};
  const CheckReport report = check(lookup({0, 3}), options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
}

CheckReport check_for(const Model& model, const std::string& targets,
                      const std::vector<std::string>& select = {}) {
  CheckOptions options;
  options.targets = parse_targets(targets).value();
  options.select = select;
  return check(model, options).value();
}

std::vector<std::string> rules_of(const CheckReport& report) {
  std::vector<std::string> rules;
  for (const PortabilityFinding& finding : report.findings) rules.push_back(finding.rule);
  return rules;
}

TEST(Check, LooksAtTheRuntimesThatAreAskedFor) {
  const CheckReport report = check_for(lookup({9}), "openvino:cpu");
  ASSERT_EQ(rules_of(report), std::vector<std::string>{"gather-index-range"});
  EXPECT_EQ(report.findings[0].runtimes, std::vector<std::string>{"openvino:cpu"});
  EXPECT_EQ(report.findings[0].severity, Severity::kSilent);
  EXPECT_NE(report.findings[0].message.find("openvino:cpu gives zeros"), std::string::npos);
  EXPECT_EQ(report.findings[0].message.find("onnxruntime"), std::string::npos);
}

TEST(Check, SelectsAndIgnoresRulesByTheirBeginnings) {
  EXPECT_EQ(rules_of(check_for(lookup({9}), "onnxruntime", {"gather"})),
            std::vector<std::string>{"gather-index-range"});
  EXPECT_TRUE(rules_of(check_for(lookup({9}), "onnxruntime", {"scatter"})).empty());
  CheckOptions options;
  options.ignore = {"gather-"};
  EXPECT_TRUE(check(lookup({9}), options).value().findings.empty());
  for (const char* const label : {"", "gahter", "gather-index-range-"}) {
    options.ignore = {label};
    EXPECT_EQ(check(lookup({9}), options).error().code(), ErrorCode::kInvalidArgument) << label;
  }
  options.ignore.clear();
}

TEST(Check, JudgesUnknownRuntimesByTheSpecification) {
  const CheckReport report = check_for(lookup({9}), "mxnet,onnxruntime:npu@1.31");
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_NE(report.notes[0].find("no rule knows the runtime 'mxnet'"), std::string::npos);
  ASSERT_EQ(rules_of(report), std::vector<std::string>{"gather-index-range"});
  EXPECT_EQ(report.findings[0].runtimes, (std::vector<std::string>{"mxnet", "onnxruntime:npu"}));
  EXPECT_EQ(report.findings[0].severity, Severity::kUndefined);
  EXPECT_TRUE(check_for(lookup({3}), "mxnet").findings.empty());
  const CheckReport both = check_for(lookup({9}), "mxnet,openvino:cpu");
  EXPECT_EQ(both.findings.at(0).severity, Severity::kSilent);
}

// A node that breaks a rule of its operator.
TEST(Check, JudgesOperatorsForUnknownRuntimes) {
  Model model = lookup({0});
  model.nodes[0].attributes["axis"] = std::int64_t{5};
  const CheckReport report = check_for(model, "mxnet");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].rule, "ONNX-Gather-A1");
  EXPECT_EQ(report.findings[0].runtimes, std::vector<std::string>{"mxnet"});
}

TEST(Check, TellsOfProvidersOnRequest) {
  const CheckReport qnn = check_for(lookup({0, -1}), "qnn");
  ASSERT_EQ(rules_of(qnn), std::vector<std::string>{"provider-negative-index"});
  EXPECT_EQ(qnn.findings[0].runtimes, std::vector<std::string>{"onnxruntime:qnn"});
  EXPECT_TRUE(qnn.notes.empty());
  EXPECT_TRUE(check(lookup({0, -1})).value().findings.empty());
  EXPECT_EQ(check_for(lookup({9}), "webnn").findings.at(0).effects[0].effect,
            "takes the nearest element");
  EXPECT_EQ(check_for(lookup({9}), "tvm").findings.at(0).severity, Severity::kUndefined)
      << "only its negative indices are known";
  EXPECT_EQ(check_for(lookup({-1}), "tvm").findings.at(0).severity, Severity::kSilent);
  EXPECT_EQ(check_for(lookup({9}), "onnxruntime:tensorrt").findings.at(0).effects[0].effect,
            "gives zeros");
}

// Values that were observed in a run are judged where the file does not have them.
TEST(Check, JudgesWhatARunSaw) {
  Model model = lookup({});
  model.constants.clear();
  model.inputs.push_back(value("i", DType::kInt64, {{-1, "n"}}));
  CheckOptions options;
  options.select = {"gather-index-range"};
  const auto table = std::make_shared<const Tensor>(Tensor::zeros(DType::kFloat32, {4, 3}).value());
  const auto see = [&](const std::vector<std::int64_t>& indices) {
    options.observed["main/node_y"].inputs = {
        table, std::make_shared<const Tensor>(Tensor::from<std::int64_t>(
                   {static_cast<std::int64_t>(indices.size())}, indices))};
    return check(model, options).value().findings;
  };
  const std::vector<PortabilityFinding> bad = see({1, 2, -5});
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_EQ(bad[0].verdict, Verdict::kHappens);
  EXPECT_EQ(bad[0].evidence, Evidence::kInputs);
  EXPECT_EQ(bad[0].position, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(bad[0].value, "-5");
  // Other runs may have other values.
  for (const PortabilityFinding& finding : see({1, 2})) EXPECT_EQ(finding.verdict, Verdict::kCan);
}

// An observation that does not fit the node, such as one of another model, is not an error.
// A remainder by the extent of the table's axis, which OpenVINO computes in float32.
Model remainder_lookup() {
  Model model = lookup({4});
  model.inputs.push_back(value("x", DType::kInt64, {{2, ""}}));
  model.nodes = {node("Mod", {"x", "i"}, "m"), node("Gather", {"table", "m"}, "y")};
  return model;
}

TEST(Check, AVerdictHoldsInTheArithmeticOfItsRuntimes) {
  CheckOptions options;
  options.targets = parse_targets("openvino:cpu,onnxruntime:cpu,onnx:reference").value();
  options.select = {"gather-index-range"};
  options.show_cannot = true;
  const CheckReport report = check(remainder_lookup(), options).value();
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCan);
  EXPECT_EQ(report.findings[0].runtimes, std::vector<std::string>{"openvino:cpu"});
  ASSERT_EQ(report.findings[0].effects.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::kSilent);
  EXPECT_EQ(report.findings[1].verdict, Verdict::kCannot);
  EXPECT_EQ(report.findings[1].runtimes,
            (std::vector<std::string>{"onnxruntime:cpu", "onnx:reference"}));
  EXPECT_EQ(report.findings[1].severity, Severity::kFails);
}

TEST(Check, RuntimesWhoseVerdictsAgreeStayInOneFinding) {
  CheckOptions options;
  options.assume["x"] = {0, 1000};
  options.select = {"gather-index-range"};
  options.show_cannot = true;
  const CheckReport report = check(remainder_lookup(), options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
  EXPECT_GE(report.findings[0].runtimes.size(), 6U);
  EXPECT_EQ(report.findings[0].premises, std::vector<std::string>{"x lies in 0 to 1000 (assumed)"});
}

TEST(Check, TheAxisThatACallerPromisesIsAPremise) {
  Model model;
  model.dialect = "openvino";
  model.inputs = {value("table", DType::kFloat32, {{4, ""}, {2, ""}}),
                  value("axis", DType::kInt64, {})};
  model.constants["i"] = Tensor::from<std::int64_t>({1}, std::vector<std::int64_t>{3});
  model.nodes = {node("Gather", {"table", "i", "axis"}, "y")};
  model.nodes[0].version = 8;
  model.outputs = {infer_fixture::untyped("y")};
  CheckOptions options;
  options.select = {"gather-index-range"};
  options.assume["axis"] = {0, 0};
  options.show_cannot = true;
  const CheckReport report = check(model, options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
  EXPECT_EQ(report.findings[0].premises, std::vector<std::string>{"axis lies in 0 to 0 (assumed)"});
}

// Whatever runs saw, the model is proved once, and the findings are those of a check that proves it
// anew.
TEST(ProvedModel, JudgesRunsWithoutAnotherProof) {
  Model model = lookup({});
  model.constants.clear();
  model.inputs.push_back(value("n", DType::kInt64, {{2, ""}}));
  model.nodes.insert(model.nodes.begin(), node("Mine", {"n"}, "i"));
  model.nodes.push_back(node("Gather", {"y", "i"}, "z"));
  CheckOptions options;
  int proofs = 0;
  options.infer.infer_others = [&proofs](const Model&) -> Result<GraphValueInfos> {
    ++proofs;
    return GraphValueInfos{};
  };
  ProvedModel proved = ProvedModel::of(model, options).value();
  const int once = proofs;
  EXPECT_GE(once, 1);
  const auto table = std::make_shared<const Tensor>(Tensor::zeros(DType::kFloat32, {4, 3}).value());
  for (const std::int64_t index : {-5, 2, 4}) {
    const auto indices = std::make_shared<const Tensor>(Tensor::of<std::int64_t>({2}, {0, index}));
    options.observed["main/node_y"].inputs = {table, indices};
    options.observed["main/node_z"].inputs = {table, indices};
    const std::vector<PortabilityFinding> found = proved.judge(options.observed);
    EXPECT_EQ(proofs, once);
    const std::vector<PortabilityFinding> anew = check(model, options).value().findings;
    EXPECT_EQ(std::exchange(proofs, once), 2 * once);
    ASSERT_EQ(found.size(), anew.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].rule, anew[i].rule);
      EXPECT_EQ(found[i].node, anew[i].node);
      EXPECT_EQ(found[i].verdict, anew[i].verdict);
      if (found[i].verdict == Verdict::kHappens) {
        EXPECT_EQ(found[i].message, anew[i].message);
      }
    }
    const bool happens = std::any_of(found.begin(), found.end(), [](const auto& finding) {
      return finding.verdict == Verdict::kHappens;
    });
    EXPECT_EQ(happens, index != 2);
  }
  options.observed.clear();
  EXPECT_EQ(proved.report().findings.size(), check(model, options).value().findings.size());
}

TEST(ProvedModel, JudgesOnlyTheNodesThatWereSeen) {
  const Model model = lookup({9});
  ProvedModel proved = ProvedModel::of(model).value();
  EXPECT_TRUE(proved.judge({}).empty());
  EXPECT_TRUE(proved.judge({{"main/other", {}}}).empty());
  EXPECT_EQ(proved.judge({{"main/node_y", {}}}).size(), proved.report().findings.size());
  CheckOptions unknown;
  unknown.select = {"no-such-rule"};
  EXPECT_FALSE(ProvedModel::of(model, unknown).ok());
}

TEST(Check, TakesAnyObservation) {
  CheckOptions options;
  options.observed["main/node_y"].inputs = {
      nullptr, std::make_shared<const Tensor>(Tensor::of<float>({2}, {1, 2})), nullptr, nullptr};
  EXPECT_TRUE(check(lookup({9}), options).ok());
  options.observed["main/node_y"].inputs = {
      std::make_shared<const Tensor>(Tensor::of<std::int64_t>({}, {1}))};
  EXPECT_TRUE(check(lookup({9}), options).ok());
}

TEST(Check, ConversionsAreJudgedIfTheyAreAskedFor) {
  Model model;
  model.dialect = "openvino";
  model.inputs = {value("data", DType::kFloat32, {{2, ""}, {2, ""}, {2, ""}}),
                  value("i", DType::kInt64, {{2, ""}, {2, ""}, {1, ""}})};
  model.nodes = {node("GatherND", {"data", "i"}, "y", {{"batch_dims", std::int64_t{2}}})};
  model.nodes[0].version = 5;
  model.outputs = {infer_fixture::untyped("y")};
  const auto runtimes = [&](const std::string& targets) {
    CheckOptions options;
    options.select = {"gather-nd-fused-batch"};
    if (!targets.empty()) options.targets = parse_targets(targets).value();
    const CheckReport report = check(model, options).value();
    return report.findings.empty() ? std::vector<std::string>() : report.findings[0].runtimes;
  };
  EXPECT_EQ(runtimes(""), std::vector<std::string>{"openvino:cpu"});
  EXPECT_EQ(runtimes("onnxruntime"), std::vector<std::string>{"onnxruntime:cpu"});
  EXPECT_TRUE(runtimes("tensorrt").empty());
}

std::vector<std::string> contracts_of(const Model& model) {
  std::vector<std::string> sentences;
  const CheckReport report = check_for(model, "onnxruntime:cpu,onnx", {"gather"});
  EXPECT_TRUE(report.findings.empty());
  for (const InputContract& contract : report.contracts) sentences.push_back(contract.sentence);
  return sentences;
}

// A demand that only the model's caller can fulfil is not a finding.
TEST(Check, IndicesThatTheCallerGivesAreAContract) {
  Model model = lookup({});
  model.constants.clear();
  model.inputs.push_back(value("ids", DType::kInt64, {{-1, "n"}}));
  model.nodes[0].inputs[1] = "ids";
  EXPECT_EQ(contracts_of(model), std::vector<std::string>{"ids must lie in -4 to 3"});
  model.inputs[0].dims->at(0) = {-1, "rows"};
  EXPECT_EQ(contracts_of(model),
            std::vector<std::string>{"ids must lie in -table.shape[0] to table.shape[0] - 1"});
}

// That an axis has less than 2^31 elements is a premise, not a finding; a small axis may be
// exceeded.
TEST(Check, AnExtentAsAnIndexIsTakenForAnInt32) {
  Model model = lookup({0});
  model.constants.clear();
  model.inputs.push_back(value("x", DType::kFloat32, {{-1, "n"}}));
  model.nodes = {node("Shape", {"x"}, "i"), node("Gather", {"table", "i"}, "y")};
  CheckOptions options;
  options.show_cannot = true;
  options.select = {"index-beyond-32-bits"};
  options.targets = parse_targets("openvino:cpu").value();
  const CheckReport report = check(model, options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
  EXPECT_EQ(
      report.findings[0].premises,
      (std::vector<std::string>{"x.shape[0] is at least 1", "no extent is above 2147483647"}));
  EXPECT_EQ(check_for(model, "openvino:cpu", {"gather-index-range"}).findings.size(), 1U);
}

// An index that no int32 holds is out of range: that is one finding, with both effects.
TEST(Check, AWideIndexIsToldWithTheRange) {
  Model model = lookup({0});
  model.constants["i"] = Tensor::of<std::int64_t>({}, {std::int64_t{1} << 32});
  const CheckReport both =
      check_for(model, "openvino:cpu", {"gather-index-range", "index-beyond-32-bits"});
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings[0].rule, "gather-index-range");
  EXPECT_NE(both.findings[0].effects[0].effect.find("gives zeros"), std::string::npos);
  EXPECT_NE(both.findings[0].effects[0].effect.find("keeps the low 32 bits"), std::string::npos);
  EXPECT_NE(both.findings[0].message.find("keeps the low 32 bits"), std::string::npos);
  EXPECT_EQ(check_for(model, "openvino:cpu", {"index-beyond-32-bits"}).findings.size(), 1U);
}

// x float32[n, m] -> Shape, the result of which `nodes` use: y is gathered from `data`.
Model lookup_in_shape(const std::string& data, std::vector<ModelNode> nodes = {}) {
  Model model = lookup({0});
  model.inputs = {value("x", DType::kFloat32, {{-1, "n"}, {-1, "m"}})};
  model.constants["two"] = Tensor::of<std::int64_t>({}, {2});
  model.constants["large"] = Tensor::of<std::int64_t>({}, {std::int64_t{1} << 40});
  model.nodes = {node("Shape", {"x"}, "shape")};
  for (ModelNode& next : nodes) model.nodes.push_back(std::move(next));
  model.nodes.push_back(node("Gather", {data, "i"}, "y"));
  return model;
}

TEST(Check, ExtentsAreTakenToFitInMemory) {
  const std::vector<std::string> rule{"type-wide-integers"};
  const auto of = [&rule](const Model& model) { return check_for(model, "openvino:cpu", rule); };
  const CheckReport plain = of(lookup_in_shape("shape"));
  EXPECT_TRUE(plain.findings.empty());
  EXPECT_EQ(plain.notes, (std::vector<std::string>{
                             "assumed: no extent is above 2147483647",
                             "assumed: x.shape[0] is at least 1; x.shape[1] is at least 1"}));
  for (const char* const op : {"Add", "Sub", "Div", "Min", "Mod"}) {
    const Model model = lookup_in_shape("n", {node(op, {"shape", "two"}, "n")});
    EXPECT_TRUE(of(model).findings.empty()) << op;
  }
  EXPECT_TRUE(of(lookup_in_shape("n", {node("Neg", {"shape"}, "n")})).findings.empty());
  for (const char* const op : {"Add", "Mul", "Max"}) {
    const Model model = lookup_in_shape("n", {node(op, {"shape", "large"}, "n")});
    EXPECT_EQ(of(model).findings.size(), 1U) << op;
  }
}

TEST(Check, OnlyShapesThatAreFixedAreKnownToBeEmpty) {
  const std::vector<std::string> rule{"gather-empty"};
  EXPECT_EQ(check_for(lookup({}), "openvino:cpu", rule).findings.size(), 1U);
  Model model = lookup({});
  model.constants.clear();
  model.inputs.push_back(value("x", DType::kFloat32, {{-1, "n"}}));
  model.nodes = {node("NonZero", {"x"}, "i"), node("Gather", {"table", "i"}, "y")};
  CheckOptions options;
  options.show_cannot = true;
  options.select = rule;
  options.targets = parse_targets("openvino:cpu").value();
  const CheckReport report = check(model, options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
  EXPECT_EQ(report.findings[0].premises.back(), "the shape of i is not fixed before the run");
}

// The verdict on duplicates of a scatter into table float32[4, 3] by `indices`, which `nodes`
// compute from x float32[n, m].
Verdict duplicates(const std::string& op, std::vector<ModelNode> nodes,
                   Attributes attributes = {}) {
  Model model = lookup({});
  model.inputs.push_back(value("x", DType::kFloat32, {{-1, "n"}, {-1, "m"}}));
  model.inputs.push_back(value("u", DType::kFloat32, {}));
  model.inputs.back().dims.reset();
  for (const std::int64_t number : {-2, 0, 1, 2})
    model.constants["c" + std::to_string(number)] = Tensor::of<std::int64_t>({}, {number});
  model.constants["k"] = Tensor::of<std::int64_t>({1}, {2});
  model.nodes = std::move(nodes);
  model.nodes.push_back(node(op, {"table", "indices", "u"}, "y", std::move(attributes)));
  CheckOptions options;
  options.select = {op == "ScatterND" ? "scatter-nd-duplicates" : "scatter-elements-duplicates"};
  options.show_cannot = true;
  const CheckReport report = check(model, options).value();
  EXPECT_EQ(report.findings.size(), 1U);
  return report.findings.empty() ? Verdict::kCan : report.findings[0].verdict;
}

ModelNode top_k(std::int64_t axis) {
  ModelNode made = node("TopK", {"x", "k"}, "values", {{"axis", axis}});
  made.outputs.emplace_back("indices");
  return made;
}

TEST(Check, IndicesThatDifferAddressDifferentCells) {
  EXPECT_EQ(duplicates("ScatterND",
                       {node("NonZero", {"x"}, "found"), node("Transpose", {"found"}, "indices")}),
            Verdict::kCannot);
  EXPECT_EQ(duplicates("ScatterElements", {top_k(0)}, {{"axis", std::int64_t{0}}}),
            Verdict::kCannot);
  EXPECT_EQ(duplicates("ScatterElements", {top_k(1)}, {{"axis", std::int64_t{0}}}), Verdict::kCan);
  EXPECT_EQ(duplicates("ScatterND", {top_k(1)}), Verdict::kCan);
}

TEST(Check, IndicesThatCountFromBothEndsMayMeet) {
  const auto range_from = [](const char* start) {
    return std::vector<ModelNode>{
        node("Constant", {}, "column", {{"value_ints", std::vector<std::int64_t>{-1, 1}}}),
        node("Shape", {"x"}, "shape"), node("Gather", {"shape", "c0"}, "n"),
        node("Range", {start, "n", "c1"}, "list"), node("Reshape", {"list", "column"}, "indices")};
  };
  EXPECT_EQ(duplicates("ScatterND", range_from("c0")), Verdict::kCannot);
  EXPECT_EQ(duplicates("ScatterND", range_from("c-2")), Verdict::kCan);
}

TEST(Check, AnIndexIntoAnEmptyAxisIsAFindingOfItsOwn) {
  Model model = lookup({0});
  model.inputs = {value("table", DType::kFloat32, {{0, ""}, {3, ""}})};
  const CheckReport report = check_for(model, "openvino:cpu", {"gather-on-empty-axis"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kHappens);
}

TEST(Check, ColumnsOfTuplesHaveBoundsOfTheirOwn) {
  Model model = lookup({});
  model.constants.clear();
  model.inputs.push_back(value("ids", DType::kInt64, {{-1, "n"}, {2, ""}}));
  model.nodes = {node("GatherND", {"table", "ids"}, "y")};
  EXPECT_EQ(contracts_of(model),
            std::vector<std::string>{"ids must lie along its last axis in -4 to 3, -3 to 2"});
}

TEST(Check, OldReleasesAreJudgedIfTheyAreAskedFor) {
  Model model;
  model.opset_imports[""] = 18;
  model.inputs = {value("x", DType::kFloat32, {{4, ""}}), value("i", DType::kInt64, {{1, ""}}),
                  value("u", DType::kFloat32, {{1, ""}})};
  model.nodes = {
      node("ScatterElements", {"x", "i", "u"}, "y", {{"reduction", std::string("add")}})};
  model.outputs = {infer_fixture::untyped("y")};
  const std::vector<std::string> rule{"reduction-of-opset-16"};
  EXPECT_TRUE(check_for(model, "onnxruntime", rule).findings.empty());
  EXPECT_TRUE(check_for(model, "onnxruntime@1.31", rule).findings.empty());
  const CheckReport report = check_for(model, "onnxruntime@1.10.1", rule);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_NE(report.findings[0].message.find("does not know the opset (up to 1.10)"),
            std::string::npos)
      << report.findings[0].message;
}

TEST(Check, KeepsTheFirstTenThousandFindings) {
  Model model = lookup({9});
  for (int i = 0; i < 10100; ++i)
    model.nodes.push_back(node("Gather", {"table", "i"}, "z" + std::to_string(i)));
  const CheckReport report = check_for(model, "onnxruntime:cpu", {"gather-index-range"});
  EXPECT_EQ(report.findings.size(), 10000U);
  EXPECT_EQ(report.left_out, 101U);
  EXPECT_EQ(report.nodes, 10101U);
}

TEST(Check, SaysWhichNodesItCouldNotLookAt) {
  Model model = lookup({0});
  model.opset_imports[""] = 8;
  model.nodes.push_back(node("ScatterND", {"table", "i", "table"}, "z"));
  const CheckReport report = check(model).value();
  ASSERT_EQ(rules_of(report), std::vector<std::string>{"operator-version"});
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(report.nodes, 2U);
  model.nodes.back().unsupported = "attribute 'mode' is a graph";
  EXPECT_EQ(check(model).value().notes,
            std::vector<std::string>{"node 'node_z' was not checked: attribute 'mode' is a graph"});
}

}  // namespace
}  // namespace windrow
