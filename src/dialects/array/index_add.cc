#include "src/dialects/array/build.h"
#include "src/dialects/array/index_rows.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/schema.h"

namespace windrow::internal {

Result<Operation> build(const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const ScatterUse use = {Combine::kAdd, true, array_indices(policy_of(op, options))};
  return build_index_rows(Rules("array", "IndexAdd", op.version), op.axis, inputs, use, options);
}

}  // namespace windrow::internal
