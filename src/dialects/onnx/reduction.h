#ifndef WINDROW_DIALECTS_ONNX_REDUCTION_H_
#define WINDROW_DIALECTS_ONNX_REDUCTION_H_

#include <string>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// The reduction of that name in an operator version (16: add, mul; 18: max, min), for a type.
// Errors: A3.
Result<Combine> parse_reduction(const Rules& rules, const std::string& name, int version,
                                DType dtype);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_REDUCTION_H_
