#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

const std::vector<Version> kReducing = {{16, 16}, {17, 16}, {18, 18}, {28, 18}};

Call scatter(const Input& data, const Input& index, const Input& updates,
             const Attributes& attributes = {}, const CallOptions& options = {}, int opset = 0) {
  return {{data, index, updates}, attributes, options, opset};
}

// Rows of data of shape [3, 2].
Call put(std::vector<std::int64_t> rows, const CallOptions& options = {},
         const Attributes& attributes = {}, int opset = 0) {
  const auto count = static_cast<std::int64_t>(rows.size());
  return scatter(zeros({3, 2}), indices({count, 1}, std::move(rows)), zeros({count, 2}), attributes,
                 options, opset);
}

Call put_type(DType type, const Attributes& attributes = {}, int opset = 0) {
  return scatter(zeros({3}, type), indices({1, 1}, {0}), zeros({1}, type), attributes, {}, opset);
}

Attributes reduction(const std::string& name) { return {{"reduction", name}}; }

std::vector<RuleCase> type_cases() {
  const auto by = [](DType type) {
    return scatter(zeros({3}), indices({1, 1}, {0}, type), zeros({1}));
  };
  return {
      {.label = "T1",
       .variant = "bfloat16_before_13",
       .versions = {{11, 11}, {12, 11}},
       .code = ErrorCode::kType,
       .says = {"data has type bfloat16"},
       .broken = put_type(DType::kBFloat16),
       .legal = put_type(DType::kBFloat16, {}, 13)},
      {.label = "T1",
       .variant = "float4",
       .code = ErrorCode::kType,
       .says = {"data has type float4_e2m1fn"},
       .broken = put_type(DType::kFloat4E2M1),
       .legal = put_type(DType::kBool)},
      {.label = "T2",
       .variant = "int32",
       .code = ErrorCode::kType,
       .says = {"indices has type int32", "int64"},
       .broken = by(DType::kInt32),
       .legal = by(DType::kInt64)},
      {.label = "T3",
       .variant = "int32",
       .code = ErrorCode::kType,
       .says = {"updates has type int32", "data, float32"},
       .broken = scatter(zeros({3}), indices({1, 1}, {0}), zeros({1}, DType::kInt32)),
       .legal = scatter(zeros({3}), indices({1, 1}, {0}), zeros({1}, DType::kFloat32))},
  };
}

std::vector<RuleCase> attribute_cases() {
  std::vector<RuleCase> cases = {
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'axis'"},
       .broken = put({0}, {}, {{"axis", std::int64_t{0}}}),
       .legal = put({0})},
      {.label = "A2",
       .variant = "reduction_before_16",
       .versions = {{11, 11}, {12, 11}, {13, 13}, {15, 13}},
       .code = ErrorCode::kInvalidArgument,
       .says = {"'reduction'", "there is: none"},
       .broken = put({0}, {}, reduction("add")),
       .legal = put({0}, {}, reduction("add"), 16)},
      {.label = "A3",
       .variant = "unknown",
       .versions = kReducing,
       .code = ErrorCode::kInvalidArgument,
       .says = {"reduction is 'Add'"},
       .broken = put({0}, {}, reduction("Add")),
       .legal = put({0}, {}, reduction("add"))},
      {.label = "A3",
       .variant = "string_mul",
       .versions = kReducing,
       .code = ErrorCode::kType,
       .says = {"'mul'", "string"},
       .broken = put_type(DType::kString, reduction("mul")),
       .legal = put_type(DType::kString, reduction("add"))},
      {.label = "A3",
       .variant = "complex_min",
       .versions = {{18, 18}, {28, 18}},
       .code = ErrorCode::kType,
       .says = {"'min'", "complex128"},
       .broken = put_type(DType::kComplex128, reduction("min")),
       .legal = put_type(DType::kComplex128, reduction("add"))},
  };
  for (const std::string name : {"max", "min"})
    cases.push_back({.label = "A3",
                     .variant = name + "_before_18",
                     .versions = {{16, 16}, {17, 16}},
                     .code = ErrorCode::kInvalidArgument,
                     .says = {"reduction is '" + name + "'", "must be one of: none, add, mul"},
                     .broken = put({0}, {}, reduction(name)),
                     .legal = put({0}, {}, reduction(name), 18)});
  return cases;
}

