#include "python/src/output_array.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "python/src/foreign_array.h"

namespace nb = nanobind;

namespace windrow::python {

struct OutputArray::Owner {
  HeldBuffer buffer;
  HeldDlpack dlpack;
  nb::object array;  // another array object for the same memory
};

OutputArray::OutputArray() noexcept = default;
OutputArray::~OutputArray() = default;

bool OutputArray::acquire_other(PyObject* object, MutableTensorView& view) {
  owner_ = std::make_unique<Owner>();
  if (!is_numpy_array(object) && (owner_->buffer.acquire(object, "out", true, view) ||
                                  owner_->dlpack.acquire(object, "out", true, view)))
    return true;
  const nb::object export_memory = nb::module_::import_("windrow._arrays").attr("export_memory");
  const auto [memory, type] =
      nb::cast<std::tuple<nb::object, std::string>>(export_memory(nb::handle(object)));
  if (memory.is_none()) return false;
  owner_->array = memory;
  if (!view_numpy(memory.ptr(), "out", view))
    throw Error(Status(ErrorCode::kInternal, "out gives no memory"));
  view.dtype = parse_dtype(type).value();
  return true;
}

}  // namespace windrow::python
