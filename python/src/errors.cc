#include "python/src/errors.h"

#include <exception>
#include <string>

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object fault_of(const Status& failure) {
  const IndexFault* fault = failure.index_fault();
  if (fault == nullptr) return nb::none();
  nb::list position;
  for (const std::int64_t coordinate : fault->position) position.append(coordinate);
  nb::dict known;
  known["input"] = nb::str(fault->input.c_str());
  known["position"] = nb::tuple(position);
  known["value"] = fault->value;
  known["axis"] = fault->axis;
  known["extent"] = fault->extent;
  known["count"] = fault->count;
  return known;
}

}  // namespace

void set_error(const Status& failure) {
  try {
    const std::string code(error_code_name(failure.code()));
    const nb::object exception =
        nb::module_::import_("windrow._errors")
            .attr("make_error")(code.c_str(), failure.message().c_str(),
                                failure.operator_name().c_str(), failure.constraint().c_str(),
                                fault_of(failure));
    PyErr_SetObject(exception.type().ptr(), exception.ptr());
  } catch (nb::python_error& error) {
    error.restore();
  }
}

void drop_refusal() {
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError))
    throw nb::python_error();
  PyErr_Clear();
}

void bind_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      set_error(error.status());
    }
  });
}

}  // namespace windrow::python
