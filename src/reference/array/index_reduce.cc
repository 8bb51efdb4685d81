#include <span>

#include "src/reference/array.h"
#include "src/reference/array/index_rows.h"
#include "src/reference/array/reduction.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::IndexReduce& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("array", "IndexReduce", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const auto reduction = parse_array_reduction(call, op.reduction, inputs[0].dtype);
  if (!reduction) return reduction.error();
  return fold_rows(call, op.axis, inputs, {*reduction, op.use_init_val});
}

}  // namespace windrow::internal::reference
