#include "python/src/input_array.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "python/src/element_types.h"
#include "python/src/foreign_array.h"
#include "python/src/text.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

Tensor string_tensor(const nb::list& strings, const Shape& shape, const char* name) {
  Tensor tensor = Tensor::allocate(DType::kString, shape).value();
  auto* element = static_cast<std::string*>(tensor.data());
  for (const nb::handle string : strings) {
    *element++ = bytes_of(string.ptr(), name);
  }
  return tensor;
}

Shape shape_of(const nb::tuple& extents, const char* name) {
  Shape shape;
  for (const nb::handle extent : extents)
    if (!shape.push_back(nb::cast<std::int64_t>(extent)))
      throw too_many_axes(name, static_cast<int>(nb::len(extents)));
  return shape;
}

}  // namespace

struct InputArray::Owner {
  HeldBuffer buffer;
  HeldDlpack dlpack;
  nb::object array;  // made for this call
  Tensor copy;
};

InputArray::InputArray() noexcept = default;
InputArray::~InputArray() = default;

void InputArray::acquire_other(PyObject* object, const InputWish& wish, TensorView& view) {
  owner_ = std::make_unique<Owner>();
  if (is_numpy_array(object)) return acquire_converted(object, wish, view);
  MutableTensorView memory;
  if (owner_->buffer.acquire(object, wish.name, false, memory) ||
      owner_->dlpack.acquire(object, wish.name, false, memory)) {
    view = memory;
  } else {
    acquire_converted(object, wish, view);
  }
}

void InputArray::acquire_converted(PyObject* object, const InputWish& wish, TensorView& view) {
  const nb::object import = nb::module_::import_("windrow._arrays").attr("import_array");
  const std::string like(wish.like == DType::kAbsent ? "" : dtype_name(wish.like));
  const auto [array, type, extents] = nb::cast<std::tuple<nb::object, std::string, nb::tuple>>(
      import(nb::handle(object), wish.name, like, wish.is_index));
  owner_->array = array;
  if (type == dtype_name(DType::kString)) {
    owner_->copy =
        string_tensor(nb::cast<nb::list>(array), shape_of(extents, wish.name), wish.name);
    view = owner_->copy.view();
    return;
  }
  if (!view_numpy(array.ptr(), wish.name, view))
    throw Error(Status(ErrorCode::kInternal, std::string(wish.name) + " gives no memory"));
  if (type.empty()) return;
  // The memory has the name of another type of the same size, or is packed.
  view.dtype = parse_dtype(type).value();
  if (is_packed(view.dtype)) view = TensorView(view.dtype, shape_of(extents, wish.name), view.data);
}

}  // namespace windrow::python
