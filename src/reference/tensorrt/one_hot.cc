#include "src/reference/one_hot.h"

#include <array>
#include <span>

#include "src/reference/indices.h"
#include "src/reference/tensorrt.h"
#include "src/reference/tensorrt/release.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array kTypes8 = {DType::kFloat32, DType::kFloat16, DType::kInt8, DType::kInt32,
                                DType::kBool};
constexpr std::array kTypes9 = {DType::kFloat32, DType::kFloat16, DType::kInt8,    DType::kInt32,
                                DType::kBool,    DType::kInt64,   DType::kBFloat16};
constexpr std::array kIndexTypes = {DType::kInt32};

// S2.
Status check_types(const Call& call, int release, const OneHotInputs& inputs) {
  Status status = check_release_type(call, release, "values", inputs.values.dtype,
                                     {{8, kTypes8}, {9, kTypes9}});
  if (!status.ok()) return status;
  return check_release_type(call, release, "indices", inputs.indices.dtype, {{8, kIndexTypes}});
}

}  // namespace

Result<Tensor> run(const tensorrt::OneHot& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("tensorrt", "OneHot", op.version, Direction::kScatter, options,
                  OutOfRange::kSkip);
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[1], .depth = inputs[2]};
  Status status = call.check_options_and_inputs(inputs);
  if (status.ok()) status = check_types(call, op.version, named);
  if (!status.ok()) return status;
  const auto form = check_one_hot(call, op.axis, named, 0);
  if (!form) return form.error();
  status = check_release_ranks(call, inputs, form->shape.rank());
  if (!status.ok()) return status;
  return one_hot(call, release_index_use(call), named, *form);
}

}  // namespace windrow::internal::reference
