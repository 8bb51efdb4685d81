#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

Call scatter(const Input& cache, const Input& update, const Input& write_indices,
             const Attributes& attributes = {}, const CallOptions& options = {}) {
  return {{cache, update, write_indices}, attributes, options, 0};
}

// A cache of shape [2, 4, 1] and two entries for each batch.
Call write(std::vector<std::int64_t> at, const std::string& mode = "linear",
           const CallOptions& options = {}) {
  return scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), indices({2}, std::move(at)), {{"mode", mode}},
                 options);
}

std::vector<RuleCase> type_cases() {
  const auto by = [](DType type) {
    return scatter(zeros({1, 4, 1}), zeros({1, 2, 1}), indices({1}, {0}, type));
  };
  const auto updated_by = [](DType type) {
    return scatter(zeros({1, 4, 1}), zeros({1, 2, 1}, type), indices({1}, {0}));
  };
  const auto of = [](DType type) {
    return scatter(zeros({1, 4, 1}, type), zeros({1, 2, 1}, type), indices({1}, {0}));
  };
  return {
      {.label = "T1",
       .variant = "uint1",
       .code = ErrorCode::kType,
       .says = {"past_cache has type uint1", "float8_e8m0fnu"},
       .broken = of(DType::kUint1),
       .legal = of(DType::kFloat8E8M0)},
      {.label = "T2",
       .variant = "int32",
       .code = ErrorCode::kType,
       .says = {"write_indices has type int32", "int64"},
       .broken = by(DType::kInt32),
       .legal = by(DType::kInt64)},
      {.label = "T3",
       .variant = "float16",
       .code = ErrorCode::kType,
       .says = {"update has type float16", "past_cache, float32"},
       .broken = updated_by(DType::kFloat16),
       .legal = updated_by(DType::kFloat32)},
  };
}

std::vector<RuleCase> attribute_cases() {
  const auto with = [](const Attributes& attributes) {
    return scatter(zeros({1, 4, 4}), zeros({1, 4, 4}), {}, attributes);
  };
  const auto axis = [](std::int64_t value) { return Attributes{{"axis", value}}; };
  return {
      {.label = "A1",
       .variant = "above",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is 3", "[-3, 2]", "past_cache of rank 3"},
       .broken = with(axis(3)),
       .legal = with(axis(2))},
      {.label = "A1",
       .variant = "below",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is -4"},
       .broken = with(axis(-4)),
       .legal = with(axis(-2))},
      {.label = "A1",
       .variant = "batch",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is 0", "batch"},
       .broken = with(axis(0)),
       .legal = with(axis(1))},
      {.label = "A1",
       .variant = "batch_from_the_end",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is -3", "batch"},
       .broken = with(axis(-3)),
       .legal = with(axis(-1))},
      {.label = "A1",
       .variant = "default_of_rank_2",
       .code = ErrorCode::kInvalidArgument,
       .says = {"axis is -2", "batch"},
       .broken = scatter(zeros({1, 4}), zeros({1, 2}), {}),
       .legal = scatter(zeros({1, 4}), zeros({1, 2}), {}, axis(1))},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'reduction'", "there is: axis, mode"},
       .broken = with({{"reduction", std::string("none")}}),
       .legal = with({{"mode", std::string("linear")}})},
      {.label = "A3",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"mode is 'ring'", "linear or circular"},
       .broken = with({{"mode", std::string("ring")}}),
       .legal = with({{"mode", std::string("circular")}})},
  };
}

