#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::Gather& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_slices(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const onnx::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // The text of Gather-1 has no negative indices.
  const bool refuses_negatives = options.strict && op.version < 11;
  const Shape& data = inputs[0].shape;
  Operation operation;
  operation.map = slice_map(
      data, inputs[1].shape, normal_axis(op.axis, data.rank()), 0,
      {policy_of(op, options), refuses_negatives ? Negatives::kRefused : Negatives::kCountFromEnd});
  operation.index_constraint = rules.label(refuses_negatives ? "S1" : "C3");
  return operation;
}

}  // namespace windrow::internal
