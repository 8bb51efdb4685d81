#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "src/portability/indexing_operators.h"
#include "src/portability/judges.h"
#include "src/ranges/extents.h"

// The conditions of com.microsoft's GatherBlockQuantized; node.data is the table of codes.
namespace windrow::internal {
namespace {

constexpr std::int64_t kDefaultBits = 4;
constexpr std::int64_t kDefaultBlock = 128;
constexpr std::int64_t kDefaultQuantiseAxis = 1;

std::int64_t attribute(const NodeView& node, std::string_view name, std::int64_t fallback) {
  return number_of(node.place->node, name).value_or(fallback);
}

bool is_float(const NodeView& node) {
  return dtype_kind(node.data.fact.dtype) == DTypeKind::kFloat;
}

// The quantised axis, counted from the front. Nothing if the rank is not known or does not have it.
std::optional<std::size_t> quantise_axis(const NodeView& node) {
  const auto rank = node.data.rank();
  if (!rank) return std::nullopt;
  return place_of_axis(attribute(node, "quantize_axis", kDefaultQuantiseAxis), *rank);
}

std::int64_t values_each(const NodeView& node) {
  const std::int64_t bits = attribute(node, "bits", kDefaultBits);
  const bool is_packed = node.data.fact.dtype == DType::kUint8 && (bits == 2 || bits == 4);
  return is_packed ? 8 / bits : 1;
}

// The number of values along the quantised axis, if it is known.
std::optional<std::int64_t> quantised_extent(const NodeView& node) {
  const auto axis = quantise_axis(node);
  if (!axis || node.data.fact.dtype == DType::kAbsent) return std::nullopt;
  const auto extent = node.data.extent(*axis);
  if (!extent) return std::nullopt;
  return *axis + 1 == node.data.rank() ? *extent * values_each(node) : *extent;
}

// Whether the blocks divide the quantised axis; nothing if that is not known.
std::optional<bool> has_whole_blocks(const NodeView& node) {
  const std::int64_t block = attribute(node, "block_size", kDefaultBlock);
  if (block <= 0) return true;
  const auto extent = quantised_extent(node);
  if (!extent) return std::nullopt;
  return *extent % block == 0;
}

// "block_size is 16, and quantize_axis has 24 values"
std::string block_text(const NodeView& node) {
  const auto extent = quantised_extent(node);
  return "block_size is " + std::to_string(attribute(node, "block_size", kDefaultBlock)) +
         ", and quantize_axis has " +
         (extent ? std::to_string(*extent) + " values" : "an unknown number of values");
}

bool is_model_input(const NodeView& node, const InputView& input) {
  const std::vector<ValueInfo>& inputs = node.place->graph.inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const ValueInfo& known) { return known.name == node.value_of(input); });
}

bool has_odd_bytes_of_zero_points(const NodeView& node) {
  if (!node.zero_points.is_given() || values_each(node) != 2 || node.data.rank() != 2U)
    return false;
  const auto blocks = node.scales.extent(1);
  return blocks && *blocks % 2 == 1;
}

// What OpenVINO's reader refuses in axes; empty if nothing.
std::string refused_axis(const NodeView& node) {
  const auto axis = quantise_axis(node);
  if (!axis) return "";
  if (*axis + 1 != node.data.rank()) return "quantize_axis is not the last";
  return axis == node.axis ? "quantize_axis is gather_axis" : "";
}

}  // namespace

std::optional<Judgement> judge_bfloat16_scales(const NodeView& node) {
  const DType dtype = node.scales.fact.dtype;
  if (!node.scales.is_given() || dtype == DType::kAbsent) return std::nullopt;
  return verdict_of(dtype == DType::kBFloat16, "scales are " + std::string(dtype_name(dtype)));
}

std::optional<Judgement> judge_partial_block(const NodeView& node) {
  const std::optional<bool> is_whole = has_whole_blocks(node);
  if (!is_whole) return can(block_text(node));
  return verdict_of(!*is_whole, block_text(node));
}

std::optional<Judgement> judge_default_zero(const NodeView& node) {
  const DType dtype = node.data.fact.dtype;
  if (dtype == DType::kAbsent) return std::nullopt;
  if (dtype != DType::kUint8) return cannot("data is " + std::string(dtype_name(dtype)));
  return node.zero_points.is_given() ? cannot("zero_points are given")
                                     : happens("data is uint8, and zero_points are omitted");
}

std::optional<Judgement> judge_quantised_form(const NodeView& node) {
  if (is_float(node)) return happens("data is " + std::string(dtype_name(node.data.fact.dtype)));
  if (const std::string axis = refused_axis(node); !axis.empty()) return happens(axis);
  if (node.data.fact.constant == nullptr && !node.data.is_observed)
    return is_model_input(node, node.data) ? happens("data is an input of the model")
                                           : can("data may be computed in the run");
  if (has_odd_bytes_of_zero_points(node)) return happens("the number of zero_points is odd");
  const std::optional<bool> is_whole = has_whole_blocks(node);
  if (!is_whole) return can(block_text(node));
  return verdict_of(!*is_whole, block_text(node));
}

}  // namespace windrow::internal
