#include "src/dialects/array/build.h"
#include "src/dialects/array/index_rows.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/reduction.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::IndexReduce& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, kArrayReductions, inputs[0].dtype,
                                      &array_has_meaning);
      !status)
    return status;
  return check_index_rows(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const array::IndexReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kArrayReductions, op.reduction), op.use_init_val,
                          array_indices(policy_of(op, options))};
  return build_index_rows(rules, op.axis, inputs, use, options);
}

}  // namespace windrow::internal
