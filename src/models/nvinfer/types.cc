#include "src/models/nvinfer/types.h"

#include <algorithm>

#include "src/models/text.h"

namespace windrow::nvinfer1::internal {
namespace {

using windrow::internal::text_of;

// Indexed by the enumerators' values.
constexpr DType kTypes[] = {DType::kFloat32,      DType::kFloat16,    DType::kInt8,
                            DType::kInt32,        DType::kBool,       DType::kUint8,
                            DType::kFloat8E4M3FN, DType::kBFloat16,   DType::kInt64,
                            DType::kInt4,         DType::kFloat4E2M1, DType::kFloat8E8M0};

template <class Enumerator>
std::string fault_unless(bool exists, const char* what, Enumerator value) {
  if (exists) return {};
  return text_of({"there is no ", what, " ", static_cast<std::int32_t>(value)});
}

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

std::string fault_of(DataType type) {
  return fault_unless(dtype_of(type).has_value(), "type", type);
}

std::string fault_of(GatherMode mode) {
  return fault_unless(mode >= GatherMode::kDEFAULT && mode <= GatherMode::kND, "mode", mode);
}

std::string fault_of(ScatterMode mode) {
  return fault_unless(mode == ScatterMode::kELEMENT || mode == ScatterMode::kND, "mode", mode);
}

std::string fault_of(KVCacheMode mode) {
  return fault_unless(mode == KVCacheMode::kLINEAR, "mode", mode);
}

std::string fault_of(const Dims& dims, std::int64_t lowest) {
  if (dims.nbDims < 0 || dims.nbDims > Dims::MAX_DIMS)
    return text_of({"there are ", dims.nbDims, " dimensions, must be 0 to 8"});
  for (std::int32_t axis = 0; axis < dims.nbDims; ++axis) {
    if (dims.d[axis] < lowest)
      return text_of({"dimension ", axis, " is ", dims.d[axis], ", must be at least ", lowest});
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
