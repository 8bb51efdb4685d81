#ifndef WINDROW_REFERENCE_OPENVINO_GATHERS_H_
#define WINDROW_REFERENCE_OPENVINO_GATHERS_H_

#include "src/reference/call.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// A1: the axis of data, counted from the front, that the axis input names.
Result<int> read_axis(const Call& call, const TensorView& axis);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_GATHERS_H_
