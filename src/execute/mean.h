#ifndef WINDROW_EXECUTE_MEAN_H_
#define WINDROW_EXECUTE_MEAN_H_

#include <cstdint>

#include "src/execute/outcome.h"
#include "src/kernels/reduce/mean.h"
#include "windrow/shape.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// The sums that a mean is made of: cells of `dtype` (for int4 and uint4 one byte each), and the
// number of updates of each cell. The numbers are row-major, of type kUint32 or kUint64, and of a
// shape that broadcasts to the shape of the cells.
struct MeanSums {
  DType dtype = DType::kAbsent;
  MutableTensorView cells;
  const Tensor* updates = nullptr;
  std::int64_t extra = 0;  // summands besides the updates
};

// Divides every updated cell by the number of its summands. `threads` may be null. An interruption
// ends the division early.
void divide_sums(const MeanSums& sums, Threads* threads,
                 Interruption* interruption = nullptr) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_MEAN_H_
