#include "src/dialects/array/build.h"
#include "src/dialects/array/index_rows.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/reduction.h"
#include "src/dialects/array/schema.h"

namespace windrow::internal {

Result<Operation> build(const array::IndexReduce& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("array", "IndexReduce", op.version);
  const auto combine = parse_array_reduction(rules, op.reduction, inputs[0].dtype);
  if (!combine) return combine.error();
  const ScatterUse use = {*combine, op.use_init_val, array_indices(policy_of(op, options))};
  return build_index_rows(rules, op.axis, inputs, use, options);
}

}  // namespace windrow::internal
