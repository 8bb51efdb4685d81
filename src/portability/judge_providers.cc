#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "src/portability/judges.h"

// Conditions under which execution providers of ONNX Runtime leave a node to another one.
namespace windrow::internal {
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
