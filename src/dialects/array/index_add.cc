#include "src/dialects/array/build.h"
#include "src/dialects/array/index_rows.h"
#include "src/dialects/array/indices.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::IndexAdd& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_index_rows(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {Combine::kAdd, true, array_indices(policy_of(op, options))};
  return build_index_rows(rules, op.axis, inputs, use, options);
}

}  // namespace windrow::internal
