#include <array>

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

Result<Tensor> scatter_element(const Call& call, const tensorrt::Scatter& op) {
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = check_layer_axis(call, op.axis);
  if (!axis) return axis.error();
  Status status = check_element_shapes(call, *axis);
  if (status) status = check_release_ranks(call, call.data().shape.rank());
  if (!status) return status;
  return scatter_elements(call, release_index_use(call), *axis, {});
}

Result<Tensor> scatter_nd(const Call& call) {
  if (Status status = check_tuple_scatter(call, 1); !status) return status;
  if (call.updates().shape != tuple_updates_shape(call)) return wrong_tuple_updates(call);
  if (Status status = check_release_ranks(call, call.data().shape.rank()); !status) return status;
  return scatter_tuples(call, release_index_use(call), call.updates(), {});
}

}  // namespace

Result<Tensor> run(const tensorrt::Scatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "Scatter", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  Status status = call.check();
  if (status)
    status = check_release_types(call, {{8, kTypes8}, {9, kTypes9}, {11, kTypes11}}, inputs[1]);
  if (status) status = check_mode(call, op.mode, {"ELEMENT", "ND"});
  if (!status) return status;
  return op.mode == "ND" ? scatter_nd(call) : scatter_element(call, op);
}

}  // namespace windrow::internal::reference
