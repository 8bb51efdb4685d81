#include "src/reference/one_hot.h"

#include <array>

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
Status check_types(const Call& call, const OneHotInputs& inputs) {
  Status status = check_release_type(call, "values", inputs.values, {{8, kTypes8}, {9, kTypes9}});
  if (!status) return status;
  return check_release_type(call, "indices", inputs.indices, {{8, kIndexTypes}});
}

}  // namespace

Result<Tensor> run(const tensorrt::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[1], .depth = inputs[2]};
  Status status = call.check();
  if (status) status = check_types(call, named);
  if (!status) return status;
  const auto form = check_one_hot(call, op.axis, named, 0);
  if (!form) return form.error();
  if (status = check_release_ranks(call, form->shape.rank()); !status) return status;
  return one_hot(call, release_index_use(call), named, *form);
}

}  // namespace windrow::internal::reference
