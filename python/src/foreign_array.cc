#include "python/src/foreign_array.h"

#include <string>

#include "python/src/element_types.h"
#include "python/src/errors.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

bool has_elements(const Shape& shape) { return element_count(shape).value_or(1) != 0; }

template <class Array>
MutableTensorView view_dlpack(const Array& array, const char* name) {
  const auto type = array.dtype();
  const auto dtype = dtype_of_dlpack(type.code, type.bits, type.lanes);
  if (!dtype)
    throw Error(Status(
        ErrorCode::kType,
        std::string(name) + " has an element type that the library does not have (code " +
            std::to_string(type.code) + " of DLPack, " + std::to_string(type.bits) + " bits)"));
  const auto rank = static_cast<int>(array.ndim());
  if (rank > kMaxRank) throw too_many_axes(name, rank);
  MutableTensorView view;
  view.dtype = *dtype;
  view.data = const_cast<void*>(static_cast<const void*>(array.data()));
  for (int axis = 0; axis < rank; ++axis) {
    const auto number = static_cast<std::size_t>(axis);
    view.shape.push_back(static_cast<std::int64_t>(array.shape(number)));
    view.strides.push_back(array.stride(number) * (dtype_bits(*dtype) / 8));
  }
  // Examples are torch's fake tensors and the zeros of its automatic differentiation.
  if (view.data == nullptr && has_elements(view.shape))
    throw Error(Status(ErrorCode::kInvalidArgument,
                       std::string(name) + " has elements, but gives no memory of them by DLPack"));
  return view;
}

}  // namespace

bool HeldBuffer::acquire(PyObject* object, const char* name, bool writable,
                         MutableTensorView& view) {
  if (!PyObject_CheckBuffer(object)) return false;
  const int flags = PyBUF_FORMAT | (writable ? PyBUF_STRIDED : PyBUF_STRIDED_RO);
  if (PyObject_GetBuffer(object, &buffer_, flags) != 0) {
    drop_refusal();
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
  // ctypes arrays, which are dense, leave out the strides even if they are requested.
  view = buffer_.strides != nullptr ? MutableTensorView(*dtype, shape, strides, buffer_.buf)
                                    : MutableTensorView(*dtype, shape, buffer_.buf);
  return true;
}

bool HeldDlpack::acquire(PyObject* object, const char* name, bool writable,
                         MutableTensorView& view) {
  const nb::object capsule = nb::module_::import_("windrow._arrays")
                                 .attr("export_dlpack")(nb::handle(object), name, writable);
  if (capsule.is_none()) return false;
  // For anything else nanobind would ask the object again, in its own way.
  if (!PyCapsule_CheckExact(capsule.ptr()) ||
      !(writable ? nb::try_cast(capsule, written_) : nb::try_cast(capsule, read_)))
    throw Error(Status(ErrorCode::kInvalidArgument, std::string(name) +
                                                        " gives no memory by DLPack" +
                                                        (writable ? " that can be written" : "")));
  view = writable ? view_dlpack(written_, name) : view_dlpack(read_, name);
  return true;
}

}  // namespace windrow::python
