#include "src/models/nvinfer/types.h"

#include <algorithm>

namespace windrow::nvinfer1::internal {
namespace {

// By the enumerators' values.
constexpr DType kTypes[] = {DType::kFloat32,      DType::kFloat16,    DType::kInt8,
                            DType::kInt32,        DType::kBool,       DType::kUint8,
                            DType::kFloat8E4M3FN, DType::kBFloat16,   DType::kInt64,
                            DType::kInt4,         DType::kFloat4E2M1, DType::kFloat8E8M0};

Dims no_dims(std::int64_t extent) noexcept {
  Dims dims;
  dims.nbDims = -1;
  std::fill(std::begin(dims.d), std::end(dims.d), extent);
  return dims;
}

}  // namespace

std::optional<DType> dtype_of(DataType type) noexcept {
  const auto value = static_cast<std::int64_t>(type);
  if (value < 0 || value >= std::ssize(kTypes)) return std::nullopt;
  return kTypes[value];
}

std::string to_text(const Dims& dims) {
  std::string text = "[";
  for (std::int32_t axis = 0; axis < std::min(dims.nbDims, Dims::MAX_DIMS); ++axis)
    text += (axis == 0 ? "" : ", ") + std::to_string(dims.d[axis]);
  return text + "]";
}

std::string fault_of(const Dims& dims, std::int64_t lowest) {
  if (dims.nbDims < 0 || dims.nbDims > Dims::MAX_DIMS)
    return "there are " + std::to_string(dims.nbDims) + " dimensions, must be 0 to 8";
  for (std::int32_t axis = 0; axis < dims.nbDims; ++axis) {
    if (dims.d[axis] < lowest)
      return "dimension " + std::to_string(axis) + " is " + std::to_string(dims.d[axis]) +
             ", must be at least " + std::to_string(lowest);
  }
  return {};
}

Dims invalid_dims() noexcept { return no_dims(0); }

Dims unknown_dims() noexcept { return no_dims(-1); }

Dims to_dims(const SymbolicShape& shape) noexcept {
  if (!shape) return unknown_dims();
  Dims dims = no_dims(0);
  dims.nbDims = static_cast<std::int32_t>(shape->size());
  std::transform(shape->begin(), shape->end(), dims.d, [](const Dim& dim) { return dim.value; });
  return dims;
}

Shape to_shape(const Dims& dims) noexcept {
  return Shape(std::span<const std::int64_t>(dims.d, static_cast<std::size_t>(dims.nbDims)));
}

}  // namespace windrow::nvinfer1::internal
