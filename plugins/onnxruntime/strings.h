#ifndef WINDROW_PLUGINS_ONNXRUNTIME_STRINGS_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_STRINGS_H_

#include <onnxruntime_c_api.h>

#include <span>
#include <string>
#include <vector>

#include "plugins/onnxruntime/host.h"
#include "windrow/dtype.h"

namespace windrow::plugins {

// The host's string tensors are copied in and out, because their memory belongs to the host's own
// C++ library.

// Sets `strings` to the elements of a string tensor, in row-major order.
OrtStatus* read_strings(const OrtApi& ort, const OrtValue* value,
                        std::vector<std::string>& strings);

// Sets the elements of a string tensor. The tensor must have one element for each of `strings`.
OrtStatus* write_strings(const OrtApi& ort, std::span<const std::string> strings, OrtValue* value);

// to_host() returns the host's number of a type, UNDEFINED if it has none. from_host() is the
// inverse; it returns kAbsent for types that Windrow does not have.
ONNXTensorElementDataType to_host(DType type) noexcept;
DType from_host(ONNXTensorElementDataType type) noexcept;

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_STRINGS_H_
