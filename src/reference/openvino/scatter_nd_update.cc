#include <array>
#include <optional>
#include <span>

#include "src/reference/openvino.h"
#include "src/reference/openvino/reduction.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array kReductions = {Reduction::kNone, Reduction::kAdd, Reduction::kSub,
                                    Reduction::kMul,  Reduction::kMin, Reduction::kMax};

// C3; `expected` is nothing where it would have more axes than a tensor can.
bool updates_fit(const std::optional<Shape>& expected, const Shape& updates) {
  if (!expected) return false;
  return updates == *expected || (expected->empty() && element_count(updates) == 1);
}

}  // namespace

Result<Tensor> run(const openvino::ScatterNDUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterNDUpdate", op.version, Direction::kScatter, options);
  if (op.version < 15 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 15");
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const auto reduction = parse_reduction(call, op.reduction, data.dtype, kReductions);
  if (!reduction) return reduction.error();
  Status status = check_tuple_ranks(call, data.shape, indices.shape);
  if (status.ok()) status = check_tuple_length(call, data.shape, indices.shape);
  if (!status.ok()) return status;
  const auto expected = tuple_updates_shape(data.shape, indices.shape);
  if (!updates_fit(expected, updates.shape))
    return wrong_tuple_updates(call, data.shape, indices.shape, updates.shape);

  const bool strict_3 = op.version < 15 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  // Updates for a result of rank 0 may be one element of any rank.
  const TensorView plain =
      expected->empty() ? TensorView(updates.dtype, Shape(), updates.data) : updates;
  return scatter_tuples(call, use, data, indices, plain, {*reduction});
}

}  // namespace windrow::internal::reference