std::vector<RuleCase> shape_cases() {
  return {
      {.label = "C1",
       .variant = "data_of_rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 0", "indices have rank 1"},
       .broken = scatter(zeros({}), indices({0}, {}), zeros({})),
       .legal = scatter(zeros({1}), indices({0}, {}), zeros({1}))},
      {.label = "C1",
       .variant = "indices_of_rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 1", "indices have rank 0"},
       .broken = scatter(zeros({1}), indices({}, {0}), zeros({})),
       .legal = scatter(zeros({1}), indices({1}, {0}), zeros({}))},
      {.label = "C2",
       .variant = "long_tuple",
       .code = ErrorCode::kShape,
       .says = {"length 2", "at most 1", "rank of data"},
       .broken = scatter(zeros({3}), indices({1, 2}, {0, 0}), zeros({1})),
       .legal = scatter(zeros({3}), indices({1, 1}, {0}), zeros({1}))},
      {.label = "C3",
       .variant = "updates_of_another_shape",
       .code = ErrorCode::kShape,
       .says = {"updates have shape [2, 3]", "[2, 2]"},
       .broken = scatter(zeros({3, 2}), indices({2, 1}, {0, 1}), zeros({2, 3})),
       .legal = scatter(zeros({3, 2}), indices({2, 1}, {0, 1}), zeros({2, 2}))},
      {.label = "C3",
       .variant = "updates_of_another_rank",
       .code = ErrorCode::kShape,
       .says = {"updates have shape [2, 1]", "[2]"},
       .broken = scatter(zeros({3, 2}), indices({2, 2}, {0, 0, 1, 1}), zeros({2, 1})),
       .legal = scatter(zeros({3, 2}), indices({2, 2}, {0, 0, 1, 1}), zeros({2}))},
      {.label = "C3",
       .variant = "rank_33",
       .code = ErrorCode::kShape,
       .says = {"updates have shape", "above 32"},
       .broken = scatter(zeros({1, 1, 1}), indices(ones(32), {0}), zeros(ones(32))),
       .legal = scatter(zeros({1, 1}), indices(ones(32), {0}), zeros(ones(32)))},
  };
}

std::vector<RuleCase> index_cases() {
  const auto pick = [](std::vector<std::int64_t> values) {
    return scatter(zeros({3, 2}), indices({2, 2}, std::move(values)), zeros({2}));
  };
  return {
      {.label = "C4",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0, 1] is 2", "axis 1 of data with extent 2", "legal: -2 to 1",
                "2 of 4 indices are"},
       .broken = pick({2, 2, 3, 0}),
       .legal = pick({2, 1, 2, 0})},
      {.label = "C4",
       .variant = "below",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1, 0] is -4", "axis 0 of data with extent 3", "1 of 4 indices is"},
       .broken = pick({2, -2, -4, 0}),
       .legal = pick({2, -2, -3, 0})},
      {.label = "C4",
       .variant = "empty_slice",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0, 0] is 3", "extent 3"},
       .broken = scatter(zeros({3, 0}), indices({1, 1}, {3}), zeros({1, 0})),
       .legal = scatter(zeros({3, 0}), indices({1, 1}, {2}), zeros({1, 0}))},
  };
}

std::vector<RuleCase> duplicate_cases() {
  return {
      {.label = "D1",
       .variant = "refused",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[3, 0]", "updates[1, 0]", "[2, 0]"},
       .broken = put({0, 2, 1, -1}, no_duplicates()),
       .legal = put({0, 2, 1}, no_duplicates())},
      {.label = "D1",
       .variant = "strict",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[1, 0]", "updates[0, 0]"},
       .broken = put({1, 1}, strict()),
       .legal = put({1, 1})},
      {.label = "D1",
       .variant = "refused_in_a_reduction",
       .versions = kReducing,
       .code = ErrorCode::kDuplicate,
       .says = {"updates[1, 0]", "updates[0, 0]"},
       .broken = put({1, 1}, no_duplicates(), reduction("mul")),
       .legal = put({1, 1}, strict(), reduction("mul"))},
      {.label = "D1",
       .variant = "whole_tensor",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[1, 0]", "updates[0, 0]"},
       .broken = scatter(zeros({3}), indices({2, 0}, {}), zeros({2, 3}), {}, no_duplicates()),
       .legal = scatter(zeros({3}), indices({1, 0}, {}), zeros({1, 3}), {}, no_duplicates())},
  };
}

}  // namespace

std::vector<RuleCase> scatter_nd_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases, duplicate_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return of_operator(
      "ScatterND", {{11, 11}, {12, 11}, {13, 13}, {15, 13}, {16, 16}, {17, 16}, {18, 18}, {28, 18}},
      cases);
}

}  // namespace windrow::internal::onnx_rules
