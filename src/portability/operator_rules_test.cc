#include "src/portability/operator_rules.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/models/infer_fixture.h"
#include "src/models/infer_node.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

constexpr DType kFloat = DType::kFloat32;
constexpr DType kLong = DType::kInt64;

// A node of inputs "0", "1", ... of these types and shapes, and the rule that it breaks.
struct BrokenNode {
  std::string label;
  std::string op;
  int opset;
  std::vector<std::pair<DType, std::vector<std::int64_t>>> inputs;
  Attributes attributes = {};
  std::string allowed_from = {};  // "opset 16"; empty: no version allows the node
};

Model model_of(const BrokenNode& broken) {
  Model model;
  model.opset_imports[""] = broken.opset;
  std::vector<std::string> names;
  for (const auto& [dtype, extents] : broken.inputs) {
    std::vector<Dim> dims;
    for (const std::int64_t extent : extents) dims.push_back({extent, ""});
    names.push_back(std::to_string(names.size()));
    model.inputs.push_back(value(names.back(), dtype, dims));
  }
  model.nodes = {node(broken.op, names, "y")};
  model.nodes.front().attributes = broken.attributes;
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

CheckReport check_for(const Model& model, const std::string& targets) {
  CheckOptions options;
  if (!targets.empty()) options.targets = parse_targets(targets).value();
  return check(model, options).value();
}

const std::vector<BrokenNode>& broken_nodes() {
  static const auto* const nodes = new std::vector<BrokenNode>{
      {"ONNX-Gather-A1", "Gather", 13, {{kFloat, {4, 3}}, {kLong, {2}}}, {{"axis", 5L}}},
      {"ONNX-Gather-A2", "Gather", 13, {{kFloat, {4, 3}}, {kLong, {2}}}, {{"axes", 1L}}},
      {"ONNX-Gather-C1", "Gather", 13, {{kFloat, {}}, {kLong, {2}}}},
      {"ONNX-Gather-T1", "Gather", 13, {{DType::kInt4, {4, 4}}, {kLong, {2}}}},
      {"ONNX-Gather-T1", "Gather", 11, {{DType::kBFloat16, {4}}, {kLong, {2}}}, {}, "opset 13"},
      {"ONNX-Gather-T2", "Gather", 13, {{kFloat, {4, 3}}, {kFloat, {2}}}},
      {"CALL-I1", "Gather", 13, {{kFloat, {4, 3}}}},
      {"CALL-I1", "Gather", 13, {{kFloat, {4}}, {kLong, {2}}, {kLong, {2}}}},
      {"ONNX-GatherND-C3", "GatherND", 13, {{kFloat, {4, 3}}, {kLong, {2, 3}}}},
      {"ONNX-GatherND-A2",
       "GatherND",
       11,
       {{kFloat, {4, 3}}, {kLong, {4, 1}}},
       {{"batch_dims", 1L}},
       "opset 12"},
      {"ONNX-ScatterND-C3", "ScatterND", 18, {{kFloat, {4, 3}}, {kLong, {2, 1}}, {kFloat, {3, 3}}}},
      {"ONNX-ScatterND-T3",
       "ScatterND",
       18,
       {{kFloat, {4, 3}}, {kLong, {2, 1}}, {DType::kFloat64, {2, 3}}}},
      {"ONNX-ScatterElements-A2",
       "ScatterElements",
       15,
       {{kFloat, {4, 3}}, {kLong, {2, 3}}, {kFloat, {2, 3}}},
       {{"reduction", "add"}},
       "opset 16"},
      {"ONNX-ScatterElements-A3",
       "ScatterElements",
       16,
       {{kFloat, {4, 3}}, {kLong, {2, 3}}, {kFloat, {2, 3}}},
       {{"reduction", "max"}},
       "opset 18"},
      {"operator-version", "GatherND", 9, {{kFloat, {4, 3}}, {kLong, {2, 1}}}, {}, "opset 11"},
      {"operator-version",
       "ScatterND",
       10,
       {{kFloat, {4}}, {kLong, {2, 1}}, {kFloat, {2}}},
       {},
       "opset 11"},
  };
  return *nodes;
}

TEST(OperatorRules, ABrokenRuleIsAFindingOnEveryRuntimeThatIsAskedFor) {
  for (const BrokenNode& broken : broken_nodes()) {
    SCOPED_TRACE(broken.label + " in opset " + std::to_string(broken.opset));
    const CheckReport report =
        check_for(model_of(broken), "onnxruntime:cpu,openvino:cpu,tensorrt:gpu");
    ASSERT_FALSE(report.findings.empty());
    const PortabilityFinding& finding = report.findings.front();
    EXPECT_EQ(finding.rule, broken.label);
    EXPECT_EQ(finding.verdict, Verdict::kHappens);
    EXPECT_EQ(finding.evidence, Evidence::kConstant);
    EXPECT_LE(finding.severity, Severity::kUndefined);
    EXPECT_EQ(finding.runtimes,
              (std::vector<std::string>{"onnxruntime:cpu", "openvino:cpu", "tensorrt:gpu"}));
    EXPECT_EQ(report.nodes, 1U);
    const bool names_version = finding.fix.find("opset") != std::string::npos;
    EXPECT_EQ(names_version, !broken.allowed_from.empty()) << finding.fix;
    EXPECT_NE(finding.fix.find(broken.allowed_from), std::string::npos) << finding.fix;
  }
}

// GatherElements on axis 1 with data of a fixed batch; `batch` is that of the indices.
CheckReport report_of_batch(const Dim& batch, const Dim& of_data) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("data", kFloat, {of_data, Dim{5, ""}}),
                  value("ids", kLong, {batch, Dim{2, ""}})};
  model.nodes = {node("GatherElements", {"data", "ids"}, "y")};
  model.nodes.front().attributes = {{"axis", 1L}};
  model.outputs = {infer_fixture::untyped("y")};
  CheckOptions options;
  options.targets = parse_targets("onnxruntime:cpu").value();
  options.assume["ids"] = {0, 4};
  return check(model, options).value();
}

