#include "view.h"

#include <algorithm>

#include "errors.h"

namespace windrow::torch_plugin {
namespace {

using torch::headeronly::ScalarType;

windrow_dtype dtype_of(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
      return WINDROW_BOOL;
    case ScalarType::Char:
      return WINDROW_INT8;
    case ScalarType::Short:
      return WINDROW_INT16;
    case ScalarType::Int:
      return WINDROW_INT32;
    case ScalarType::Long:
      return WINDROW_INT64;
    case ScalarType::Byte:
      return WINDROW_UINT8;
    case ScalarType::UInt16:
      return WINDROW_UINT16;
    case ScalarType::UInt32:
      return WINDROW_UINT32;
    case ScalarType::UInt64:
      return WINDROW_UINT64;
    case ScalarType::Half:
      return WINDROW_FLOAT16;
    case ScalarType::BFloat16:
      return WINDROW_BFLOAT16;
    case ScalarType::Float:
      return WINDROW_FLOAT32;
    case ScalarType::Double:
      return WINDROW_FLOAT64;
    case ScalarType::ComplexFloat:
      return WINDROW_COMPLEX64;
    case ScalarType::ComplexDouble:
      return WINDROW_COMPLEX128;
    case ScalarType::Float8_e4m3fn:
      return WINDROW_FLOAT8_E4M3FN;
    case ScalarType::Float8_e4m3fnuz:
      return WINDROW_FLOAT8_E4M3FNUZ;
    case ScalarType::Float8_e5m2:
      return WINDROW_FLOAT8_E5M2;
    case ScalarType::Float8_e5m2fnuz:
      return WINDROW_FLOAT8_E5M2FNUZ;
    case ScalarType::Float8_e8m0fnu:
      return WINDROW_FLOAT8_E8M0FNU;
    default:
      fail("element type number " + std::to_string(static_cast<int>(type)) +
           " of torch is none of Windrow's");
  }
}

}  // namespace

View::View(const Tensor& tensor)
    : dtype(dtype_of(tensor.scalar_type())),
      rank(static_cast<int32_t>(tensor.dim())),
      data(tensor.data_ptr()) {
  const auto sizes = tensor.sizes();
  const auto steps = tensor.strides();
  const int64_t item = windrow_dtype_bits(dtype) / 8;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    shape[axis] = sizes.data()[axis];
    strides[axis] = steps.data()[axis] * item;
  }
  if (rank == 0) append_axis(1, item);
}

windrow_tensor View::c() const noexcept {
  return {.dtype = dtype, .rank = rank, .shape = shape, .byte_strides = strides, .data = data};
}

bool View::empty() const noexcept {
  return std::any_of(shape, shape + rank, [](int64_t extent) { return extent == 0; });
}

void View::append_axis(int64_t extent, int64_t byte_stride) noexcept {
  shape[rank] = extent;
  strides[rank] = byte_stride;
  ++rank;
}

void View::split_complex() noexcept {
  dtype = dtype == WINDROW_COMPLEX64 ? WINDROW_FLOAT32 : WINDROW_FLOAT64;
  append_axis(2, windrow_dtype_bits(dtype) / 8);
}

Tensor make_output(const Tensor& like, std::span<const int64_t> shape) {
  int64_t strides[kMostAxes];
  int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= std::max<int64_t>(shape[axis], 1);
  }
  int32_t dtype = 0;
  int32_t device_type = 0;
  int32_t device_index = 0;
  AtenTensorHandle made = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_dtype(like.get(), &dtype));
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_type(like.get(), &device_type));
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_index(like.get(), &device_index));
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(static_cast<int64_t>(shape.size()),
                                                         shape.data(), strides, dtype, device_type,
                                                         device_index, &made));
  return Tensor(made);
}

}  // namespace windrow::torch_plugin
