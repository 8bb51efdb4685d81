#ifndef WINDROW_MODELS_ONNX_TYPES_H_
#define WINDROW_MODELS_ONNX_TYPES_H_

#include <cstdint>

#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::internal {

// ONNX's numbers for element types (TensorProto.DataType). An own table, because the schema that
// is linked knows the first sixteen only.

// kAbsent for 0 and for what has no type here.
DType dtype_of_onnx(std::int32_t id) noexcept;

// 0 for kAbsent and for a type that ONNX lacks.
std::int32_t onnx_of_dtype(DType type) noexcept;

// kUnsupported if ONNX has no number for the type.
Status check_onnx_type(DType type);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_ONNX_TYPES_H_
