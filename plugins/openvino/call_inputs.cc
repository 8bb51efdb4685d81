#include "plugins/openvino/call_inputs.h"

#include <algorithm>
#include <cstring>

#include "plugins/openvino/element_types.h"

namespace windrow::openvino_plugin {
namespace {

bool takes(const windrow_operator_input& input, windrow_dtype dtype) {
  return std::find(input.dtypes, input.dtypes + input.dtype_count, dtype) !=
         input.dtypes + input.dtype_count;
}

}  // namespace

windrow_dtype accepted_type(const windrow_operator_input& input, const ov::element::Type& type) {
  const windrow_dtype own = to_windrow(type);
  if (takes(input, own)) return own;
  return own == WINDROW_INT32 && takes(input, WINDROW_INT64) ? WINDROW_INT64 : WINDROW_ABSENT;
}

const std::int64_t* extents_of(const ov::Shape& shape) {
  static_assert(sizeof(ov::Shape::value_type) == sizeof(std::int64_t));
  return reinterpret_cast<const std::int64_t*>(shape.data());
}

CallInputs::CallInputs(const OperatorRow& row, const ov::TensorVector& tensors) : row_(row) {
  const size_t count = std::min(tensors.size(), row.inputs.size());
  tensors_.reserve(count);
  for (size_t i = 0; i < count; ++i) add(row.inputs[i], tensors[i]);
}

void CallInputs::add(const windrow_operator_input& input, const ov::Tensor& tensor) {
  const ov::Shape& shape = tensor.get_shape();
  const windrow_dtype dtype = accepted_type(input, tensor.get_element_type());
  // Inputs are only read.
  tensors_.push_back({dtype, static_cast<int32_t>(shape.size()), extents_of(shape), nullptr,
                      const_cast<void*>(static_cast<const void*>(tensor.data()))});
  if (dtype == WINDROW_INT64 && tensor.get_element_type() == ov::element::i32) return widen(tensor);
  if (tensor.is_continuous()) return;
  const ov::Strides strides = tensor.get_strides();
  tensors_.back().byte_strides = numbers_.emplace_back(strides.begin(), strides.end()).data();
}

void CallInputs::widen(const ov::Tensor& tensor) {
  ov::Tensor dense = tensor;
  if (!tensor.is_continuous()) {
    dense = ov::Tensor(ov::element::i32, tensor.get_shape());
    tensor.copy_to(dense);
  }
  const auto* from = dense.data<std::int32_t>();
  tensors_.back().data = numbers_.emplace_back(from, from + dense.get_size()).data();
}

CallKey CallInputs::key() const {
  CallKey key;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const windrow_tensor& tensor = tensors_[i];
    key.add(tensor.dtype);
    key.add(tensor.rank);
    key.add(tensor.shape, static_cast<size_t>(tensor.rank));
    if (!row_.inputs[i].value_at_compile || tensor.data == nullptr) continue;
    const bool one_element =
        std::all_of(tensor.shape, tensor.shape + tensor.rank, [](auto n) { return n == 1; });
    const int bytes = windrow_dtype_bits(tensor.dtype) / 8;
    if (one_element && bytes > 0)
      key.add(std::string_view(static_cast<const char*>(tensor.data), static_cast<size_t>(bytes)));
  }
  return key;
}

}  // namespace windrow::openvino_plugin
