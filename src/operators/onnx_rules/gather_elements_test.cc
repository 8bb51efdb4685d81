#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

Call gather(const Input& data, const Input& index, const Attributes& attributes = {},
            int opset = 0) {
  return {{data, index}, attributes, {}, opset};
}

Attributes axis(std::int64_t value) { return {{"axis", value}}; }

std::vector<RuleCase> type_cases() {
  const auto of = [](DType type, int opset = 0) {
    return gather(zeros({3}, type), indices({1}, {0}), {}, opset);
  };
  const auto by = [](DType type) { return gather(zeros({3}), indices({1}, {0}, type)); };
  return {
      {.label = "T1",
       .variant = "bfloat16_before_13",
       .versions = {{11, 11}, {12, 11}},
       .code = ErrorCode::kType,
       .says = {"data has type bfloat16"},
       .broken = of(DType::kBFloat16),
       .legal = of(DType::kBFloat16, 13)},
      {.label = "T1",
       .variant = "uint4",
       .code = ErrorCode::kType,
       .says = {"data has type uint4"},
       .broken = of(DType::kUint4),
       .legal = of(DType::kUint8)},
      {.label = "T2",
       .variant = "uint32",
       .code = ErrorCode::kType,
       .says = {"indices has type uint32"},
       .broken = by(DType::kUint32),
       .legal = by(DType::kInt32)},
      {.label = "T2",
       .variant = "float32",
       .code = ErrorCode::kType,
       .says = {"indices has type float32"},
       .broken = by(DType::kFloat32),
       .legal = by(DType::kInt64)},
  };
}

std::vector<RuleCase> attribute_cases() {
  const auto with = [](const Attributes& attributes) {
    return gather(zeros({2, 3}), indices({1, 1}, {0}), attributes);
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
       .says = {"'batch_dims'", "there is: axis"},
       .broken = with({{"batch_dims", std::int64_t{0}}}),
       .legal = with(axis(0))},
  };
}

std::vector<RuleCase> shape_cases() {
  return {
      {.label = "C1",
       .variant = "ranks_differ",
       .code = ErrorCode::kShape,
       .says = {"data has rank 2", "indices have rank 1"},
       .broken = gather(zeros({1, 1}), indices({1}, {0})),
       .legal = gather(zeros({1, 1}), indices({1, 1}, {0}))},
      {.label = "C1",
       .variant = "rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 0", "at least 1"},
       .broken = gather(zeros({}), indices({}, {0})),
       .legal = gather(zeros({1}), indices({1}, {0}))},
      {.label = "C2",
       .variant = "longer_off_the_axis",
       .code = ErrorCode::kShape,
       .says = {"indices have shape [3, 1]", "data has shape [2, 3]", "axis 0"},
       .broken = gather(zeros({2, 3}), indices({3, 1}, {0, 0, 0}), axis(1)),
       .legal = gather(zeros({2, 3}), indices({2, 1}, {0, 0}), axis(1))},
      {.label = "C2",
       .variant = "long_on_the_axis",
       .code = ErrorCode::kShape,
       .says = {"axis 0"},
       .broken = gather(zeros({2, 3}), indices({3, 1}, {0, 0, 0}), axis(-1)),
       .legal = gather(zeros({2, 3}), indices({3, 1}, {0, 0, 0}), axis(-2))},
  };
}

std::vector<RuleCase> index_cases() {
  return {
      {.label = "C3",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0, 1] is 2", "axis 0 of data with extent 2", "legal: -2 to 1",
                "1 of 2 indices is"},
       .broken = gather(zeros({2, 3}), indices({1, 2}, {1, 2})),
       .legal = gather(zeros({2, 3}), indices({1, 2}, {1, 1}))},
      {.label = "C3",
       .variant = "below",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0, 0] is -4", "axis 1 of data with extent 3"},
       .broken = gather(zeros({2, 3}), indices({1, 2}, {-4, 2}, DType::kInt32), axis(1)),
       .legal = gather(zeros({2, 3}), indices({1, 2}, {-3, 2}, DType::kInt32), axis(1))},
  };
}

}  // namespace

std::vector<RuleCase> gather_elements_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return of_operator("GatherElements", {{11, 11}, {12, 11}, {13, 13}, {28, 13}}, cases);
}

}  // namespace windrow::internal::onnx_rules
