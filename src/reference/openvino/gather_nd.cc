#include <cstdint>

#include "src/reference/openvino.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const openvino::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TupleGather gather = {.batch_count = {"A4"},
                              .batches = op.version < 8 ? Batches::kEqual : Batches::kRepeated,
                              .shortest = 0};
  auto result_shape = check_tuple_gather(call, gather, op.batch_dims);
  if (!result_shape) return result_shape.error();
  const int b = static_cast<int>(op.batch_dims);
  if (op.version < 8 && b > 1) {
    const Shape batches = slice(*result_shape, 0, b);
    const auto joined = element_count(batches);
    if (!joined) return call.too_large("the result's batch axis", batches);
    result_shape = Shape{*joined} + tail(*result_shape, b);
  }
  const bool strict_5 = op.version < 8 && call.strict();
  const IndexUse use = strict_5 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C5"};
  return gather_tuples(call, use, b, *result_shape);
}

}  // namespace windrow::internal::reference
