#include <span>
#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/array.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::Take& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("array", "Take", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  const int q = indices.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "data", r));
  if (q + r - 1 > kMaxRank) {
    return call.shape("C2", "the result has rank " + std::to_string(q + r - 1) +
                                ", must be at most " + std::to_string(kMaxRank));
  }
  return gather_along_axis(call, array_indices(call, "C3"), data, indices, *axis, 0);
}

}  // namespace windrow::internal::reference
