#include "src/operators/onnx_rules/test_support.h"

// Scatter and ScatterElements have the same rules, except for those that ScatterElements adds.
namespace windrow::internal::onnx_rules {
namespace {

Call scatter(const Input& data, const Input& index, const Input& updates,
             const Attributes& attributes = {}, const CallOptions& options = {}, int opset = 0) {
  return {{data, index, updates}, attributes, options, opset};
}

// Data of shape [3].
Call put(std::vector<std::int64_t> values, const CallOptions& options = {},
         const Attributes& attributes = {}, int opset = 0) {
  const Shape shape{static_cast<std::int64_t>(values.size())};
  return scatter(zeros({3}), indices(shape, std::move(values)), zeros(shape), attributes, options,
                 opset);
}

Call put_type(DType type, const Attributes& attributes = {}, int opset = 0) {
  return scatter(zeros({3}, type), indices({1}, {0}), zeros({1}, type), attributes, {}, opset);
}

Attributes axis(std::int64_t value) { return {{"axis", value}}; }
Attributes reduction(const std::string& name) { return {{"reduction", name}}; }

std::vector<RuleCase> type_cases() {
  const auto by = [](DType type) {
    return scatter(zeros({3}), indices({1}, {0}, type), zeros({1}));
  };
  return {
      {.label = "T1",
       .variant = "uint4",
       .code = ErrorCode::kType,
       .says = {"data has type uint4"},
       .broken = put_type(DType::kUint4),
       .legal = put_type(DType::kUint8)},
      {.label = "T2",
       .variant = "uint8",
       .code = ErrorCode::kType,
       .says = {"indices has type uint8", "int64, int32"},
       .broken = by(DType::kUint8),
       .legal = by(DType::kInt32)},
      {.label = "T3",
       .variant = "float64",
       .code = ErrorCode::kType,
       .says = {"updates has type float64", "data, float32"},
       .broken = scatter(zeros({3}), indices({1}, {0}), zeros({1}, DType::kFloat64)),
       .legal = scatter(zeros({3}), indices({1}, {0}), zeros({1}, DType::kFloat32))},
  };
}

std::vector<RuleCase> attribute_cases() {
  const auto with = [](const Attributes& attributes) {
    return scatter(zeros({2, 3}), indices({1, 1}, {0}), zeros({1, 1}), attributes);
  };
  return {
      {.label = "A1",
       .variant = "above",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is 2", "[-2, 1]", "data of rank 2"},
       .broken = with(axis(2)),
       .legal = with(axis(1))},
      {.label = "A1",
       .variant = "below",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is -3"},
       .broken = with(axis(-3)),
       .legal = with(axis(-2))},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'mode'", "axis"},
       .broken = with({{"mode", std::string("linear")}}),
       .legal = with({})},
  };
}

std::vector<RuleCase> shape_cases() {
  return {
      {.label = "C1",
       .variant = "indices_of_another_rank",
       .code = ErrorCode::kShape,
       .says = {"ranks 2, 1 and 2"},
       .broken = scatter(zeros({1, 1}), indices({1}, {0}), zeros({1, 1})),
       .legal = scatter(zeros({1, 1}), indices({1, 1}, {0}), zeros({1, 1}))},
      {.label = "C1",
       .variant = "updates_of_another_rank",
       .code = ErrorCode::kShape,
       .says = {"ranks 2, 2 and 1"},
       .broken = scatter(zeros({1, 1}), indices({1, 1}, {0}), zeros({1})),
       .legal = scatter(zeros({1, 1}), indices({1, 1}, {0}), zeros({1, 1}))},
      {.label = "C1",
       .variant = "rank_0",
       .code = ErrorCode::kShape,
       .says = {"ranks 0, 0 and 0"},
       .broken = scatter(zeros({}), indices({}, {0}), zeros({})),
       .legal = scatter(zeros({1}), indices({1}, {0}), zeros({1}))},
      {.label = "C2",
       .variant = "shapes_differ",
       .code = ErrorCode::kShape,
       .says = {"updates have shape [1, 2]", "shape of indices, [2, 1]"},
       .broken = scatter(zeros({2, 3}), indices({2, 1}, {0, 1}), zeros({1, 2})),
       .legal = scatter(zeros({2, 3}), indices({2, 1}, {0, 1}), zeros({2, 1}))},
      {.label = "C3",
       .variant = "longer_off_the_axis",
       .code = ErrorCode::kShape,
       .says = {"indices have shape [3, 1]", "data has shape [2, 3]", "axis 0"},
       .broken = scatter(zeros({2, 3}), indices({3, 1}, {0, 1, 1}), zeros({3, 1}), axis(1)),
       .legal = scatter(zeros({2, 3}), indices({3, 1}, {0, 1, 1}), zeros({3, 1}), axis(0))},
  };
}

std::vector<RuleCase> index_cases() {
  return {
      {.label = "C4",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1] is 3", "axis 0 of data with extent 3", "legal: -3 to 2",
                "2 of 3 indices are"},
       .broken = put({0, 3, 7}),
       .legal = put({0, 2, 1})},
      {.label = "C4",
       .variant = "below",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -4"},
       .broken = put({-4}),
       .legal = put({-3})},
      {.label = "C4",
       .variant = "empty_axis_clamp",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"extent 0", "no index is legal"},
       .broken =
           scatter(zeros({0}), indices({1}, {0}), zeros({1}), {}, out_of_range(OutOfRange::kClamp)),
       .legal =
           scatter(zeros({0}), indices({1}, {0}), zeros({1}), {}, out_of_range(OutOfRange::kSkip))},
  };
}

