#include <span>
#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/indices.h"
#include "src/reference/openvino.h"
#include "src/reference/openvino/axis_input.h"

namespace windrow::internal::reference {

Result<Tensor> run(const openvino::ScatterUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterUpdate", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const int r = data.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto axis = read_axis(call, inputs[3], r);
  if (!axis) return axis.error();
  Shape expected = slice(data.shape, 0, *axis);
  const bool fits = expected.append(indices.shape, 0, indices.shape.rank()) &&
                    expected.append(data.shape, *axis + 1, r);
  if (!fits || updates.shape != expected) {
    return call.shape("C2", "updates have shape " + to_string(updates.shape) +
                                ", must have that of data, " + to_string(data.shape) +
                                ", with axis " + std::to_string(*axis) +
                                " replaced by the shape of indices, " + to_string(indices.shape));
  }
  return scatter_along_axis(call, {"C3", Negatives::kOutside}, data, indices, updates, *axis);
}

}  // namespace windrow::internal::reference
