#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/reduction.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<Operation> build(const openvino::ScatterNDUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("openvino", "ScatterNDUpdate", op.version);
  const auto combine = parse_reduction(rules, op.reduction, kTupleReductions, inputs[0].dtype);
  if (!combine) return combine.error();
  if (Status status = check_tuple_shapes(rules, inputs, true); !status) return status;
  // The text of ScatterNDUpdate-3 knows indices in [0, s-1] only.
  const bool refuses = options.strict && op.version < 15;
  const ScatterUse use = {
      *combine,
      true,
      {policy_of(op, options), refuses ? Negatives::kRefused : Negatives::kCountFromEnd}};
  return scatter_operation(
      rules, inputs, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use, options);
}

}  // namespace windrow::internal
