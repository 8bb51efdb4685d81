#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/reduction.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterNDUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, kTupleReductions, inputs[0].dtype,
                                      &openvino_has_meaning);
      !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {.takes_single = true}); !status)
    return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const openvino::ScatterNDUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kTupleReductions, op.reduction), true,
                          index_use(op, options, 15)};
  return scatter_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use,
                           options);
}

}  // namespace windrow::internal
