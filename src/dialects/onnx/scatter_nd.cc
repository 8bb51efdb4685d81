#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/reduction.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterND& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, onnx_reductions(op.version),
                                      inputs[0].dtype, &onnx_has_meaning);
      !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {}); !status) return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {find_combine(kOnnxReductions, op.reduction), true,
                          index_use(op, options)};
  return scatter_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use,
                           options);
}

}  // namespace windrow::internal
