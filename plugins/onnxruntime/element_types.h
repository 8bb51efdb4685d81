#ifndef WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_

#include <onnxruntime_c_api.h>

#include "windrow/dtype.h"

namespace windrow::plugins {

// to_host() returns the host's number of a type, UNDEFINED if it has none. from_host() is the
// inverse; it returns kAbsent for types that Windrow does not have.
ONNXTensorElementDataType to_host(DType type) noexcept;
DType from_host(ONNXTensorElementDataType type) noexcept;

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_ELEMENT_TYPES_H_
