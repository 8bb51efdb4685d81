#ifndef WINDROW_MODELS_OPENVINO_TYPES_H_
#define WINDROW_MODELS_OPENVINO_TYPES_H_

#include <optional>
#include <string_view>

#include "windrow/dtype.h"

// OpenVINO's names of element types: in attributes (f32) and as the precision of a port (FP32).
namespace windrow::internal {

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

#endif  // WINDROW_MODELS_OPENVINO_TYPES_H_
