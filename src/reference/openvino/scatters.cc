#include "src/reference/openvino/scatters.h"

#include <optional>
#include <string>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/openvino/gathers.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

bool openvino_has_reduction(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kNone) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kString && dtype != DType::kUint1 && dtype != DType::kNF4;
}

Result<Tensor> run(const openvino::ScatterElementsUpdate& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterElementsUpdate", op.version, Direction::kScatter, inputs,
                  options);
  if (op.version < 12 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 12");
  if (op.version < 12 && !op.use_init_val)
    return call.invalid("A2", "use_init_val is false, an attribute since 12");
  if (Status status = call.check(); !status) return status;
  const auto reduction =
      parse_reduction(call, op.reduction, kElementReductions, &openvino_has_reduction);
  if (!reduction) return reduction.error();
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = read_axis(call, inputs[3]);
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(call, *axis); !status) return status;
  const bool strict_3 = op.version < 12 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_elements(call, use, *axis, {*reduction, op.use_init_val});
}

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

Result<Tensor> run(const openvino::ScatterUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "ScatterUpdate", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_has_axes(call); !status) return status;
  const auto axis = read_axis(call, inputs[3]);
  if (!axis) return axis.error();
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  Shape expected = slice(data, 0, *axis);
  const bool fits =
      expected.append(indices, 0, indices.rank()) && expected.append(data, *axis + 1, data.rank());
  if (!fits || updates != expected) {
    return call.shape("C2", "updates have shape " + to_string(updates) +
                                ", must have that of data, " + to_string(data) + ", with axis " +
                                std::to_string(*axis) + " replaced by the shape of indices, " +
                                to_string(indices));
  }
  return scatter_along_axis(call, {"C3", Negatives::kOutside}, *axis);
}

}  // namespace windrow::internal::reference
