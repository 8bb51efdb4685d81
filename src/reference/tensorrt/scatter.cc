#include <array>
#include <span>

#include "src/reference/indices.h"
#include "src/reference/per_element.h"
#include "src/reference/tensorrt.h"
#include "src/reference/tensorrt/release.h"
#include "src/reference/tensorrt/settings.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array kTypes8 = {DType::kInt8, DType::kInt32, DType::kFloat16, DType::kFloat32};
constexpr std::array kTypes9 = {DType::kInt8,    DType::kInt32, DType::kFloat16,
                                DType::kFloat32, DType::kInt64, DType::kBFloat16};
constexpr std::array kTypes11 = {DType::kInt32,   DType::kInt64,   DType::kBool,
                                 DType::kFloat16, DType::kFloat32, DType::kBFloat16};

Result<Tensor> scatter_element(const Call& call, const tensorrt::Scatter& op,
                               std::span<const TensorView> inputs) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  Status status = check_equal_ranks(call, data, indices, updates);
  if (!status.ok()) return status;
  const auto axis = check_axis(call, op.axis, data.rank());
  if (!axis) return axis.error();
  status = check_element_shapes(call, *axis, data, indices, updates);
  if (status.ok()) status = check_release_ranks(call, inputs, data.rank());
  if (!status.ok()) return status;
  return scatter_elements(call, release_index_use(call), inputs[0], inputs[1], inputs[2], *axis,
                          {});
}

Result<Tensor> scatter_nd(const Call& call, std::span<const TensorView> inputs) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  Status status = check_tuple_ranks(call, data, indices);
  if (status.ok()) status = check_tuple_length(call, data, indices, 1);
  if (!status.ok()) return status;
  if (updates != tuple_updates_shape(data, indices))
    return wrong_tuple_updates(call, data, indices, updates);
  if (status = check_release_ranks(call, inputs, data.rank()); !status.ok()) return status;
  return scatter_tuples(call, release_index_use(call), inputs[0], inputs[1], inputs[2], {});
}

}  // namespace

Result<Tensor> run(const tensorrt::Scatter& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("tensorrt", "Scatter", op.version, Direction::kScatter, options,
                  OutOfRange::kSkip);
  Status status = call.check_options_and_inputs(inputs);
  if (status.ok())
    status = check_release_types(call, op.version, {{8, kTypes8}, {9, kTypes9}, {11, kTypes11}},
                                 inputs[0], inputs[1]);
  if (status.ok()) status = check_mode(call, op.mode, {"ELEMENT", "ND"});
  if (!status.ok()) return status;
  return op.mode == "ND" ? scatter_nd(call, inputs) : scatter_element(call, op, inputs);
}

}  // namespace windrow::internal::reference
