#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

const std::vector<Version> kBatched = {{12, 12}, {13, 13}, {28, 13}};

Call gather(const Input& data, const Input& index, const Attributes& attributes = {},
            int opset = 0) {
  return {{data, index}, attributes, {}, opset};
}

Attributes batch_dims(std::int64_t value) { return {{"batch_dims", value}}; }

std::vector<RuleCase> type_cases() {
  const auto of = [](DType type, int opset = 0) {
    return gather(zeros({3}, type), indices({1}, {0}), {}, opset);
  };
  const auto by = [](DType type) { return gather(zeros({3}), indices({1}, {0}, type)); };
  return {
      {.label = "T1",
       .variant = "bfloat16_before_13",
       .versions = {{11, 11}, {12, 12}},
       .code = ErrorCode::kType,
       .says = {"data has type bfloat16"},
       .broken = of(DType::kBFloat16),
       .legal = of(DType::kBFloat16, 13)},
      {.label = "T1",
       .variant = "float8",
       .code = ErrorCode::kType,
       .says = {"data has type float8_e4m3fn"},
       .broken = of(DType::kFloat8E4M3FN),
       .legal = of(DType::kFloat32)},
      {.label = "T2",
       .variant = "int32",
       .code = ErrorCode::kType,
       .says = {"indices has type int32", "int64"},
       .broken = by(DType::kInt32),
       .legal = by(DType::kInt64)},
  };
}

std::vector<RuleCase> attribute_cases() {
  const auto with = [](const Attributes& attributes, int opset = 0) {
    return gather(zeros({2, 3, 4}), indices({2, 1}, {0, 1}), attributes, opset);
  };
  return {
      {.label = "A1",
       .variant = "rank_of_indices",
       .versions = kBatched,
       .code = ErrorCode::kInvalidArgument,
       .says = {"batch_dims is 2", "[0, 1]", "data of rank 3", "indices of rank 2"},
       .broken = with(batch_dims(2)),
       .legal = with(batch_dims(1))},
      {.label = "A1",
       .variant = "rank_of_data",
       .versions = kBatched,
       .code = ErrorCode::kInvalidArgument,
       .says = {"batch_dims is 1", "[0, 0]", "data of rank 1"},
       .broken = gather(zeros({2}), indices({2, 1}, {0, 1}), batch_dims(1)),
       .legal = gather(zeros({2}), indices({2, 1}, {0, 1}), batch_dims(0))},
      {.label = "A1",
       .variant = "negative",
       .versions = kBatched,
       .code = ErrorCode::kInvalidArgument,
       .says = {"batch_dims is -1"},
       .broken = with(batch_dims(-1)),
       .legal = with(batch_dims(0))},
      {.label = "A2",
       .variant = "batch_dims_before_12",
       .versions = {{11, 11}},
       .code = ErrorCode::kInvalidArgument,
       .says = {"'batch_dims'", "there is: none"},
       .broken = with(batch_dims(0)),
       .legal = with(batch_dims(0), 12)},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'axis'"},
       .broken = with({{"axis", std::int64_t{0}}}),
       .legal = with({})},
  };
}

std::vector<RuleCase> shape_cases() {
  return {
      {.label = "C1",
       .variant = "data_of_rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 0", "indices have rank 1"},
       .broken = gather(zeros({}), indices({1}, {0})),
       .legal = gather(zeros({1}), indices({1}, {0}))},
      {.label = "C1",
       .variant = "indices_of_rank_0",
       .code = ErrorCode::kShape,
       .says = {"data has rank 1", "indices have rank 0"},
       .broken = gather(zeros({1}), indices({}, {0})),
       .legal = gather(zeros({1}), indices({1}, {0}))},
      {.label = "C2",
       .variant = "batch_extents_differ",
       .versions = kBatched,
       .code = ErrorCode::kShape,
       .says = {"data has shape [4, 3]", "indices have shape [2, 1]", "batch axis 0"},
       .broken = gather(zeros({4, 3}), indices({2, 1}, {0, 0}), batch_dims(1)),
       .legal = gather(zeros({2, 3}), indices({2, 1}, {0, 0}), batch_dims(1))},
      {.label = "C3",
       .variant = "empty_tuple",
       .code = ErrorCode::kShape,
       .says = {"length 0", "[1, 2]", "rank 2"},
       .broken = gather(zeros({2, 3}), indices({2, 0}, {})),
       .legal = gather(zeros({2, 3}), indices({2, 1}, {0, 0}))},
      {.label = "C3",
       .variant = "long_tuple",
       .code = ErrorCode::kShape,
       .says = {"length 3", "[1, 2]"},
       .broken = gather(zeros({2, 3}), indices({1, 3}, {0, 0, 0})),
       .legal = gather(zeros({2, 3}), indices({1, 2}, {0, 0}))},
      {.label = "C3",
       .variant = "long_tuple_behind_the_batch",
       .versions = kBatched,
       .code = ErrorCode::kShape,
       .says = {"length 2", "[1, 1]", "batch_dims 1"},
       .broken = gather(zeros({1, 3}), indices({1, 2}, {0, 0}), batch_dims(1)),
       .legal = gather(zeros({1, 3}), indices({1, 2}, {0, 0}), batch_dims(0))},
      {.label = "C4",
       .variant = "rank_33",
       .code = ErrorCode::kShape,
       .says = {"result has rank 33", "32"},
       .broken = gather(zeros({1, 1, 1}), indices(ones(32), {0})),
       .legal = gather(zeros({1, 1, 1}), indices(ones(31), {0}))},
  };
}

std::vector<RuleCase> index_cases() {
  const auto pick = [](std::vector<std::int64_t> values) {
    return gather(zeros({2, 3}), indices({2, 2}, std::move(values)));
  };
  return {
      {.label = "C5",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0, 1] is 3", "axis 1 of data with extent 3", "legal: -3 to 2",
                "2 of 4 indices are"},
       .broken = pick({1, 3, 2, 0}),
       .legal = pick({1, 2, 1, 0})},
      {.label = "C5",
       .variant = "below",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1, 0] is -3", "axis 0 of data with extent 2", "1 of 4 indices is"},
       .broken = pick({1, -3, -3, 0}),
       .legal = pick({1, -3, -2, 0})},
      {.label = "C5",
       .variant = "behind_the_batch",
       .versions = kBatched,
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[1, 0] is 3", "axis 1 of data with extent 3"},
       .broken = gather(zeros({2, 3}), indices({2, 1}, {2, 3}), batch_dims(1)),
       .legal = gather(zeros({2, 3}), indices({2, 1}, {2, 2}), batch_dims(1))},
      {.label = "C5",
       .variant = "empty_output",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"indices[0] is 5", "extent 2"},
       .broken = gather(zeros({2, 0}), indices({1}, {5})),
       .legal = gather(zeros({2, 0}), indices({1}, {1}))},
  };
}

}  // namespace

std::vector<RuleCase> gather_nd_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return of_operator("GatherND", {{11, 11}, {12, 12}, {13, 13}, {28, 13}}, cases);
}

}  // namespace windrow::internal::onnx_rules
