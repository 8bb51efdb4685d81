#include "src/operators/onnx_rules/test_support.h"

namespace windrow::internal::onnx_rules {
namespace {

Call extract(const Input& x, const Input& y, const Attributes& attributes = {},
             const CallOptions& options = {}) {
  return {{x, y}, attributes, options, 0};
}

}  // namespace

std::vector<RuleCase> array_feature_extractor_cases() {
  const Input first = indices({1}, {0});
  const auto of = [&](DType type) { return extract(zeros({3}, type), first); };
  const auto by = [](DType type) { return extract(zeros({3}), indices({1}, {0}, type)); };
  const auto pick = [](std::vector<std::int64_t> values, const CallOptions& options = {}) {
    const auto count = static_cast<std::int64_t>(values.size());
    return extract(zeros({2, 3}), indices({1, count}, std::move(values)), {}, options);
  };
  std::vector<RuleCase> cases = {
      {.label = "T1",
       .variant = "float16",
       .code = ErrorCode::kType,
       .says = {"X has type float16", "float32, float64, int64, int32, string"},
       .broken = of(DType::kFloat16),
       .legal = of(DType::kString)},
      {.label = "T1",
       .variant = "uint8",
       .code = ErrorCode::kType,
       .says = {"X has type uint8"},
       .broken = of(DType::kUint8),
       .legal = of(DType::kInt32)},
      {.label = "T2",
       .variant = "int32",
       .code = ErrorCode::kType,
       .says = {"Y has type int32", "int64"},
       .broken = by(DType::kInt32),
       .legal = by(DType::kInt64)},
      {.label = "A2",
       .variant = "unknown",
       .code = ErrorCode::kInvalidArgument,
       .says = {"'axis'", "there is: none"},
       .broken = extract(zeros({3}), first, {{"axis", std::int64_t{0}}}),
       .legal = extract(zeros({3}), first)},
      {.label = "C1",
       .variant = "rank_0",
       .code = ErrorCode::kShape,
       .says = {"X has rank 0"},
       .broken = extract(zeros({}), first),
       .legal = extract(zeros({1}), first)},
      {.label = "C2",
       .variant = "above",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"Y[0, 1] is 3", "axis 1 of X with extent 3", "legal: 0 to 2", "1 of 2 indices is"},
       .broken = pick({2, 3}),
       .legal = pick({2, 0})},
      {.label = "C2",
       .variant = "negative",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"Y[0, 0] is -1", "2 of 2 indices are"},
       .broken = pick({-1, -3}),
       .legal = pick({-1, -3}, out_of_range(OutOfRange::kModulo))},
      {.label = "C2",
       .variant = "empty_axis_clamp",
       .code = ErrorCode::kIndexOutOfRange,
       .says = {"Y[0] is 0", "extent 0", "no index is legal"},
       .broken = extract(zeros({2, 0}), first, {}, out_of_range(OutOfRange::kClamp)),
       .legal = extract(zeros({2, 0}), first, {}, out_of_range(OutOfRange::kZero))},
  };
  return of_operator("ArrayFeatureExtractor", {{1, 1}, {5, 1}}, cases);
}

}  // namespace windrow::internal::onnx_rules
