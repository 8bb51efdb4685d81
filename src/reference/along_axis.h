#ifndef WINDROW_REFERENCE_ALONG_AXIS_H_
#define WINDROW_REFERENCE_ALONG_AXIS_H_

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Slices of data across one axis.
namespace windrow::internal::reference {

// C1: data has an axis.
Status check_has_axes(const Call& call);

// C1 and A1. Returns the axis, counted from the front.
Result<int> check_slice_axis(const Call& call, std::int64_t axis);

// Gather of ONNX and Take from C1 on.
Result<Tensor> gather_slices(const Call& call, const IndexUse& use, std::int64_t axis);

// These two check the size of the result and the indices; all else has been checked.
//
// The first `batch` axes of data and indices are walked together, repeated where one has extent 1;
// batch <= axis.
Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, int axis, int batch);

// Replaces, or folds into, the slices that the indices name.
Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, int axis,
                                  const Fold& fold = {});

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ALONG_AXIS_H_
