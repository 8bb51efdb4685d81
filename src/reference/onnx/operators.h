#ifndef WINDROW_REFERENCE_ONNX_OPERATORS_H_
#define WINDROW_REFERENCE_ONNX_OPERATORS_H_

#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::internal::reference {

// Whether the table "Reductions" of docs/operators/onnx.md gives `reduction` a meaning for `dtype`.
bool onnx_has_reduction(DType dtype, Reduction reduction);

// The reduction of that name in `version` of ScatterElements or ScatterND: rules A2 and A3.
Result<Reduction> parse_onnx_reduction(const Call& call, std::string_view name, int version);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ONNX_OPERATORS_H_
