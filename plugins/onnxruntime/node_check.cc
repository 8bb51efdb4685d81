#include "plugins/onnxruntime/node_check.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/onnxruntime/kernel.h"
#include "plugins/onnxruntime/strings.h"

namespace windrow::plugins {
namespace {

using Values = std::vector<const OrtValueInfo*>;  // an omitted input is null

// Returns nothing if the host does not tell, or if the node has more inputs than the row.
std::optional<Values> inputs_of(const OrtApi& ort, const OrtNode* node, const OperatorInfo& row) {
  std::size_t count = 0;
  if (!succeeded(ort, ort.Node_GetNumInputs(node, &count)) || count > row.inputs.size())
    return std::nullopt;
  Values values(count);
  if (!succeeded(ort, ort.Node_GetInputs(node, values.data(), count))) return std::nullopt;
  values.resize(row.inputs.size());
  return values;
}

// Null if the value is not a tensor.
const OrtTensorTypeAndShapeInfo* tensor_of(const OrtApi& ort, const OrtValueInfo* value) {
  const OrtTypeInfo* type = nullptr;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  if (!succeeded(ort, ort.GetValueInfoTypeInfo(value, &type)) || type == nullptr) return nullptr;
  if (!succeeded(ort, ort.CastTypeInfoToTensorInfo(type, &tensor))) return nullptr;
  return tensor;
}

// kAbsent if the value is not a tensor of one of Windrow's types.
DType type_of(const OrtApi& ort, const OrtValueInfo* value) {
  const OrtTensorTypeAndShapeInfo* tensor = tensor_of(ort, value);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  if (tensor == nullptr || !succeeded(ort, ort.GetTensorElementType(tensor, &type)))
    return DType::kAbsent;
  return from_host(type);
}

bool types_fit(const OrtApi& ort, const Values& values, const OperatorInfo& row) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<DType>& legal = row.inputs[i].dtypes;
    if (values[i] == nullptr) continue;
    if (std::find(legal.begin(), legal.end(), type_of(ort, values[i])) == legal.end()) return false;
  }
  return true;
}

// Type and shape of a tensor, with 1 for unknown extents. Returns nothing if the host does not know
// the rank. An omitted input has a default spec.
std::optional<TensorSpec> spec_of(const OrtApi& ort, const OrtValueInfo* value) {
  if (value == nullptr) return TensorSpec{};
  const OrtTensorTypeAndShapeInfo* tensor = tensor_of(ort, value);
  std::size_t rank = 0;
  if (tensor == nullptr || !succeeded(ort, ort.GetDimensionsCount(tensor, &rank)) ||
      rank > kMaxRank)
    return std::nullopt;
  // This is the host's only distinction between a scalar and a tensor of unknown rank.
  if (rank == 0 && !ort.TensorTypeAndShape_HasShape(tensor)) return std::nullopt;
  std::vector<std::int64_t> extents(rank);
  if (!succeeded(ort, ort.GetDimensions(tensor, extents.data(), rank))) return std::nullopt;
  std::replace_if(
      extents.begin(), extents.end(), [](std::int64_t extent) { return extent < 0; }, 1);
  return TensorSpec{type_of(ort, value), Shape(extents), std::nullopt, nullptr};
}

// Returns nothing if a rank is unknown.
std::optional<std::vector<TensorSpec>> specs_of(const OrtApi& ort, const Values& values) {
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
  const auto values = inputs_of(ort, node, row);
  if (!attributes || !values || !types_fit(ort, *values, row)) return false;
  const auto specs = specs_of(ort, *values);
  if (!specs) return true;
  const auto plan = compile({row.dialect, row.name, row.since_version}, *attributes, *specs);
  return plan.ok() || plan.error().code() == ErrorCode::kShape;
}

}  // namespace windrow::plugins
