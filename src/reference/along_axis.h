#ifndef WINDROW_REFERENCE_ALONG_AXIS_H_
#define WINDROW_REFERENCE_ALONG_AXIS_H_

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Slices of data across one axis. Ranks, shapes and attributes have been checked; the size of the
// result and the indices are checked here.
namespace windrow::internal::reference {

// The first `batch` axes of data and indices are walked together, repeated where one has extent 1;
// batch <= axis.
Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, const TensorView& data,
                                 const TensorView& indices, int axis, int batch);

// Replaces, or folds into, the slices that the indices name.
Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, const TensorView& data,
                                  const TensorView& indices, const TensorView& updates, int axis,
                                  const Fold& fold = {});

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ALONG_AXIS_H_
