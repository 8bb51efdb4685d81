#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>

#include "src/operators/onnx_rules/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal::onnx_rules {
namespace {

std::vector<RuleCase> all_cases() {
  std::vector<RuleCase> all;
  for (const auto list : {call_cases, gather_cases, gather_elements_cases, gather_nd_cases,
                          scatter_cases, scatter_elements_cases, scatter_nd_cases,
                          tensor_scatter_cases, one_hot_cases, array_feature_extractor_cases}) {
    const std::vector<RuleCase> cases = list();
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

Tensor make_tensor(const Input& input) {
  Tensor tensor = Tensor::zeros(input.dtype, input.shape).value();
  // No version takes indices of another type, so that their values are never read.
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    if (input.dtype == DType::kInt64)
      static_cast<std::int64_t*>(tensor.data())[i] = input.values[i];
    else if (input.dtype == DType::kInt32)
      static_cast<std::int32_t*>(tensor.data())[i] = static_cast<std::int32_t>(input.values[i]);
  }
  return tensor;
}

// One rule, at one version.
struct RuleAt {
  RuleCase rule;
  Version version;

  OperatorId id(const Call& call) const {
    return {"onnx", rule.operator_name, call.opset == 0 ? version.opset : call.opset};
  }

  Status attempt(const Call& call) const {
    const Result<OperatorInfo> info = find_operator(id(call));
    std::vector<TensorSpec> specs;
    for (const Input& input : call.inputs) {
      const bool known =
          info && specs.size() < info->inputs.size() && info->inputs[specs.size()].value_at_compile;
      specs.push_back({input.dtype, input.shape, {}, {}});
      if (known) specs.back().value = std::make_shared<const Tensor>(make_tensor(input));
    }
    const Result<Plan> plan = compile(id(call), call.attributes, specs, call.options);
    if (!plan || rule.compile_only) return plan.error();
    const std::vector<Tensor> tensors = make_tensors(call);
    return plan->run(std::vector<TensorView>(tensors.begin(), tensors.end())).error();
  }

  Status attempt_reference(const Call& call) const {
    const std::vector<Tensor> tensors = make_tensors(call);
    const std::vector<TensorView> views(tensors.begin(), tensors.end());
    return call_reference(id(call), call.attributes, views, call.options).error();
  }

  static std::vector<Tensor> make_tensors(const Call& call) {
    std::vector<Tensor> tensors;
    for (const Input& input : call.inputs)
      tensors.push_back(input.dtype == DType::kAbsent ? Tensor() : make_tensor(input));
    return tensors;
  }
};

std::vector<RuleAt> rules_at_versions() {
  std::vector<RuleAt> all;
  for (const RuleCase& rule : all_cases())
    for (const Version& version : rule.versions) all.push_back({rule, version});
  return all;
}

std::vector<RuleAt> runnable_rules() {
  std::vector<RuleAt> all = rules_at_versions();
  std::erase_if(all, [](const RuleAt& at) { return at.rule.compile_only; });
  return all;
}

void PrintTo(const RuleAt& at, std::ostream* out) {  // NOLINT: GoogleTest's name
  *out << at.rule.label << " " << at.rule.variant << " at opset " << at.version.opset;
}

std::string test_name(const testing::TestParamInfo<RuleAt>& info) {
  const RuleCase& rule = info.param.rule;
  std::string name = rule.label;
  std::replace(name.begin(), name.end(), '-', '_');
  if (name.substr(0, 5) == "CALL_") name += "_" + rule.operator_name;
  return name + "_" + rule.variant + "_opset_" + std::to_string(info.param.version.opset);
}

class OnnxRule : public testing::TestWithParam<RuleAt> {};

TEST_P(OnnxRule, IsAnErrorThatSaysWhat) {
  const RuleCase& rule = GetParam().rule;
  const Status status = GetParam().attempt(rule.broken);
  EXPECT_EQ(status.constraint(), rule.label) << status.message();
  EXPECT_EQ(status.code(), rule.code) << status.message();
  const std::string name =
      "onnx." + rule.operator_name + "-" + std::to_string(GetParam().version.own);
  EXPECT_EQ(status.operator_name(), name);
  const std::string start = name + " [" + rule.label + "]: ";
  EXPECT_EQ(status.message().substr(0, start.size()), start);
  for (const std::string& part : rule.says)
    EXPECT_NE(status.message().find(part), std::string::npos)
        << part << " is not in: " << status.message();
  EXPECT_EQ(status.message().find('\n'), std::string::npos);
  EXPECT_EQ(status.index_fault() != nullptr, rule.code == ErrorCode::kIndexOutOfRange);
}

TEST_P(OnnxRule, IsKeptByTheNearestCall) {
  const Status status = GetParam().attempt(GetParam().rule.legal);
  EXPECT_TRUE(status.ok()) << status.message();
}

INSTANTIATE_TEST_SUITE_P(Labels, OnnxRule, testing::ValuesIn(rules_at_versions()), test_name);

class OnnxRuleOfReference : public testing::TestWithParam<RuleAt> {};

TEST_P(OnnxRuleOfReference, IsTheSame) {
  const RuleCase& rule = GetParam().rule;
  const Status status = GetParam().attempt_reference(rule.broken);
  EXPECT_EQ(status.constraint(), rule.label) << status.message();
  EXPECT_EQ(status.code(), rule.code) << status.message();
  const Status kept = GetParam().attempt_reference(rule.legal);
  EXPECT_TRUE(kept.ok()) << kept.message();
}

INSTANTIATE_TEST_SUITE_P(Labels, OnnxRuleOfReference, testing::ValuesIn(runnable_rules()),
                         test_name);

// The labels in the table at the end of the page.
std::set<std::string> documented_labels() {
  const auto root = std::filesystem::path(__FILE__).parent_path() / ".." / ".." / "..";
  std::ifstream page(root / "docs" / "operators" / "onnx.md");
  std::set<std::string> labels;
  const std::regex row(R"(\| ((?:ONNX-\w+|CALL)-[A-Z]\d) \|.*)");
  std::smatch match;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, match, row)) labels.insert(match[1]);
  return labels;
}

TEST(OnnxRules, EveryLabelOfThePageIsTestedAndEveryTestedLabelIsOnThePage) {
  std::set<std::string> tested;
  for (const RuleCase& rule : all_cases()) tested.insert(rule.label);
  const std::set<std::string> documented = documented_labels();
  ASSERT_FALSE(documented.empty());
  EXPECT_EQ(tested, documented);
}

}  // namespace
}  // namespace windrow::internal::onnx_rules
