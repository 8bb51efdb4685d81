#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

Call gather(const Input& data, const Input& index, const Attributes& attributes = {},
            const CallOptions& options = {}, int opset = 0) {
  return {{data, index}, attributes, options, opset};
}

// One index into an axis of extent 3.
Call pick(std::int64_t index, const CallOptions& options = {}, int opset = 0) {
  return gather(zeros({3}), indices({1}, {index}), {}, options, opset);
}

Attributes axis(std::int64_t value) { return {{"axis", value}}; }

std::vector<RuleCase> type_cases() {
  const Input index = indices({1}, {0});
  const auto of = [&](DType type, int opset = 0) {
    return gather(zeros({3}, type), index, {}, {}, opset);
  };
  const auto by = [&](DType type) { return gather(zeros({3}), indices({1}, {0}, type)); };
  return {
      {.label = "T1",
       .variant = "bfloat16_before_13",
       .versions = {{1, 1}, {12, 11}},
       .code = ErrorCode::kType,
       .says = {"data has type bfloat16", "float16"},
       .broken = of(DType::kBFloat16),
       .legal = of(DType::kBFloat16, 13)},
      {.label = "T1",
       .variant = "float8",
       .code = ErrorCode::kType,
       .says = {"data has type float8_e5m2"},
       .broken = of(DType::kFloat8E5M2),
       .legal = of(DType::kFloat16)},
      {.label = "T1",
       .variant = "int4",
       .code = ErrorCode::kType,
       .says = {"data has type int4"},
       .broken = of(DType::kInt4),
       .legal = of(DType::kInt8)},
      {.label = "T2",
       .variant = "int16",
       .code = ErrorCode::kType,
       .says = {"indices has type int16", "int64, int32"},
       .broken = by(DType::kInt16),
       .legal = by(DType::kInt32)},
      {.label = "T2",
       .variant = "uint64",
       .code = ErrorCode::kType,
       .says = {"indices has type uint64"},
       .broken = by(DType::kUint64),
       .legal = by(DType::kInt64)},
  };
}

std::vector<RuleCase> attribute_cases() {
  const auto with = [](const Attributes& attributes) {
    return gather(zeros({2, 3}), indices({1}, {0}), attributes);
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
       .says = {"axis is -3", "[-2, 1]"},
       .broken = with(axis(-3)),
       .legal = with(axis(-2))},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'axes'", "there is: axis"},
       .broken = with({{"axes", std::int64_t{0}}}),
       .legal = with(axis(0))},
      {.label = "A2",
       .variant = "not_an_integer",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'axis'", "integer"},
       .broken = with({{"axis", 0.0}}),
       .legal = with(axis(0))},
  };
}

std::vector<RuleCase> shape_cases() {
  return {
      {.label = "C1",
       .variant = "rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 0"},
       .broken = gather(zeros({}), indices({1}, {0})),
       .legal = gather(zeros({1}), indices({}, {0}))},
      {.label = "C2",
       .variant = "rank_33",
       .code = ErrorCode::kShape,
       .says = {"result has rank 33", "32"},
       .broken = gather(zeros({1, 1}), indices(ones(32), {0})),
       .legal = gather(zeros({1, 1}), indices(ones(31), {0}))},
  };
}

std::vector<RuleCase> index_cases() {
  const auto nowhere = [](const Shape& data, std::int64_t index, OutOfRange policy) {
    return gather(zeros(data), indices({1}, {index}), {}, out_of_range(policy));
  };
  return {
      {.label = "C3",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1, 0] is 3", "axis 1 of data with extent 3", "legal: -3 to 2",
                "2 of 4 indices are"},
       .broken = gather(zeros({2, 3}), indices({2, 2}, {2, -3, 3, 9}), axis(1)),
       .legal = gather(zeros({2, 3}), indices({2, 2}, {2, -3, 2, 0}), axis(1))},
      {.label = "C3",
       .variant = "below",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -4", "1 of 1 indices is"},
       .broken = pick(-4),
       .legal = pick(-3)},
      {.label = "C3",
       .variant = "int32",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices is 3"},
       .broken = gather(zeros({3}), indices({}, {3}, DType::kInt32)),
       .legal = gather(zeros({3}), indices({}, {2}, DType::kInt32))},
      {.label = "C3",
       .variant = "empty_output",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is 2", "extent 2"},
       .broken = gather(zeros({2, 0}), indices({1}, {2})),
       .legal = gather(zeros({2, 0}), indices({1}, {1}))},
      {.label = "C3",
       .variant = "empty_axis_clamp",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"extent 0", "no index is legal"},
       .broken = nowhere({0}, 0, OutOfRange::kClamp),
       .legal = nowhere({0}, 0, OutOfRange::kZero)},
      {.label = "C3",
       .variant = "empty_axis_modulo",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"extent 0", "no index is legal"},
       .broken = nowhere({0}, 7, OutOfRange::kModulo),
       .legal = nowhere({1}, 7, OutOfRange::kModulo)},
  };
}

std::vector<RuleCase> strict_cases() {
  const std::vector<Version> first = {{1, 1}, {10, 1}};
  CallOptions clamped = strict();
  clamped.out_of_range = OutOfRange::kClamp;
  return {
      {.label = "S1",
       .variant = "negative",
       .versions = first,
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -1", "legal: 0 to 2"},
       .broken = pick(-1, strict()),
       .legal = pick(-1)},
      {.label = "S1",
       .variant = "negative_before_11",
       .versions = first,
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -1"},
       .broken = pick(-1, strict()),
       .legal = pick(-1, strict(), 11)},
      {.label = "S1",
       .variant = "above",
       .versions = first,
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is 3"},
       .broken = pick(3, strict()),
       .legal = pick(2, strict())},
      {.label = "S1",
       .variant = "negative_clamp",
       .versions = first,
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is -1"},
       .broken = pick(-1, clamped),
       .legal = pick(9, clamped)},
  };
}

}  // namespace

std::vector<RuleCase> gather_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases, strict_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return of_operator("Gather", {{1, 1}, {10, 1}, {11, 11}, {12, 11}, {13, 13}, {28, 13}}, cases);
}

}  // namespace windrow::internal::onnx_rules
