#ifndef WINDROW_MODELS_TYPES_H_
#define WINDROW_MODELS_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::internal {

// ONNX's numbers for element types (TensorProto.DataType). The table is our own because the linked
// schema knows only the first sixteen.

// The type of that number; kAbsent for 0 and for types that the library does not have.
DType dtype_of_onnx(std::int32_t id) noexcept;

// The name of the type of that number if the library does not have it: "int2", or "element type
// 99" of a number that ONNX had not given to a type. Empty for 0 and for types of the library.
std::string other_type_of_onnx(std::int32_t id);

// The number of a type; 0 for kAbsent and for a type that ONNX lacks.
std::int32_t onnx_of_dtype(DType type) noexcept;

// Checks that ONNX has the type. Errors: kUnsupported.
Status check_onnx_type(DType type);

// OpenVINO's names of element types: in attributes (f32) and as the precision of a port (FP32).

// Whether two names are the same. OpenVINO ignores the case of names.
bool same_openvino_name(std::string_view a, std::string_view b) noexcept;

// The type that either name stands for, ignoring case. kAbsent for a type that is not fixed or that
// this library does not have; nothing if OpenVINO has no such type.
std::optional<DType> dtype_of_openvino(std::string_view name) noexcept;

// "f32"; "dynamic" for kAbsent; "" for a type that OpenVINO does not have.
std::string_view openvino_name(DType type) noexcept;

// "FP32"; "UNSPECIFIED" for kAbsent; "" for a type that OpenVINO does not have.
std::string_view openvino_precision(DType type) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_TYPES_H_
