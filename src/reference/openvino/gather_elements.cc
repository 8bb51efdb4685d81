#include <string>

#include "src/reference/indices.h"
#include "src/reference/openvino.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {

Result<Tensor> run(const openvino::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const auto axis = check_axis(call, op.axis, "data", data.rank());
  if (!axis) return axis.error();
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *axis || indices[d] == data[d]) continue;
    return call.shape("C2", "indices have shape " + to_string(indices) +
                                ", must differ from data of shape " + to_string(data) +
                                " in axis " + std::to_string(*axis) + " alone");
  }
  return gather_elements(call, {"C3"}, *axis);
}

}  // namespace windrow::internal::reference
