#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/portability/judges.h"
#include "src/ranges/integers.h"

namespace windrow::internal {
namespace {

template <std::size_t kCount>
bool is_one_of(DType dtype, const std::array<DType, kCount>& types) {
  return std::find(types.begin(), types.end(), dtype) != types.end();
}

// Judges an input's type; nothing if the type is not known.
std::optional<Judgement> judge_type(const NodeView& node, const InputView& input, bool holds) {
  if (!input.is_given() || input.fact.dtype == DType::kAbsent) return std::nullopt;
  Judgement judgement = verdict_on(node, holds, [&input] {
    return std::string(input.name) + " is " + std::string(dtype_name(input.fact.dtype));
  });
  judgement.input = &input;
  if (input.is_observed) judgement.evidence = Evidence::kInputs;
  return judgement;
}

// The types of data that TensorRT's layers support in some release.
constexpr std::array kLayerTypes = {DType::kBool,    DType::kInt4,     DType::kInt8,
                                    DType::kInt32,   DType::kInt64,    DType::kFloat8E4M3FN,
                                    DType::kFloat16, DType::kBFloat16, DType::kFloat32};
// The types that ONNX Runtime's TensorScatter copies.
constexpr std::array kCopiedTypes = {
    DType::kBool,    DType::kInt8,    DType::kInt16,   DType::kInt32,  DType::kInt64,
    DType::kUint8,   DType::kUint16,  DType::kUint32,  DType::kUint64, DType::kFloat16,
    DType::kFloat32, DType::kFloat64, DType::kBFloat16};
// The types whose bits OpenVINO's CPU plugin takes for elements of a byte.
constexpr std::array kOddBits = {DType::kUint1, DType::kUint2, DType::kNF4, DType::kFloat4E2M1};

bool is_half(DType dtype) { return dtype == DType::kFloat16 || dtype == DType::kBFloat16; }

}  // namespace

std::optional<Judgement> judge_complex(const NodeView& node) {
  return judge_type(node, node.data, dtype_kind(node.data.fact.dtype) == DTypeKind::kComplex);
}

std::optional<Judgement> judge_text(const NodeView& node) {
  return judge_type(node, node.data, node.data.fact.dtype == DType::kString);
}

std::optional<Judgement> judge_tensorrt_type(const NodeView& node) {
  return judge_type(node, node.data, !is_one_of(node.data.fact.dtype, kLayerTypes));
}

std::optional<Judgement> judge_copied_type(const NodeView& node) {
  return judge_type(node, node.data, !is_one_of(node.data.fact.dtype, kCopiedTypes));
}

std::optional<Judgement> judge_float64(const NodeView& node) {
  return judge_type(node, node.data, node.data.fact.dtype == DType::kFloat64);
}

std::optional<Judgement> judge_odd_bits(const NodeView& node) {
  return judge_type(node, node.data, is_one_of(node.data.fact.dtype, kOddBits));
}

std::optional<Judgement> judge_text_slices(const NodeView& node) {
  if (node.data.fact.dtype != DType::kString) return judge_type(node, node.data, false);
  const auto rank = node.data.rank();
  if (!rank || !node.axis) return can("data is string, and its slices may have several elements");
  std::optional<bool> is_longer = false;
  for (std::size_t axis = *node.axis + 1; axis < *rank; ++axis) {
    const auto extent = node.data.extent(axis);
    if (extent == 0) return cannot("slices of data have no elements");
    if (!extent && is_longer == false) is_longer = std::nullopt;
    if (extent && *extent > 1) is_longer = true;
  }
  return verdict_of(is_longer, "data is string; behind axis " + std::to_string(*node.axis) +
                                   " its shape is " +
                                   (is_longer == false ? "of one element" : "of several elements"));
}

std::optional<Judgement> judge_index_type(const NodeView& node) {
  const DType dtype = node.indices.fact.dtype;
  const bool is_listed =
      dtype == DType::kInt64 || (dtype == DType::kInt32 && (node.family & kTupled) == 0);
  return judge_type(node, node.indices, !is_listed);
}

std::optional<Judgement> judge_int64_indices(const NodeView& node) {
  return judge_type(node, node.indices, node.indices.fact.dtype == DType::kInt64);
}

std::optional<Judgement> judge_float_indices(const NodeView& node) {
  return judge_type(node, node.indices, dtype_kind(node.indices.fact.dtype) == DTypeKind::kFloat);
}

std::optional<Judgement> judge_half_reduction(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  const bool runs = node.family == kScatterElements && !node.computes() &&
                    node.data.fact.dtype == DType::kFloat16;
  return judge_type(node, node.data, is_half(node.data.fact.dtype) && !runs);
}

std::optional<Judgement> judge_half_sums(const NodeView& node) {
  if (!node.computes()) return std::nullopt;
  const DType dtype = node.data.fact.dtype;
  return judge_type(
      node, node.data,
      is_half(dtype) || (dtype_kind(dtype) == DTypeKind::kFloat && dtype_bits(dtype) == 8));
}

std::optional<Judgement> judge_boolean_extremes(const NodeView& node) {
  if (!node.takes_extreme()) return std::nullopt;
  return judge_type(node, node.data, node.data.fact.dtype == DType::kBool);
}

std::optional<Judgement> judge_text_reduction(const NodeView& node) {
  if (!node.reduces() || node.reduction == "add") return std::nullopt;
  return judge_type(node, node.data, node.data.fact.dtype == DType::kString);
}

std::optional<Judgement> judge_integer_mean(const NodeView& node) {
  if (node.reduction != "mean") return std::nullopt;
  return judge_type(node, node.data, is_integer(node.data.fact.dtype));
}

std::optional<Judgement> judge_integer_reduction(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  const DType dtype = node.data.fact.dtype;
  return judge_type(node, node.data, has_integer_intervals(dtype) || dtype == DType::kBFloat16);
}

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

// Conditions under which execution providers of ONNX Runtime leave a node to another one.

namespace {

std::optional<Judgement> judge_data_type(const NodeView& node, std::span<const DType> taken) {
  const DType type = node.data.fact.dtype;
  if (type == DType::kAbsent) return std::nullopt;
  const bool is_taken = std::find(taken.begin(), taken.end(), type) != taken.end();
  return verdict_of(!is_taken, node.text_of(node.data) + " is " + std::string(dtype_name(type)));
}

}  // namespace

std::optional<Judgement> judge_batch_dims(const NodeView& node) {
  return verdict_of(node.batch_dims != 0, "batch_dims is " + std::to_string(node.batch_dims));
}

std::optional<Judgement> judge_variable_indices(const NodeView& node) {
  const bool is_constant = node.indices.fact.constant != nullptr;
  return verdict_of(!is_constant, node.text_of(node.indices) +
                                      (is_constant ? " are a constant" : " are no constant"));
}

std::optional<Judgement> judge_coreml_gather_type(const NodeView& node) {
  constexpr std::array kTypes = {DType::kFloat32, DType::kFloat16, DType::kInt64};
  return judge_data_type(node, kTypes);
}

std::optional<Judgement> judge_coreml_gather_nd_type(const NodeView& node) {
  constexpr std::array kTypes = {DType::kFloat32, DType::kFloat16, DType::kInt32, DType::kInt64,
                                 DType::kBool};
  return judge_data_type(node, kTypes);
}

std::optional<Judgement> judge_boolean_data(const NodeView& node) {
  const DType type = node.data.fact.dtype;
  if (type == DType::kAbsent) return std::nullopt;
  return verdict_of(type == DType::kBool,
                    node.text_of(node.data) + " is " + std::string(dtype_name(type)));
}

std::optional<Judgement> judge_gathered_rank(const NodeView& node) {
  constexpr std::size_t kMostAxes = 5;
  const auto data = node.data.rank();
  const auto indices = node.indices.rank();
  if (!data || !indices) return can("the rank of the result is not known");
  const std::size_t rank = *data + *indices - std::min<std::size_t>(*data + *indices, 1);
  return verdict_of(rank > kMostAxes, "the result has rank " + std::to_string(rank));
}

}  // namespace windrow::internal
