#ifndef WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_
#define WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_

#include "src/dialects/rules.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The axis of data of rank `rank` that an axis input names, in [0, rank). Errors: A1 (not one
// element, its value not known, or not in [-rank, rank-1]).
Result<int> read_axis_input(const Rules& rules, const TensorSpec& axis, int rank);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_