std::vector<RuleCase> duplicate_cases() {
  CallOptions skipping = no_duplicates();
  skipping.out_of_range = OutOfRange::kSkip;
  CallOptions wrapping = no_duplicates();
  wrapping.out_of_range = OutOfRange::kModulo;
  return {
      {.label = "D1",
       .variant = "refused",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[3]", "updates[1]", "[2]"},
       .broken = put({0, 2, 1, -1}, no_duplicates()),
       .legal = put({0, 2, 1}, no_duplicates())},
      {.label = "D1",
       .variant = "strict",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[1]", "updates[0]"},
       .broken = put({1, 1}, strict()),
       .legal = put({1, 1})},
      {.label = "D1",
       .variant = "modulo",
       .code = ErrorCode::kDuplicate,
       .says = {"updates[1]", "updates[0]"},
       .broken = put({1, 4}, wrapping),
       .legal = put({1, 4}, skipping)},
  };
}

std::vector<RuleCase> shared_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases, duplicate_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return cases;
}

}  // namespace

std::vector<RuleCase> scatter_cases() {
  const std::vector<Version> first = {{9, 9}, {10, 9}};
  std::vector<RuleCase> cases = shared_cases();
  cases.push_back({.label = "T1",
                   .variant = "bfloat16",
                   .code = ErrorCode::kType,
                   .says = {"data has type bfloat16"},
                   .broken = put_type(DType::kBFloat16),
                   .legal = put_type(DType::kFloat16)});
  cases.push_back({.label = "A2",
                   .variant = "reduction",
                   .code = ErrorCode::kInvalidArgument,
                   .says = {"'reduction'", "there is: axis"},
                   .broken = put({0}, {}, reduction("none")),
                   .legal = put({0})});
  cases.push_back({.label = "S1",
                   .variant = "negative",
                   .versions = first,
                   .code = ErrorCode::kIndexOutOfRange,
                   .says = {"indices[1] is -1", "legal: 0 to 2"},
                   .broken = put({0, -1}, strict()),
                   .legal = put({0, -1})});
  cases.push_back({.label = "S1",
                   .variant = "negative_before_11",
                   .versions = first,
                   .code = ErrorCode::kIndexOutOfRange,
                   .says = {"indices[0] is -1"},
                   .broken = put({-1}, strict()),
                   .legal = put({-1}, strict(), {}, 11)});
  return of_operator("Scatter", {{9, 9}, {10, 9}, {11, 11}, {28, 11}}, cases);
}

std::vector<RuleCase> scatter_elements_cases() {
  const std::vector<Version> reducing = {{16, 16}, {17, 16}, {18, 18}, {28, 18}};
  const std::vector<Version> no_order = {{16, 16}, {17, 16}};
  const std::vector<Version> newest = {{18, 18}, {28, 18}};
  std::vector<RuleCase> cases = shared_cases();
  cases.push_back({.label = "T1",
                   .variant = "bfloat16_before_13",
                   .versions = {{11, 11}, {12, 11}},
                   .code = ErrorCode::kType,
                   .says = {"data has type bfloat16"},
                   .broken = put_type(DType::kBFloat16),
                   .legal = put_type(DType::kBFloat16, {}, 13)});
  cases.push_back({.label = "A2",
                   .variant = "reduction_before_16",
                   .versions = {{11, 11}, {12, 11}, {13, 13}, {15, 13}},
                   .code = ErrorCode::kInvalidArgument,
                   .says = {"'reduction'", "there is: axis"},
                   .broken = put({0}, {}, reduction("add")),
                   .legal = put({0}, {}, reduction("add"), 16)});
  cases.push_back({.label = "A2",
                   .variant = "not_a_string",
                   .versions = reducing,
                   .code = ErrorCode::kInvalidArgument,
                   .says = {"'reduction'", "string"},
                   .broken = put({0}, {}, {{"reduction", std::int64_t{1}}}),
                   .legal = put({0}, {}, reduction("mul"))});
  for (const std::string name : {"max", "min"})
    cases.push_back({.label = "A3",
                     .variant = name + "_before_18",
                     .versions = no_order,
                     .code = ErrorCode::kInvalidArgument,
                     .says = {"reduction is '" + name + "'", "must be one of: none, add, mul"},
                     .broken = put({0}, {}, reduction(name)),
                     .legal = put({0}, {}, reduction(name), 18)});
  cases.push_back({.label = "A3",
                   .variant = "unknown",
                   .versions = reducing,
                   .code = ErrorCode::kInvalidArgument,
                   .says = {"reduction is 'sum'"},
                   .broken = put({0}, {}, reduction("sum")),
                   .legal = put({0}, {}, reduction("add"))});
  cases.push_back({.label = "A3",
                   .variant = "string_mul",
                   .versions = reducing,
                   .code = ErrorCode::kType,
                   .says = {"'mul'", "string"},
                   .broken = put_type(DType::kString, reduction("mul")),
                   .legal = put_type(DType::kString, reduction("add"))});
  cases.push_back({.label = "A3",
                   .variant = "complex_max",
                   .versions = newest,
                   .code = ErrorCode::kType,
                   .says = {"'max'", "complex64"},
                   .broken = put_type(DType::kComplex64, reduction("max")),
                   .legal = put_type(DType::kComplex64, reduction("mul"))});
  cases.push_back({.label = "D1",
                   .variant = "refused_in_a_reduction",
                   .versions = reducing,
                   .code = ErrorCode::kDuplicate,
                   .says = {"updates[1]", "updates[0]"},
                   .broken = put({1, 1}, no_duplicates(), reduction("add")),
                   .legal = put({1, 1}, strict(), reduction("add"))});
  return of_operator(
      "ScatterElements",
      {{11, 11}, {12, 11}, {13, 13}, {15, 13}, {16, 16}, {17, 16}, {18, 18}, {28, 18}}, cases);
}

}  // namespace windrow::internal::onnx_rules
