#include "plugins/torch/view.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

namespace windrow::torch_plugin {
namespace {

std::string join(std::span<const int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

}  // namespace

void fail(const std::string& text) { throw std::runtime_error(text); }

std::string shape_text(std::span<const int64_t> shape) { return "(" + join(shape) + ")"; }

void fail(const BadIndex& bad) {
  std::string text(bad.input);
  if (!bad.position.empty()) text += "[" + join(bad.position) + "]";
  text += " = " + std::to_string(bad.value) + " is out of range for dimension " +
          std::to_string(bad.dim) + " of size " + std::to_string(bad.extent);
  if (bad.extent > 0) {
    text += ", whose indices are " + std::to_string(bad.first) + " to " +
            std::to_string(bad.extent - 1);
  }
  if (bad.count > 1) text += "; " + std::to_string(bad.count) + " indices are out of range";
  if (!bad.rule.empty()) text += " (" + std::string(bad.rule) + ")";
  fail(text);
}

void fail(windrow_error* error, std::string_view index_name, int64_t index_rank, int64_t copies,
          bool first_is_negative) {
  const std::unique_ptr<windrow_error, void (*)(windrow_error*)> owned(error, windrow_error_free);
  windrow_index_fault fault{};
  if (windrow_error_index_fault(error, &fault) == 0 || std::string_view(fault.input) == "offsets") {
    fail(windrow_error_message(error));
  }
  const int64_t rank = std::min<int64_t>(fault.position_rank, index_rank);
  fail(BadIndex{.input = index_name,
                .position = {fault.position, static_cast<std::size_t>(rank)},
                .value = fault.value,
                .dim = fault.axis,
                .first = first_is_negative ? -fault.extent : 0,
                .extent = fault.extent,
                .count = fault.count / copies,
                .rule = windrow_error_constraint(error)});
}

namespace {

using torch::headeronly::ScalarType;

struct TypeRow {
  ScalarType host;
  windrow_dtype own;
};
constexpr TypeRow kTypes[] = {
    {ScalarType::Bool, WINDROW_BOOL},
    {ScalarType::Char, WINDROW_INT8},
    {ScalarType::Short, WINDROW_INT16},
    {ScalarType::Int, WINDROW_INT32},
    {ScalarType::Long, WINDROW_INT64},
    {ScalarType::Byte, WINDROW_UINT8},
    {ScalarType::UInt16, WINDROW_UINT16},
    {ScalarType::UInt32, WINDROW_UINT32},
    {ScalarType::UInt64, WINDROW_UINT64},
    {ScalarType::Half, WINDROW_FLOAT16},
    {ScalarType::BFloat16, WINDROW_BFLOAT16},
    {ScalarType::Float, WINDROW_FLOAT32},
    {ScalarType::Double, WINDROW_FLOAT64},
    {ScalarType::ComplexFloat, WINDROW_COMPLEX64},
    {ScalarType::ComplexDouble, WINDROW_COMPLEX128},
    {ScalarType::Float8_e4m3fn, WINDROW_FLOAT8_E4M3FN},
    {ScalarType::Float8_e4m3fnuz, WINDROW_FLOAT8_E4M3FNUZ},
    {ScalarType::Float8_e5m2, WINDROW_FLOAT8_E5M2},
    {ScalarType::Float8_e5m2fnuz, WINDROW_FLOAT8_E5M2FNUZ},
    {ScalarType::Float8_e8m0fnu, WINDROW_FLOAT8_E8M0FNU},
};

windrow_dtype dtype_of(ScalarType type) {
  const auto* row = std::ranges::find(kTypes, type, &TypeRow::host);
  if (row != std::end(kTypes)) return row->own;
  fail("element type number " + std::to_string(static_cast<int>(type)) +
       " of torch is none of Windrow's");
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
