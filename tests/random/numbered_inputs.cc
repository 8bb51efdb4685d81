#include "tests/random/numbered_inputs.h"

#include <algorithm>
#include <cstddef>

namespace windrow::tests {
namespace {

bool takes_int64(const OperatorInput& input) {
  return std::find(input.dtypes.begin(), input.dtypes.end(), DType::kInt64) != input.dtypes.end();
}

Tensor numbered_tensor(const Shape& shape, bool is_data) {
  Tensor tensor = Tensor::zeros(DType::kInt64, shape).value();
  auto* const values = static_cast<std::int64_t*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) values[i] = is_data ? -1 - i : 1 + i;
  return tensor;
}

}  // namespace

NumberedInputs own_inputs(const RandomCall& call) {
  NumberedInputs inputs;
  inputs.views = call.views();
  return inputs;
}

NumberedInputs numbered_inputs(const RandomCall& call, int data) {
  NumberedInputs inputs = own_inputs(call);
  const OperatorInput& like = call.info.inputs[static_cast<std::size_t>(data)];
  if (!takes_int64(like) || call.attributes.contains("dtype")) return inputs;
  inputs.numbered = true;
  for (std::size_t i = 0; i < inputs.views.size(); ++i) {
    if (inputs.views[i].is_absent() || call.info.inputs[i].type_group != like.type_group) continue;
    inputs.tensors.push_back(numbered_tensor(inputs.views[i].shape, static_cast<int>(i) == data));
    inputs.views[i] = inputs.tensors.back().view();
  }
  return inputs;
}

}  // namespace windrow::tests
