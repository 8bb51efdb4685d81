#ifndef WINDROW_REFERENCE_OPENVINO_OPERATORS_H_
#define WINDROW_REFERENCE_OPENVINO_OPERATORS_H_

#include <array>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/reduction.h"
#include "windrow/dtype.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// A1: the axis of data, counted from the front, that the axis input names.
Result<int> read_axis(const Call& call, const TensorView& axis);

// Whether the table "Reductions" of docs/operators/openvino.md gives `reduction` a meaning for
// `dtype`.
bool openvino_has_reduction(DType dtype, Reduction reduction);

// Those of ScatterElementsUpdate and of ScatterNDUpdate.
inline constexpr std::array<NamedReduction, 6> kElementReductions = {{
    {"none", Reduction::kNone},
    {"sum", Reduction::kAdd},
    {"prod", Reduction::kMul},
    {"min", Reduction::kMin},
    {"max", Reduction::kMax},
    {"mean", Reduction::kMean},
}};
inline constexpr std::array<NamedReduction, 6> kTupleReductions = {{
    {"none", Reduction::kNone},
    {"sum", Reduction::kAdd},
    {"sub", Reduction::kSub},
    {"prod", Reduction::kMul},
    {"min", Reduction::kMin},
    {"max", Reduction::kMax},
}};

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_OPERATORS_H_