TEST(OperatorRules, ExtentsOfInputsCanBreakARuleBesideFixedOnes) {
  const CheckReport report = report_of_batch({-1, "b"}, {1, ""});
  ASSERT_FALSE(report.findings.empty());
  const PortabilityFinding& finding = report.findings.front();
  EXPECT_EQ(finding.rule, "ONNX-GatherElements-C2");
  EXPECT_EQ(finding.verdict, Verdict::kCan);
  EXPECT_EQ(finding.severity, Severity::kFails);
  EXPECT_EQ(finding.what,
            "inputs of the model may have extents that break it: the shapes are data[1, 5] and "
            "indices[ids.shape[0], 2]");
}

TEST(OperatorRules, TwoExtentsThatACallerChoosesAreHisMatter) {
  EXPECT_TRUE(report_of_batch({-1, "b"}, {-1, "c"}).findings.empty());
  EXPECT_TRUE(report_of_batch({1, ""}, {1, ""}).findings.empty());
}

TEST(OperatorRules, ALegalNodeHasNone) {
  for (const BrokenNode& legal : std::vector<BrokenNode>{
           {"", "Gather", 13, {{kFloat, {4, 3}}, {kLong, {2}}}, {{"axis", 1L}}},
           {"", "GatherND", 12, {{kFloat, {4, 3}}, {kLong, {4, 1}}}, {{"batch_dims", 1L}}},
           {"", "ScatterND", 18, {{kFloat, {4, 3}}, {kLong, {2, 1}}, {kFloat, {2, 3}}}}}) {
    CheckOptions options;
    options.select = {"ONNX-", "CALL-I1", internal::kOperatorVersion};
    EXPECT_TRUE(check(model_of(legal), options).value().findings.empty()) << legal.op;
  }
}

// What the file claims of inner values may be wrong.
TEST(OperatorRules, ARuleThatOnlyAClaimBreaksCanBeBroken) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", kFloat, {{4, ""}, {3, ""}}), value("i", kLong, {{2, ""}})};
  model.nodes = {node("Mystery", {"x"}, "data"), node("Gather", {"data", "i"}, "y")};
  model.nodes.front().domain = "odd";
  model.nodes.back().attributes["axis"] = 3L;
  model.values = {value("data", kFloat, {{4, ""}, {3, ""}})};
  model.outputs = {infer_fixture::untyped("y")};
  const CheckReport report = check_for(model, "onnxruntime:cpu");
  ASSERT_FALSE(report.findings.empty());
  const PortabilityFinding& finding = report.findings.front();
  EXPECT_EQ(finding.rule, "ONNX-Gather-A1");
  EXPECT_EQ(finding.verdict, Verdict::kCan);
  EXPECT_EQ(finding.premises, std::vector<std::string>{"'data' is what the file claims"});
}

// A newer opset is of no use for what only a claim says, since nothing known breaks the old one.
TEST(OperatorRules, NoOtherVersionIsNamedForWhatIsOnlyClaimed) {
  Model model;
  model.opset_imports[""] = 11;
  model.opset_imports["odd"] = 1;
  model.inputs = {value("x", kFloat, {{4, ""}}), value("i", kLong, {{2, ""}})};
  model.nodes = {node("Mystery", {"x"}, "data"), node("Gather", {"data", "i"}, "y")};
  model.nodes.front().domain = "odd";
  model.values = {value("data", DType::kBFloat16, {{4, ""}})};
  model.outputs = {infer_fixture::untyped("y")};
  const CheckReport report = check_for(model, "onnxruntime:cpu");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().rule, "ONNX-Gather-T1");
  EXPECT_EQ(report.findings.front().message.find("allows it"), std::string::npos);
  EXPECT_EQ(report.findings.front().fix.find("opset"), std::string::npos);
}

