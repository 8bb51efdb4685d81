#include <span>

#include "src/reference/array.h"
#include "src/reference/array/index_rows.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::IndexAdd& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("array", "IndexAdd", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  return fold_rows(call, op.axis, inputs, {Reduction::kAdd});
}

}  // namespace windrow::internal::reference
