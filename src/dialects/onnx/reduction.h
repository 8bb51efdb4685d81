#ifndef WINDROW_DIALECTS_ONNX_REDUCTION_H_
#define WINDROW_DIALECTS_ONNX_REDUCTION_H_

#include <string>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// A3: an operator version has a reduction of that name (16: add, mul; 18: max, min), and it has a
// meaning for the type (kAbsent: any).
Status check_reduction(const Rules& rules, const std::string& name, int version, DType dtype);

// What a reduction that A3 allows does.
Combine onnx_combine(const std::string& name);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_REDUCTION_H_
