#include <algorithm>
#include <array>

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
constexpr std::array kTensorrtTypes = {DType::kBool,    DType::kInt4,     DType::kInt8,
                                       DType::kInt32,   DType::kInt64,    DType::kFloat8E4M3FN,
                                       DType::kFloat16, DType::kBFloat16, DType::kFloat32};
// The types that ONNX Runtime's TensorScatter copies.
constexpr std::array kCopiedTypes = {
    DType::kBool,    DType::kInt8,    DType::kInt16,   DType::kInt32,  DType::kInt64,
    DType::kUint8,   DType::kUint16,  DType::kUint32,  DType::kUint64, DType::kFloat16,
    DType::kFloat32, DType::kFloat64, DType::kBFloat16};

bool is_half(DType dtype) { return dtype == DType::kFloat16 || dtype == DType::kBFloat16; }

}  // namespace

std::optional<Judgement> judge_complex(const NodeView& node) {
  return judge_type(node, node.data, dtype_kind(node.data.fact.dtype) == DTypeKind::kComplex);
}

std::optional<Judgement> judge_text(const NodeView& node) {
  return judge_type(node, node.data, node.data.fact.dtype == DType::kString);
}

std::optional<Judgement> judge_tensorrt_type(const NodeView& node) {
  return judge_type(node, node.data, !is_one_of(node.data.fact.dtype, kTensorrtTypes));
}

std::optional<Judgement> judge_copied_type(const NodeView& node) {
  return judge_type(node, node.data, !is_one_of(node.data.fact.dtype, kCopiedTypes));
}

std::optional<Judgement> judge_float64(const NodeView& node) {
  return judge_type(node, node.data, node.data.fact.dtype == DType::kFloat64);
}

std::optional<Judgement> judge_odd_bits(const NodeView& node) {
  return judge_type(node, node.data,
                    node.data.fact.dtype == DType::kUint1 || node.data.fact.dtype == DType::kNF4);
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

}  // namespace windrow::internal
