#include <algorithm>
#include <array>
#include <string_view>

#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

std::string reduction_text(const NodeView& node) {
  if (!node.has_reduction_attribute) return "the node has no reduction";
  return "reduction is '" + node.reduction + "'";
}

// Whether intervals prove that the only element of an input is at least `least`.
bool is_at_least(const InputView& input, std::int64_t least) {
  const std::vector<Interval>& intervals = input.fact.range.integers;
  return !intervals.empty() && intervals.front().low >= least;
}

}  // namespace

std::optional<Judgement> judge_needless_reduction(const NodeView& node) {
  return verdict_of(node.has_reduction_attribute && !node.reduces(), reduction_text(node));
}

std::optional<Judgement> judge_reduction(const NodeView& node) {
  return verdict_of(node.reduces(), reduction_text(node));
}

std::optional<Judgement> judge_unknown_reduction(const NodeView& node) {
  constexpr std::array<std::string_view, 5> kKnown = {"none", "add", "mul", "min", "max"};
  return verdict_of(std::find(kKnown.begin(), kKnown.end(), node.reduction) == kKnown.end(),
                    reduction_text(node));
}

std::optional<Judgement> judge_reduction_of_opset_16(const NodeView& node) {
  return verdict_of(node.reduction == "add" || node.reduction == "mul", reduction_text(node));
}

std::optional<Judgement> judge_reduction_of_opset_18(const NodeView& node) {
  return verdict_of(node.takes_extreme(), reduction_text(node));
}

std::optional<Judgement> judge_own_reduction(const NodeView& node) {
  return verdict_of(node.reduction == "mean" || node.reduction == "sub", reduction_text(node));
}

std::optional<Judgement> judge_ignored_init_value(const NodeView& node) {
  return verdict_of(
      node.reduces() && !node.use_init_val,
      reduction_text(node) + " and use_init_val is " + (node.use_init_val ? "true" : "false"));
}

std::optional<Judgement> judge_boolean_sub(const NodeView& node) {
  if (node.reduction != "sub" || node.data.fact.dtype == DType::kAbsent) return std::nullopt;
  if (node.data.fact.dtype != DType::kBool)
    return cannot("data is " + std::string(dtype_name(node.data.fact.dtype)));
  return judge_reduced_duplicates(node);
}

std::optional<Judgement> judge_axis_input(const NodeView& node) {
  const InputView& axis = node.axis_input;
  if (!axis.is_given()) return std::nullopt;
  if (node.axis || axis.fact.constant != nullptr) return cannot("the axis is known");
  const std::string& name = node.place->node.inputs[axis.position];
  const std::vector<ValueInfo>& inputs = node.place->graph.inputs;
  const bool is_input = std::any_of(inputs.begin(), inputs.end(),
                                    [&name](const ValueInfo& input) { return input.name == name; });
  return is_input ? happens("the axis is an input") : can("the axis is computed in the run");
}

std::optional<Judgement> judge_narrow_axis(const NodeView& node) {
  const InputView& axis = node.axis_input;
  if (axis.fact.dtype == DType::kAbsent) return std::nullopt;
  if (axis.fact.dtype != DType::kInt4)
    return cannot("axis is " + std::string(dtype_name(axis.fact.dtype)));
  if (axis.value) return verdict_of(*axis.value < 0, "axis is " + std::to_string(*axis.value));
  return is_at_least(axis, 0) ? cannot("axis is int4") : can("axis is int4");
}

std::optional<Judgement> judge_fused_batch(const NodeView& node) {
  return verdict_of(node.version() == 5 && node.batch_dims > 1,
                    operator_text(node) + " with batch_dims " + std::to_string(node.batch_dims));
}

std::optional<Judgement> judge_deprecated(const NodeView& node) {
  const OperatorInfo& info = node.op->info;
  return verdict_of(info.name == "Scatter" && info.deprecated, operator_text(node));
}

std::optional<Judgement> judge_old_scatter(const NodeView& node) {
  return verdict_of(node.op->info.name == "Scatter", operator_text(node));
}

std::optional<Judgement> judge_operator(const NodeView& node) {
  return happens(operator_text(node));
}

std::optional<Judgement> judge_cache_limits(const NodeView& node) {
  const auto rank = node.data.rank();
  if (rank && *rank != 4) return happens("past_cache has rank " + std::to_string(*rank));
  if (node.axis && rank && *node.axis != 2)
    return happens("axis is " + std::to_string(*node.axis) + " of 4");
  if (node.is_circular) return happens("mode is circular");
  constexpr std::array kTypes = {DType::kFloat16, DType::kBFloat16, DType::kFloat32};
  const DType dtype = node.data.fact.dtype;
  if (dtype != DType::kAbsent && std::find(kTypes.begin(), kTypes.end(), dtype) == kTypes.end())
    return happens("past_cache is " + std::string(dtype_name(dtype)));
  if (rank && !node.data.extent(2))
    return happens("the extent of past_cache on axis 2 is not fixed");
  const bool is_known = rank && dtype != DType::kAbsent;
  return verdict_of(is_known ? std::optional(false) : std::nullopt,
                    is_known ? "the cache has the form that TensorRT takes"
                             : "type and shape of past_cache are not known");
}

std::optional<Judgement> judge_zero_depth(const NodeView& node) {
  const InputView& depth = node.axis_input;
  if (depth.value) return verdict_of(*depth.value == 0, "depth is " + std::to_string(*depth.value));
  return verdict_by_range(depth, is_at_least(depth, 1), "nothing proves that depth is not 0",
                          {.low = Bound{"", false, 1}});
}

std::optional<Judgement> judge_new_one_hot(const NodeView& node) {
  return verdict_of(node.version() >= 28, operator_text(node));
}

}  // namespace windrow::internal
