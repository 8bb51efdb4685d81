#include "python/src/foreign_array.h"

#include <string>

#include "python/src/element_types.h"

namespace nb = nanobind;

namespace windrow::python {

bool HeldBuffer::acquire(PyObject* object, const char* name, bool writable,
                         MutableTensorView& view) {
  if (!PyObject_CheckBuffer(object)) return false;
  const int flags = PyBUF_FORMAT | (writable ? PyBUF_STRIDED : PyBUF_STRIDED_RO);
  if (PyObject_GetBuffer(object, &buffer_, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  held_ = true;
  const auto dtype = dtype_of_format(buffer_.format, buffer_.itemsize);
  if (!dtype || buffer_.suboffsets != nullptr) {
    PyBuffer_Release(&buffer_);
    held_ = false;
    return false;
  }
  if (buffer_.ndim > kMaxRank) throw too_many_axes(name, buffer_.ndim);
  Shape shape;
  Dims strides;
  for (int axis = 0; axis < buffer_.ndim; ++axis) {
    shape.push_back(buffer_.shape[axis]);
    if (buffer_.strides != nullptr) strides.push_back(buffer_.strides[axis]);
  }
  // The arrays of ctypes, which are dense, leave out the strides although they are asked for.
  view = buffer_.strides != nullptr ? MutableTensorView(*dtype, shape, strides, buffer_.buf)
                                    : MutableTensorView(*dtype, shape, buffer_.buf);
  return true;
}

TensorView view_dlpack(const nb::ndarray<nb::ro>& array, const char* name) {
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

}  // namespace windrow::python
