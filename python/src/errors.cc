#include "python/src/errors.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "python/src/fields.h"
#include "python/src/models.h"
#include "python/src/run_arrays.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The classes of windrow._base.errors, taken when the module is loaded because there may be no
// memory for an import later. Never released.
struct Classes {
  PyObject* make_error;
  PyObject* error;
  PyObject* out_of_memory;
};
Classes classes;

nb::handle make_error() { return classes.make_error; }
nb::handle error_class() { return classes.error; }
nb::handle out_of_memory() { return classes.out_of_memory; }

nb::object fault_of(const Status& failure) {
  const IndexFault* fault = failure.index_fault();
  if (fault == nullptr) return nb::none();
  nb::list position = new_list();
  for (const std::int64_t coordinate : fault->position) position.append(coordinate);
  nb::dict known = new_dict();
  known["input"] = shown_text_from(fault->input);
  known["position"] = nb::tuple(position);
  known["value"] = nb::steal(PyLong_FromString(fault->value_text.c_str(), nullptr, 10));
  known["axis"] = fault->axis;
  known["extent"] = fault->extent;
  known["count"] = fault->count;
  if (fault->listed.count() > 0) known["_listed"] = bad_indices_to_python(fault->listed);
  return known;
}

// The exception of a failure. Throws a Python error.
nb::object exception_of(const Status& failure) {
  return make_error()(text_from(error_code_name(failure.code())),
                      shown_text_from(failure.message()), shown_text_from(failure.operator_name()),
                      text_from(failure.constraint()), fault_of(failure));
}

void set_exception(const nb::object& exception) {
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

// Whether the error is the one that nanobind raises if Python returns no str or tuple, which only
// happens here if memory runs out.
bool is_of_nanobind(PyObject* error) {
  const nb::object text = nb::steal(PyObject_Str(error));
  const char* bytes = text.is_valid() ? PyUnicode_AsUTF8AndSize(text.ptr(), nullptr) : nullptr;
  if (bytes == nullptr) PyErr_Clear();
  return bytes == nullptr || std::string_view(bytes).starts_with("nanobind::");
}

}  // namespace

void set_error(const Status& failure) {
  try {
    set_exception(exception_of(failure));
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception&) {  // bad_alloc; nanobind's bad_cast, where Python has no memory
    PyErr_NoMemory();
  }
}

void throw_with_call(const Status& failure, const nb::object& plan, const nb::tuple& arrays) {
  const nb::object exception = exception_of(failure);
  exception.attr("_keep_call")(plan, arrays);
  set_exception(exception);
  throw nb::python_error();
}

void set_out_of_memory() {
  try {
    set_error(Status(ErrorCode::kOutOfMemory, "out of memory"));
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  // Python creates this exception only when it is asked for.
  if (PyErr_ExceptionMatches(PyExc_MemoryError)) {
    PyErr_Clear();
    PyErr_SetNone(out_of_memory().ptr());
  }
}

void restore_error(nb::python_error& error) {
  const bool ours = error.matches(error_class());
  const bool short_of_memory =
      error.matches(PyExc_MemoryError) ||
      (error.matches(PyExc_RuntimeError) && is_of_nanobind(error.value().ptr()));
  if (ours || !short_of_memory) return error.restore();
  set_out_of_memory();
}

void set_internal_error(const char* message) {
  set_error(Status(ErrorCode::kInternal, std::string("unexpected: ") + message));
}

void drop_refusal() {
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError))
    throw nb::python_error();
  PyErr_Clear();
}

void bind_errors() {
  const nb::object errors = nb::module_::import_("windrow._base.errors");
  classes.make_error = nb::object(errors.attr("make_error")).release().ptr();
  classes.error = nb::object(errors.attr("Error")).release().ptr();
  classes.out_of_memory = nb::object(errors.attr("OutOfMemory")).release().ptr();
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      set_error(error.status());
    } catch (const std::bad_alloc&) {
      set_out_of_memory();
    }
  });
}

}  // namespace windrow::python
