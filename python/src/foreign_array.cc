#include "python/src/foreign_array.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/tables.h"
#include "windrow/shape.h"

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
  const nb::object capsule = nb::module_::import_("windrow._base.arrays")
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

namespace nb = nanobind;

namespace windrow::python {
namespace {

SymbolicShape dims_from(const nb::handle& given) {
  if (given.is_none() || nb::len(given) > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
  std::vector<Dim> dims;
  for (const nb::handle& dim : given) {
    if (dim.is_none()) {
      dims.emplace_back();
    } else if (nb::isinstance<nb::str>(dim)) {
      dims.push_back({-1, bytes_of(dim.ptr(), "the symbol of a dimension")});
    } else {
      dims.push_back({nb::cast<std::int64_t>(dim), {}});
    }
  }
  return dims;
}

}  // namespace

Result<GraphValueInfos> ask_python(const nb::handle& function, const Model& model) {
  const Result<std::string> skeleton = onnx_skeleton(model);
  if (!skeleton) return skeleton.error();
  const nb::gil_scoped_acquire held;
  const nb::object answer = function(nb::bytes(skeleton->data(), skeleton->size()));
  std::string failure = bytes_of(nb::object(answer[1]).ptr(), "what failed");
  if (!failure.empty()) return Status(ErrorCode::kUnsupported, std::move(failure));
  GraphValueInfos found;
  for (const nb::handle& row : nb::object(answer[0])) {
    const std::string path = bytes_of(nb::object(row[0]).ptr(), "the path of a graph");
    ValueInfo value;
    value.name = bytes_of(nb::object(row[1]).ptr(), "the name of a value");
    const nb::object dtype = row[2];
    if (!dtype.is_none()) {
      std::string type = bytes_of(dtype.ptr(), "a type");
      const std::optional<DType> known = parse_dtype(type);
      if (known)
        value.dtype = *known;
      else
        value.other_type = std::move(type);
    }
    value.dims = dims_from(nb::object(row[3]));
    found[path].insert_or_assign(value.name, std::move(value));
  }
  return found;
}

}  // namespace windrow::python
