#include <span>
#include <utility>

#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/tuple_gather.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const openvino::GatherND& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  // GatherND-8 broadcasts its batch axes; tuples may be empty.
  const TupleGather gather = {op.batch_dims, "A4", "batch_dims", op.version >= 8, 0};
  Result<SymbolicShape> result = check_tuple_gather(rules, gather, inputs[0], inputs[1]);
  // GatherND-5 joins the batch axes of its result.
  const bool joins = op.version < 8 && op.batch_dims > 1;
  if (!result || !*result || !joins) return result;
  const std::span<const Dim> dims = **result;
  const auto batch_dims = static_cast<std::size_t>(op.batch_dims);
  const auto batch = product(dims.first(batch_dims));
  if (!batch)
    return rules.shape("CALL-I2", "the batch axes of the result, " + to_string(**result) +
                                      ", joined into one exceed 2^63-1");
  SymbolicDims joined = {*batch};
  joined.insert(joined.end(), dims.begin() + op.batch_dims, dims.end());
  return SymbolicShape(std::move(joined));
}

Operation build(const Rules& rules, const openvino::GatherND& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const IndexUse use = index_use(op, options, 8);
  const auto batch = static_cast<int>(op.batch_dims);
  return gather_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, batch, use), use,
                          "C5");
}

}  // namespace windrow::internal
