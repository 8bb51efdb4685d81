#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_STRINGS_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_STRINGS_H_

#include <string>
#include <string_view>

#include "windrow/tensor.h"

// OpenVINO's packed form of string elements: their count n, n + 1 positions in the text that
// follows (where each element begins, and the end), all of 32 bits, then the text.
namespace windrow::internal {

// Errors: kFormat (not that form, or another count of elements than the shape has).
Result<Tensor> unpack_strings(std::string_view bytes, const Shape& shape);

// Errors: kUnsupported (more text than 32 bits count).
Result<std::string> pack_strings(const Tensor& tensor);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_STRINGS_H_
