#include "python/src/input_array.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "python/src/element_types.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

Error too_many_axes(const char* name, int rank) {
  return Error(Status(ErrorCode::kShape, std::string(name) + " has " + std::to_string(rank) +
                                             " axes, the limit is " + std::to_string(kMaxRank)));
}

Tensor string_tensor(const nb::list& strings, const Shape& shape) {
  Tensor tensor = Tensor::allocate(DType::kString, shape).value();
  auto* element = static_cast<std::string*>(tensor.data());
  for (const nb::handle string : strings) {
    Py_ssize_t bytes = 0;
    const char* text = PyUnicode_AsUTF8AndSize(string.ptr(), &bytes);
    if (text == nullptr) throw nb::python_error();
    (element++)->assign(text, static_cast<std::size_t>(bytes));
  }
  return tensor;
}

}  // namespace

MutableTensorView view_of(const Py_buffer& buffer, const char* name) {
  MutableTensorView view;
  const auto dtype = dtype_of_format(buffer.format, buffer.itemsize);
  if (!dtype || buffer.suboffsets != nullptr) return view;
  if (buffer.ndim > kMaxRank) throw too_many_axes(name, buffer.ndim);
  view.dtype = *dtype;
  view.data = buffer.buf;
  for (int axis = 0; axis < buffer.ndim; ++axis) {
    view.shape.push_back(buffer.shape[axis]);
    view.strides.push_back(buffer.strides[axis]);
  }
  return view;
}

bool InputArray::acquire_buffer(PyObject* object, const char* name) {
  if (!PyObject_CheckBuffer(object)) return false;
  if (PyObject_GetBuffer(object, &buffer_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
    PyErr_Clear();  // NumPy arrays of types that the buffer protocol has not
    return false;
  }
  held_ = true;
  view_ = view_of(buffer_, name);
  if (!view_.is_absent()) return true;
  PyBuffer_Release(&buffer_);
  held_ = false;
  return false;
}

TensorView view_of(const nb::ndarray<nb::ro>& array, const char* name) {
  const auto type = array.dtype();
  const auto dtype = dtype_of_dlpack(type.code, type.bits, type.lanes);
  if (!dtype)
    throw Error(Status(ErrorCode::kType,
                       std::string(name) + " has an element type that the library has not (code " +
                           std::to_string(type.code) + " of DLPack, " + std::to_string(type.bits) +
                           " bits)"));
  const auto rank = static_cast<int>(array.ndim());
  if (rank > kMaxRank) throw too_many_axes(name, rank);
  TensorView view;
  view.dtype = *dtype;
  view.data = array.data();
  for (int axis = 0; axis < rank; ++axis) {
    const auto number = static_cast<std::size_t>(axis);
    view.shape.push_back(static_cast<std::int64_t>(array.shape(number)));
    view.strides.push_back(array.stride(number) * (dtype_bits(*dtype) / 8));
  }
  return view;
}

bool InputArray::acquire_dlpack(PyObject* object, const char* name) {
  const nb::object check = nb::module_::import_("windrow._arrays").attr("exports_dlpack");
  if (!nb::cast<bool>(check(nb::handle(object), name))) return false;
  dlpack_ = nb::cast<nb::ndarray<nb::ro>>(nb::handle(object));
  view_ = view_of(dlpack_, name);
  return true;
}

void InputArray::acquire_otherwise(PyObject* object, const char* name, DType like, bool is_index) {
  if (acquire_dlpack(object, name)) return;
  const nb::module_ arrays = nb::module_::import_("windrow._arrays");
  const std::string like_name(like == DType::kAbsent ? "" : dtype_name(like));
  const auto [array, type, extents, own_type] =
      nb::cast<std::tuple<nb::object, std::string, nb::tuple, bool>>(
          arrays.attr("import_array")(nb::handle(object), name, like_name, is_index));
  is_array_ = own_type;
  if (type.empty()) {
    if (acquire_buffer(array.ptr(), name)) return;
    throw Error(Status(ErrorCode::kInternal, std::string(name) + " gives no memory"));
  }
  const DType dtype = parse_dtype(type).value();
  Shape shape;
  for (const nb::handle extent : extents)
    if (!shape.push_back(nb::cast<std::int64_t>(extent)))
      throw too_many_axes(name, static_cast<int>(nb::len(extents)));
  if (dtype == DType::kString) {
    copy_ = string_tensor(nb::cast<nb::list>(array), shape);
    view_ = copy_.view();
    return;
  }
  if (!acquire_buffer(array.ptr(), name))
    throw Error(Status(ErrorCode::kInternal, std::string(name) + " gives no memory"));
  // The memory is there under the name of another type of the same size, or packed.
  view_.dtype = dtype;
  if (is_packed(dtype)) view_ = TensorView(dtype, shape, view_.data);
}

}  // namespace windrow::python
