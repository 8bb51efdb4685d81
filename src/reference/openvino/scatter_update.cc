#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/indices.h"
#include "src/reference/openvino.h"
#include "src/reference/openvino/axis_input.h"

namespace windrow::internal::reference {

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
