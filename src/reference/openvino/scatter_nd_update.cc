#include <optional>

#include "src/reference/openvino.h"
#include "src/reference/openvino/reduction.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

// C3; `expected` is nothing where it would have more axes than a tensor can.
bool updates_fit(const std::optional<Shape>& expected, const Shape& updates) {
  if (!expected) return false;
  return updates == *expected || (expected->empty() && element_count(updates) == 1);
}

}  // namespace

Result<Tensor> run(const openvino::ScatterNDUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "ScatterNDUpdate", op.version, Direction::kScatter, inputs, options);
  if (op.version < 15 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 15");
  if (Status status = call.check(); !status) return status;
  const auto reduction =
      parse_reduction(call, op.reduction, kTupleReductions, &openvino_has_reduction);
  if (!reduction) return reduction.error();
  if (Status status = check_tuple_scatter(call); !status) return status;
  const TensorView& updates = call.updates();
  const auto expected = tuple_updates_shape(call);
  if (!updates_fit(expected, updates.shape)) return wrong_tuple_updates(call);

  const bool strict_3 = op.version < 15 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  // Updates for a result of rank 0 may be one element of any rank.
  const TensorView plain =
      expected->empty() ? TensorView(updates.dtype, Shape(), updates.data) : updates;
  return scatter_tuples(call, use, plain, {*reduction});
}

}  // namespace windrow::internal::reference
