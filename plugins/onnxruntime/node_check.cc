#include "plugins/onnxruntime/node_check.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/onnxruntime/kernel.h"
#include "plugins/onnxruntime/strings.h"

namespace windrow::plugins {
namespace {

// Type and shape of a value of the graph, with 1 for unknown extents. Returns nothing if the host
// does not know the rank, or if the value is not a tensor. An omitted input has a default spec.
std::optional<TensorSpec> spec_of(const OrtApi& ort, const OrtValueInfo* value) {
  if (value == nullptr) return TensorSpec{};
  const OrtTypeInfo* type = nullptr;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  if (!succeeded(ort, ort.GetValueInfoTypeInfo(value, &type)) || type == nullptr)
    return std::nullopt;
  if (!succeeded(ort, ort.CastTypeInfoToTensorInfo(type, &tensor)) || tensor == nullptr)
    return std::nullopt;
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::size_t rank = 0;
  if (!succeeded(ort, ort.GetTensorElementType(tensor, &element)) ||
      !succeeded(ort, ort.GetDimensionsCount(tensor, &rank)) || rank > kMaxRank)
    return std::nullopt;
  // This is the host's only distinction between a scalar and a tensor of unknown rank.
  if (rank == 0 && !ort.TensorTypeAndShape_HasShape(tensor)) return std::nullopt;
  std::vector<std::int64_t> extents(rank);
  if (!succeeded(ort, ort.GetDimensions(tensor, extents.data(), rank))) return std::nullopt;
  std::replace_if(
      extents.begin(), extents.end(), [](std::int64_t extent) { return extent < 0; }, 1);
  return TensorSpec{from_host(element), Shape(extents), std::nullopt, nullptr};
}

// Returns nothing if a rank is unknown.
std::optional<std::vector<TensorSpec>> specs_of(const OrtApi& ort, const OrtNode* node,
                                                const OperatorInfo& row) {
  std::size_t count = 0;
  if (!succeeded(ort, ort.Node_GetNumInputs(node, &count))) return std::nullopt;
  std::vector<const OrtValueInfo*> values(count);
  if (!succeeded(ort, ort.Node_GetInputs(node, values.data(), count))) return std::nullopt;
  values.resize(row.inputs.size());
  std::vector<TensorSpec> specs;
  for (const OrtValueInfo* value : values) {
    auto spec = spec_of(ort, value);
    if (!spec) return std::nullopt;
    specs.push_back(*std::move(spec));
  }
  return specs;
}

}  // namespace

bool may_compile(const OrtApi& ort, const OrtNode* node, const OperatorInfo& row) {
  const auto attributes = read_attributes(ort, node, row);
  if (!attributes) return false;
  const auto specs = specs_of(ort, node, row);
  if (!specs) return true;
  const auto plan = compile({row.dialect, row.name, row.since_version}, *attributes, *specs);
  return plan.ok() || plan.error().code() == ErrorCode::kShape;
}

}  // namespace windrow::plugins
