#ifndef WINDROW_MODELS_NVINFER_TYPES_H_
#define WINDROW_MODELS_NVINFER_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "windrow/nvinfer.h"

// Types and dimensions of TensorRT's interface, and the library's own.
namespace windrow::nvinfer1::internal {

// Nothing if there is no such enumerator.
std::optional<DType> dtype_of(DataType type) noexcept;

// "there is no mode 7"; empty if there is such an enumerator.
std::string fault_of(DataType type);
std::string fault_of(GatherMode mode);
std::string fault_of(ScatterMode mode);
std::string fault_of(KVCacheMode mode);

// What no tensor can have of these dimensions: a rank beyond [0, 8], an extent below `lowest`.
// Empty if they are fine.
std::string fault_of(const Dims& dims, std::int64_t lowest);

// No dimensions: of a tensor whose layer is wrong, or of one whose rank is not known.
Dims invalid_dims() noexcept;
Dims unknown_dims() noexcept;

// What inference found. Precondition: a rank of at most 8.
Dims to_dims(const SymbolicShape& shape) noexcept;

// Precondition: fault_of(dims, 0) is empty.
Shape to_shape(const Dims& dims) noexcept;

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_TYPES_H_
