#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/tuple_gather.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::GatherND& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_tuple_gather(rules, {op.batch_dims}, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const IndexUse use = index_use(op, options);
  const auto batch = static_cast<int>(op.batch_dims);
  return gather_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, batch, use), use,
                          "C5");
}

}  // namespace windrow::internal
