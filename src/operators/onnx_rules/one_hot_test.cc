#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

Call one_hot(const Input& where, const Input& depth, const Input& values,
             const Attributes& attributes = {}, const CallOptions& options = {}) {
  return {{where, depth, values}, attributes, options, 0};
}

Input number(std::int64_t value, const Shape& shape = {}) { return indices(shape, {value}); }

std::vector<RuleCase> type_cases() {
  const Input two = indices({2}, {0, 1});
  const auto of = [&](DType type) { return one_hot(two, number(3), zeros({2}, type)); };
  const auto at = [](DType type) { return one_hot(zeros({2}, type), number(3), zeros({2})); };
  const auto as_deep = [&](DType type) { return one_hot(two, zeros({}, type), zeros({2})); };
  return {
      {.label = "T1",
       .variant = "bfloat16",
       .versions = {{9, 9}, {11, 11}},
       .code = ErrorCode::kType,
       .says = {"values has type bfloat16"},
       .broken = of(DType::kBFloat16),
       .legal = of(DType::kString)},
      {.label = "T1",
       .variant = "int4",
       .code = ErrorCode::kType,
       .says = {"values has type int4"},
       .broken = of(DType::kInt4),
       .legal = of(DType::kComplex64)},
      {.label = "T2",
       .variant = "bool",
       .code = ErrorCode::kType,
       .says = {"indices has type bool", "float16"},
       .broken = at(DType::kBool),
       .legal = at(DType::kFloat16)},
      {.label = "T4",
       .variant = "string",
       .code = ErrorCode::kType,
       .says = {"depth has type string"},
       .broken = as_deep(DType::kString),
       .legal = as_deep(DType::kFloat64)},
  };
}

std::vector<RuleCase> shape_cases() {
  const Input two = indices({2}, {0, 1});
  const auto with = [&](const Input& depth, const Input& values) {
    return one_hot(two, depth, values);
  };
  const auto along = [&](std::int64_t axis) {
    return one_hot(two, number(3), zeros({2}), {{"axis", axis}});
  };
  const auto of_rank = [](int rank) {
    return one_hot(indices(ones(rank), {0}), number(1), zeros({2}));
  };
  return {
      {.label = "A1",
       .variant = "above",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is 2", "[-2, 1]", "indices of rank 1"},
       .broken = along(2),
       .legal = along(1)},
      {.label = "A1",
       .variant = "below",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is -3"},
       .broken = along(-3),
       .legal = along(-2)},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'depth'", "there is: axis"},
       .broken = one_hot(two, number(3), zeros({2}), {{"depth", std::int64_t{3}}}),
       .legal = along(0)},
      {.label = "C1",
       .variant = "three_values",
       .code = ErrorCode::kShape,
       .says = {"values have shape [3]", "[2]"},
       .broken = with(number(3), zeros({3})),
       .legal = with(number(3), zeros({2}))},
      {.label = "C2",
       .variant = "rank_33",
       .code = ErrorCode::kShape,
       .says = {"rank 33", "at most 32"},
       .broken = of_rank(32),
       .legal = of_rank(31)},
      {.label = "C3",
       .variant = "two_depths",
       .code = ErrorCode::kShape,
       .says = {"depth has shape [2]", "rank 1 and one element"},
       .broken = with(indices({2}, {3, 3}), zeros({2})),
       .legal = with(number(3, {1}), zeros({2}))},
      {.label = "C3",
       .variant = "negative",
       .code = ErrorCode::kShape,
       .says = {"depth is -1"},
       .broken = with(number(-1), zeros({2})),
       .legal = with(number(0), zeros({2}))},
  };
}

std::vector<RuleCase> index_cases() {
  const auto pick = [](std::vector<std::int64_t> values, const CallOptions& options) {
    const auto count = static_cast<std::int64_t>(values.size());
    return one_hot(indices({count}, std::move(values)), number(3), zeros({2}), {}, options);
  };
  const CallOptions refuse = out_of_range(OutOfRange::kError);
  return {
      {.label = "C4",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1] is 3", "axis 1 of output with extent 3", "1 of 2 indices is"},
       .broken = pick({2, 3}, refuse),
       .legal = pick({2, 3}, {})},
      {.label = "C4",
       .variant = "negative",
       .versions = {{9, 9}},
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -1", "legal: 0 to 2"},
       .broken = pick({-1}, refuse),
       .legal = pick({0}, refuse)},
      {.label = "C4",
       .variant = "below",
       .versions = {{11, 11}, {28, 28}},
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -4", "legal: -3 to 2"},
       .broken = pick({-4}, refuse),
       .legal = pick({-3}, refuse)},
  };
}

}  // namespace

std::vector<RuleCase> one_hot_cases() {
  std::vector<RuleCase> cases = type_cases();
  for (const auto list : {shape_cases, index_cases}) {
    const std::vector<RuleCase> more = list();
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return of_operator("OneHot", {{9, 9}, {11, 11}, {28, 28}}, std::move(cases));
}

}  // namespace windrow::internal::onnx_rules
