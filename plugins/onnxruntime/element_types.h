#ifndef WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_

#include <onnxruntime_c_api.h>

#include "windrow/dtype.h"

namespace windrow::plugins {

// The host's number of a type, UNDEFINED if it has none; and back, kAbsent for what Windrow lacks.
ONNXTensorElementDataType to_host(DType type) noexcept;
DType from_host(ONNXTensorElementDataType type) noexcept;

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_
