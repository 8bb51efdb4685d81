#ifndef WINDROW_MODELS_NVINFER_TYPES_H_
#define WINDROW_MODELS_NVINFER_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "windrow/nvinfer.h"

// Conversion between TensorRT's types and dimensions and the library's own.
namespace windrow::nvinfer1::internal {

// Nothing if there is no such enumerator.
std::optional<DType> dtype_of(DataType type) noexcept;

// "there is no mode 7"; empty if there is such an enumerator.
std::string fault_of(DataType type);
std::string fault_of(GatherMode mode);
std::string fault_of(ScatterMode mode);
std::string fault_of(KVCacheMode mode);

// What is wrong with these dimensions: a rank outside [0, 8], or an extent below `lowest`. Empty if
// nothing is wrong.
std::string fault_of(const Dims& dims, std::int64_t lowest);

// The dimensions of a tensor whose layer is wrong, and of one whose rank is unknown.
Dims invalid_dims() noexcept;
Dims unknown_dims() noexcept;

// The dimensions that inference found. Precondition: a rank of at most 8.
Dims to_dims(const SymbolicShape& shape) noexcept;

// Precondition: fault_of(dims, 0) is empty.
Shape to_shape(const Dims& dims) noexcept;

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_TYPES_H_
