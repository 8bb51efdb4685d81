#ifndef WINDROW_OPERATORS_ONNX_RULES_TEST_SUPPORT_H_
#define WINDROW_OPERATORS_ONNX_RULES_TEST_SUPPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Calls for every label of docs/operators/onnx.md that break only that rule, each with the most
// similar call that keeps it.
namespace windrow::internal::onnx_rules {

// An input of a call. An index tensor has values; all others hold zeros.
struct Input {
  DType dtype = DType::kAbsent;
  Shape shape = {};
  std::vector<std::int64_t> values = {};
};

inline Input zeros(const Shape& shape, DType dtype = DType::kFloat32) { return {dtype, shape, {}}; }
inline Input indices(const Shape& shape, std::vector<std::int64_t> values,
                     DType dtype = DType::kInt64) {
  return {dtype, shape, std::move(values)};
}

// A shape of `rank` axes of extent 1.
inline Shape ones(int rank) { return Shape::filled(rank, 1); }

struct Call {
  std::vector<Input> inputs = {};
  Attributes attributes = {};
  CallOptions options = {};
  int opset = 0;  // 0: the case's
};

inline CallOptions strict() { return {.strict = true}; }
inline CallOptions no_duplicates() { return {.duplicates = Duplicates::kError}; }
inline CallOptions out_of_range(OutOfRange policy) { return {.out_of_range = policy}; }

// An opset, and the operator version that applies there.
struct Version {
  int opset = 0;
  int own = 0;
};

struct RuleCase {
  std::string label = {};    // "ONNX-Gather-C1"
  std::string variant = {};  // tells the cases of one label apart
  std::string operator_name = {};
  std::vector<Version> versions = {};
  ErrorCode code = ErrorCode::kOk;
  std::vector<std::string> says = {};  // what the message must name: inputs and values
  Call broken = {};
  Call legal = {};
  bool compile_only = false;  // whether the tensors are too large to exist
};

std::vector<RuleCase> call_cases();
std::vector<RuleCase> gather_cases();
std::vector<RuleCase> gather_elements_cases();
std::vector<RuleCase> gather_nd_cases();
std::vector<RuleCase> scatter_cases();
std::vector<RuleCase> scatter_elements_cases();
std::vector<RuleCase> scatter_nd_cases();
std::vector<RuleCase> tensor_scatter_cases();
std::vector<RuleCase> one_hot_cases();
std::vector<RuleCase> array_feature_extractor_cases();

// Completes the labels of one operator's cases: "C1" becomes "ONNX-Gather-C1". Cases without
// versions get `versions`.
inline std::vector<RuleCase> of_operator(const std::string& name,
                                         const std::vector<Version>& versions,
                                         std::vector<RuleCase> cases) {
  for (RuleCase& rule : cases) {
    rule.label = "ONNX-" + name + "-" + rule.label;
    rule.operator_name = name;
    if (rule.versions.empty()) rule.versions = versions;
  }
  return cases;
}

}  // namespace windrow::internal::onnx_rules

#endif  // WINDROW_OPERATORS_ONNX_RULES_TEST_SUPPORT_H_
