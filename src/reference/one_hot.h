#ifndef WINDROW_REFERENCE_ONE_HOT_H_
#define WINDROW_REFERENCE_ONE_HOT_H_

#include <cstdint>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/shape.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// What the inputs of a OneHot are, whatever their order in the dialect.
struct OneHotInputs {
  TensorView indices;
  TensorView values;  // [off, on]
  TensorView depth;
};

// The result of a OneHot: indices with one more axis, counted from the front.
struct OneHotForm {
  Shape shape;
  int axis = 0;
};

// C1, A1, C2 and C3. `depth_rank` is the highest rank of depth.
Result<OneHotForm> check_one_hot(const Call& call, std::int64_t axis, const OneHotInputs& inputs,
                                 int depth_rank);

// Checks the size of the result and the indices; all else has been checked.
Result<Tensor> one_hot(const Call& call, const IndexUse& use, const OneHotInputs& inputs,
                       const OneHotForm& form);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ONE_HOT_H_
