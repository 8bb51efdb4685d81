#ifndef WINDROW_REFERENCE_OPENVINO_REDUCTION_H_
#define WINDROW_REFERENCE_OPENVINO_REDUCTION_H_

#include <span>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::internal::reference {

// Whether the table "Reductions" of docs/operators/openvino.md gives `reduction` a meaning for
// `dtype`.
bool openvino_has_reduction(DType dtype, Reduction reduction);

// The one of `allowed` that has this name, if `dtype` has it: rule A3.
Result<Reduction> parse_reduction(const Call& call, std::string_view name, DType dtype,
                                  std::span<const Reduction> allowed);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_REDUCTION_H_
