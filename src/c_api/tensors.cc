#include "src/c_api/tensors.h"

#include <string>

#include "src/c_api/error.h"

namespace windrow::internal {
namespace {

Dims read_dims(const int64_t* values, int rank) {
  return Dims(std::span<const std::int64_t>(values, static_cast<std::size_t>(rank)));
}

std::int64_t element_bytes(DType dtype) {
  return dtype == DType::kString ? static_cast<std::int64_t>(sizeof(windrow_string))
                                 : dtype_bits(dtype) / 8;
}

std::string input_name(std::size_t index) { return "inputs[" + std::to_string(index) + "]"; }

Status check_inputs(const windrow_tensor* inputs, std::size_t count) {
  if (inputs == nullptr && count > 0) return invalid_argument("inputs is null");
  return {};
}

// Calls visit(offset in bytes) for every element in row-major order.
template <class Visit>
void for_each_offset(const Shape& shape, const Strides& strides, Visit visit) {
  const std::int64_t count = element_count(shape).value_or(0);
  Dims position = Dims::filled(shape.rank(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      offset += strides[axis];
      if (++position[axis] < shape[axis]) break;
      offset -= strides[axis] * shape[axis];
      position[axis] = 0;
    }
  }
}

}  // namespace

Result<MutableTensorView> read_tensor(const windrow_tensor& tensor, bool needs_data) {
  const std::optional<DType> dtype = from_c(tensor.dtype);
  if (!dtype)
    return Status(ErrorCode::kType,
                  "dtype is " + std::to_string(tensor.dtype) + ", which is no element type");
  if (*dtype == DType::kAbsent) return MutableTensorView();
  if (tensor.rank < 0 || tensor.rank > kMaxRank)
    return Status(ErrorCode::kShape, "rank is " + std::to_string(tensor.rank) +
                                         ", must be in [0, " + std::to_string(kMaxRank) + "]");
  if (tensor.rank > 0 && tensor.shape == nullptr) return invalid_argument("shape is null");
  const Shape shape = read_dims(tensor.shape, tensor.rank);
  const auto elements = element_count(shape);
  if (!elements)
    return Status(ErrorCode::kShape, "shape " + to_string(shape) +
                                         " has a negative extent or more than 2^63-1 elements");
  if (is_packed(*dtype) && tensor.byte_strides != nullptr)
    return invalid_argument("byte_strides must be null for a tensor of " +
                            std::string(dtype_name(*dtype)));
  if (needs_data && *elements > 0 && tensor.data == nullptr)
    return invalid_argument("data is null");
  const Strides strides = tensor.byte_strides != nullptr
                              ? read_dims(tensor.byte_strides, tensor.rank)
                              : row_major_strides(shape, element_bytes(*dtype));
  return MutableTensorView(*dtype, shape, strides, tensor.data);
}

Result<std::vector<TensorSpec>> read_specs(const windrow_tensor* inputs, std::size_t count) {
  if (Status status = check_inputs(inputs, count); !status) return status;
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < count; ++i) {
    Result<MutableTensorView> view = read_tensor(inputs[i], false);
    if (!view) return view.error().with_context(input_name(i));
    specs.push_back({view->dtype, view->shape, std::nullopt, nullptr});
    if (inputs[i].byte_strides != nullptr && view->dtype != DType::kString)
      specs.back().strides = view->strides;
  }
  return specs;
}

Result<Inputs> read_inputs(const windrow_tensor* inputs, std::size_t count) {
  if (Status status = check_inputs(inputs, count); !status) return status;
  Inputs result;
  result.views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Result<MutableTensorView> view = read_tensor(inputs[i], true);
    if (!view) return view.error().with_context(input_name(i));
    result.views.push_back(*view);
    if (view->dtype != DType::kString) continue;
    Result<Tensor> strings = copy_strings(*view);
    if (!strings) return strings.error().with_context(input_name(i));
    result.views.back() = strings->view();
    result.strings.push_back(*std::move(strings));
  }
  return result;
}

Result<Tensor> copy_strings(const TensorView& from) {
  Result<Tensor> copy = Tensor::allocate(DType::kString, from.shape);
  if (!copy) return copy;
  auto* to = static_cast<std::string*>(copy->data());
  bool has_null = false;
  for_each_offset(from.shape, from.strides, [&](std::int64_t offset) {
    const auto& text =
        *reinterpret_cast<const windrow_string*>(static_cast<const char*>(from.data) + offset);
    if (text.data != nullptr) {
      to->assign(text.data, text.size);
    } else if (text.size > 0) {
      has_null = true;
    }
    ++to;
  });
  if (has_null) return invalid_argument("a string has null data and a size above 0");
  return copy;
}

void refer_to_strings(const Tensor& from, const MutableTensorView& to) noexcept {
  const auto* text = static_cast<const std::string*>(from.data());
  for_each_offset(to.shape, to.strides, [&](std::int64_t offset) {
    auto* element = reinterpret_cast<windrow_string*>(static_cast<char*>(to.data) + offset);
    *element = {text->data(), text->size()};
    ++text;
  });
}

}  // namespace windrow::internal
