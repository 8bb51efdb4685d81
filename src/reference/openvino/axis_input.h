#ifndef WINDROW_REFERENCE_OPENVINO_AXIS_INPUT_H_
#define WINDROW_REFERENCE_OPENVINO_AXIS_INPUT_H_

#include "src/reference/call.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// The axis, counted from the front, that the axis input names for data of rank `rank`: rule A1.
Result<int> read_axis(const Call& call, const TensorView& axis, int rank);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_AXIS_INPUT_H_
