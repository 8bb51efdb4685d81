#include "src/reference/one_hot.h"

#include "src/reference/indices.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  if (Status status = call.check(); !status) return status;
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[2], .depth = inputs[1]};
  const auto form = check_one_hot(call, op.axis, named, 1);
  if (!form) return form.error();
  const Negatives negatives = op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd;
  return one_hot(call, {"C4", negatives}, named, *form);
}

}  // namespace windrow::internal::reference