std::vector<RuleCase> shape_cases() {
  const Input none;
  return {
      {.label = "C1",
       .variant = "ranks_differ",
       .code = ErrorCode::kShape,
       .says = {"past_cache has rank 3", "update has rank 2"},
       .broken = scatter(zeros({1, 4, 1}), zeros({1, 2}), none),
       .legal = scatter(zeros({1, 4, 1}), zeros({1, 2, 1}), none)},
      {.label = "C1",
       .variant = "rank_1",
       .code = ErrorCode::kShape,
       .says = {"past_cache has rank 1", "at least 2"},
       .broken = scatter(zeros({4}), zeros({4}), none, {{"axis", std::int64_t{-1}}}),
       .legal = scatter(zeros({1, 4}), zeros({1, 4}), none, {{"axis", std::int64_t{-1}}})},
      {.label = "C2",
       .variant = "batch",
       .code = ErrorCode::kShape,
       .says = {"update has shape [1, 2, 1]", "past_cache has shape [2, 4, 1]", "axis 0"},
       .broken = scatter(zeros({2, 4, 1}), zeros({1, 2, 1}), none),
       .legal = scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), none)},
      {.label = "C2",
       .variant = "behind_the_axis",
       .code = ErrorCode::kShape,
       .says = {"axis 2"},
       .broken = scatter(zeros({2, 4, 3}), zeros({2, 2, 2}), none),
       .legal = scatter(zeros({2, 4, 3}), zeros({2, 2, 3}), none)},
      {.label = "C3",
       .variant = "long_update",
       .code = ErrorCode::kShape,
       .says = {"update has shape [1, 5, 1]", "past_cache has shape [1, 4, 1]", "axis 1"},
       .broken = scatter(zeros({1, 4, 1}), zeros({1, 5, 1}), none),
       .legal = scatter(zeros({1, 4, 1}), zeros({1, 4, 1}), none)},
      {.label = "C4",
       .variant = "length",
       .code = ErrorCode::kShape,
       .says = {"write_indices has shape [1]", "[2]"},
       .broken = scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), indices({1}, {0})),
       .legal = scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), indices({2}, {0, 0}))},
      {.label = "C4",
       .variant = "rank",
       .code = ErrorCode::kShape,
       .says = {"write_indices has shape [2, 1]", "[2]"},
       .broken = scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), indices({2, 1}, {0, 0})),
       .legal = scatter(zeros({2, 4, 1}), zeros({2, 2, 1}), none)},
  };
}

std::vector<RuleCase> index_cases() {
  const std::int64_t top = INT64_MAX;
  return {
      {.label = "C5",
       .variant = "linear_above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[1] is 3", "axis 1 of past_cache with extent 4", "legal: 0 to 2",
                "1 of 2 indices is"},
       .broken = write({2, 3}),
       .legal = write({2, 2})},
      {.label = "C5",
       .variant = "linear_negative",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[0] is -1", "2 of 2 indices are"},
       .broken = write({-1, top}),
       .legal = write({0, 2})},
      {.label = "C5",
       .variant = "circular_negative",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[1] is -1", "legal: 0 to " + std::to_string(top)},
       .broken = write({3, -1}, "circular"),
       .legal = write({3, top}, "circular")},
      {.label = "C5",
       .variant = "error_is_the_only_policy_that_checks",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[0] is -9"},
       .broken = write({-9, top}, "linear", out_of_range(OutOfRange::kError)),
       .legal = write({-9, top}, "linear", out_of_range(OutOfRange::kSkip))},
      {.label = "C5",
       .variant = "empty_update",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[0] is 5", "legal: 0 to 4"},
       .broken = scatter(zeros({1, 4, 1}), zeros({1, 0, 1}), indices({1}, {5})),
       .legal = scatter(zeros({1, 4, 1}), zeros({1, 0, 1}), indices({1}, {4}))},
      {.label = "C5",
       .variant = "empty_slice",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"write_indices[0] is 3"},
       .broken = scatter(zeros({1, 4, 0}), zeros({1, 2, 0}), indices({1}, {3})),
       .legal = scatter(zeros({1, 4, 0}), zeros({1, 2, 0}), indices({1}, {2}))},
  };
}

std::vector<RuleCase> duplicate_cases() {
  CallOptions refusing = no_duplicates();
  refusing.out_of_range = OutOfRange::kClamp;
  CallOptions strict_clamp = strict();
  strict_clamp.out_of_range = OutOfRange::kClamp;
  return {
      {.label = "D1",
       .variant = "clamp",
       .code = ErrorCode::kDuplicate,
       .says = {"update[1, 1, 0]", "update[1, 0, 0]", "[1, 3, 0]"},
       .broken = write({0, 3}, "linear", refusing),
       .legal = write({0, 2}, "linear", refusing)},
      {.label = "D1",
       .variant = "strict",
       .code = ErrorCode::kDuplicate,
       .says = {"update[0, 1, 0]", "update[0, 0, 0]"},
       .broken = write({-7, 0}, "linear", strict_clamp),
       .legal = write({-7, 0}, "circular", strict_clamp)},
  };
}

}  // namespace

std::vector<RuleCase> tensor_scatter_cases() {
  std::vector<RuleCase> cases;
  for (const auto list : {type_cases, attribute_cases, shape_cases, index_cases, duplicate_cases})
    for (const RuleCase& rule : list()) cases.push_back(rule);
  return of_operator("TensorScatter", {{24, 24}, {28, 24}}, cases);
}

}  // namespace windrow::internal::onnx_rules