Model gather_of_opset_13() {
  return model_of({"", "Gather", 13, {{kFloat, {4, 3}}, {kLong, {2}}}, {{"axis", 1L}}});
}

TEST(OperatorRules, ANodeHasTheOutputOfItsOperator) {
  for (const infer_fixture::Names& outputs : {infer_fixture::Names{}, {"y", "z"}}) {
    Model model = gather_of_opset_13();
    model.nodes.front().outputs = outputs;
    model.outputs = {infer_fixture::untyped("0")};
    for (const char* const targets : {"onnxruntime:cpu", ""}) {
      const CheckReport report = check_for(model, targets);
      ASSERT_EQ(report.findings.size(), 1U);
      EXPECT_EQ(report.findings.front().rule, internal::kOperatorOutputs);
      EXPECT_EQ(report.findings.front().verdict, Verdict::kHappens);
      EXPECT_EQ(report.findings.front().severity, Severity::kFails);
      EXPECT_EQ(report.nodes, 1U);
      EXPECT_TRUE(report.notes.empty());
    }
  }
}

TEST(OperatorRules, AModelImportsTheOpsetsOfItsGathers) {
  Model model = gather_of_opset_13();
  model.opset_imports = {{"odd", 1}};
  for (const char* const targets : {"onnxruntime:cpu", "tensorrt:gpu", ""}) {
    const CheckReport report = check_for(model, targets);
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings.front().rule, internal::kOpsetImport);
    EXPECT_LE(report.findings.front().severity, Severity::kUndefined);
  }
}

TEST(OperatorRules, NodesOfForeignDomainsHaveNone) {
  for (const bool is_imported : {true, false}) {
    for (const char* const op : {"Gather", "GatherND"}) {
      Model model = gather_of_opset_13();
      model.nodes.front().domain = "mine";
      model.nodes.front().op_type = op;
      if (is_imported) model.opset_imports["mine"] = 1;
      EXPECT_TRUE(check_for(model, "").findings.empty()) << op;
    }
  }
}

TEST(OperatorRules, EveryRuleThatFindingsNameIsExplained) {
  std::set<std::string> labels;
  for (const PortabilityRule& rule : operator_rules()) {
    EXPECT_TRUE(labels.insert(rule.label).second) << rule.label;
    EXPECT_FALSE(rule.sentence.empty()) << rule.label;
    EXPECT_TRUE(rule.fix.ends_with('.')) << rule.label;
  }
  for (const BrokenNode& broken : broken_nodes()) EXPECT_TRUE(labels.contains(broken.label));
  for (const PortabilityRule& rule : portability_rules())
    EXPECT_FALSE(labels.contains(rule.label)) << rule.label;
}

// A rule that no runtime was seen to judge would else be no finding.
TEST(OperatorRules, EveryBrokenRuleHasAnEffect) {
  const Model rare = model_of({"", "Gather", 13, {{DType::kFloat8E4M3FNUZ, {4}}, {kLong, {2}}}});
  const CheckReport report = check_for(rare, "");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().rule, "ONNX-Gather-T1");
  for (const char* const dialect : {"onnx", "openvino", "tensorrt"}) {
    const auto effects =
        internal::effects_of_broken_rule("ONNX-Mystery-T1", "int4", 13, dialect, {});
    ASSERT_FALSE(effects.empty()) << dialect;
    for (const RuleEffect& effect : effects) EXPECT_FALSE(effect.ran);
  }
}

TEST(OperatorRules, TheFixSaysWhatMustHold) {
  const CheckReport report = check_for(model_of(broken_nodes().front()), "onnxruntime:cpu");
  EXPECT_EQ(report.findings.at(0).fix,
            "Change the node so that this holds: axis in [-r, r-1] (docs/operators/onnx.md).");
}

TEST(OperatorRules, LabelsAreSelectedAndIgnoredByTheirBeginnings) {
  const Model model = model_of(broken_nodes().front());
  CheckOptions options;
  options.ignore = {"ONNX-Gather-A"};
  for (const PortabilityFinding& finding : check(model, options).value().findings)
    EXPECT_NE(finding.rule, "ONNX-Gather-A1");
  options.ignore = {};
  options.select = {"ONNX-Gather"};
  EXPECT_EQ(check(model, options).value().findings.size(), 1U);
  options.select = {"ONNX-Gaher"};
  EXPECT_FALSE(check(model, options));
  for (const char* const known : {"O", "ONNX-Gather-A1", "OPENVINO-", "TENSORRT-Gather-C", "CALL"})
    EXPECT_TRUE(internal::begins_operator_label(known)) << known;
  for (const char* const unknown : {"", "ONNX-Mystery-A1", "onnx-Gather", "ONNX-Gather-A9"})
    EXPECT_FALSE(internal::begins_operator_label(unknown)) << unknown;
}

}  // namespace
}  // namespace windrow
