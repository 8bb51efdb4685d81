#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

// A call of every operator that breaks no rule.
struct Example {
  std::string name;
  Version version;
  bool scatter = false;
  Call call;
};

std::vector<Example> examples() {
  const Input column = indices({2, 1}, {0, 1});
  return {
      {"Gather", {13, 13}, false, {.inputs = {zeros({2, 3}), indices({1}, {0})}}},
      {"GatherElements", {13, 13}, false, {.inputs = {zeros({2, 3}), column}}},
      {"GatherND", {13, 13}, false, {.inputs = {zeros({2, 3}), column}}},
      {"Scatter", {9, 9}, true, {.inputs = {zeros({2, 3}), column, zeros({2, 1})}}},
      {"ScatterElements", {18, 18}, true, {.inputs = {zeros({2, 3}), column, zeros({2, 1})}}},
      {"ScatterND", {18, 18}, true, {.inputs = {zeros({2, 3}), column, zeros({2, 3})}}},
      {"TensorScatter",
       {24, 24},
       true,
       {.inputs = {zeros({2, 3, 1}), zeros({2, 1, 1}), indices({2}, {0, 1})}}},
      {"ArrayFeatureExtractor", {1, 1}, false, {.inputs = {zeros({2, 3}), indices({1}, {0})}}},
  };
}

RuleCase case_of(const Example& example, const std::string& label, const std::string& variant,
                 ErrorCode code) {
  RuleCase rule;
  rule.label = label;
  rule.variant = variant;
  rule.operator_name = example.name;
  rule.versions = {example.version};
  rule.code = code;
  rule.broken = example.call;
  rule.legal = example.call;
  return rule;
}

RuleCase with_options(RuleCase rule, const CallOptions& options, std::vector<std::string> says) {
  rule.broken.options = options;
  rule.says = std::move(says);
  return rule;
}

void add_input_cases(const Example& example, std::vector<RuleCase>& cases) {
  const auto count = std::to_string(example.call.inputs.size());
  RuleCase many = case_of(example, "CALL-I1", "too_many", ErrorCode::kInvalidArgument);
  many.broken.inputs.push_back(zeros({1}));
  many.says = {std::to_string(many.broken.inputs.size()) + " inputs", "takes " + count};
  cases.push_back(many);

  RuleCase absent = case_of(example, "CALL-I1", "first_absent", ErrorCode::kInvalidArgument);
  absent.broken.inputs.front() = Input{};
  absent.says = {"missing"};
  cases.push_back(absent);

  RuleCase few = case_of(example, "CALL-I1", "second_not_given", ErrorCode::kInvalidArgument);
  few.broken.inputs.resize(1);
  few.says = {"missing"};
  cases.push_back(few);

  RuleCase negative = case_of(example, "CALL-I2", "negative_extent", ErrorCode::kShape);
  negative.broken.inputs[1].shape[0] = -1;
  negative.compile_only = true;
  negative.says = {"[-1", "negative extent"};
  cases.push_back(negative);

  RuleCase large = case_of(example, "CALL-I2", "too_many_bytes", ErrorCode::kShape);
  large.broken.inputs[0].shape.back() = std::int64_t{1} << 60;
  large.compile_only = true;
  large.says = {"2^63-1", std::to_string(std::int64_t{1} << 60)};
  cases.push_back(large);
}

void add_option_cases(const Example& example, std::vector<RuleCase>& cases) {
  const OutOfRange refused = example.scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  RuleCase policy = with_options(
      case_of(example, "CALL-O1", "policy", ErrorCode::kInvalidArgument), out_of_range(refused),
      {std::string(out_of_range_name(refused)), example.scatter ? "scatter" : "gather"});
  policy.legal.options = out_of_range(example.scatter ? OutOfRange::kSkip : OutOfRange::kZero);
  cases.push_back(policy);

  RuleCase kernels = with_options(case_of(example, "CALL-O2", "unknown", ErrorCode::kUnsupported),
                                  {.kernels = "plane"}, {"'plane'", "plain"});
  kernels.legal.options.kernels = "plain";
  cases.push_back(kernels);
}

// The inputs are small enough, the result is not.
RuleCase large_result() {
  RuleCase rule;
  rule.label = "CALL-I2";
  rule.variant = "result";
  rule.operator_name = "Gather";
  rule.versions = {{1, 1}, {13, 13}};
  rule.code = ErrorCode::kShape;
  const std::int64_t wide = std::int64_t{1} << 40;
  rule.says = {"result", std::to_string(wide)};
  rule.broken.inputs = {zeros({1, wide}, DType::kUint8), indices({1 << 23}, {})};
  rule.legal.inputs = {zeros({1, wide}, DType::kUint8), indices({1 << 22}, {})};
  rule.compile_only = true;
  return rule;
}

}  // namespace

std::vector<RuleCase> call_cases() {
  std::vector<RuleCase> cases{large_result()};
  for (const Example& example : examples()) {
    add_input_cases(example, cases);
    add_option_cases(example, cases);
  }
  return cases;
}

}  // namespace windrow::internal::onnx_rules
