#ifndef WINDROW_PYTHON_ERRORS_H_
#define WINDROW_PYTHON_ERRORS_H_

#include <nanobind/nanobind.h>

#include <typeinfo>

#include "windrow/status.h"

namespace windrow::python {

// Sets the Python exception (a windrow.Error) for a failure.
void set_error(const Status& failure);

// Throws the Python exception for bad indices of a call. It keeps the windrow.Plan and the arrays
// of the call that hold indices, None in place of the others, so that it can list all bad indices.
[[noreturn]] void throw_with_call(const Status& failure, const nanobind::object& plan,
                                  const nanobind::tuple& arrays);

// Sets windrow.OutOfMemory, without an instance if there is no memory for one.
void set_out_of_memory();

// Sets a Python error that was thrown. A MemoryError of Python or NumPy becomes
// windrow.OutOfMemory.
void restore_error(nanobind::python_error& error);

// Sets windrow.InternalError.
void set_internal_error(const char* message);

// Calls `body`, which returns a new reference. If it throws, sets the Python error and returns
// null.
template <class Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (const Error& error) {
    set_error(error.status());
  } catch (nanobind::python_error& error) {
    restore_error(error);
  } catch (const std::bad_alloc&) {
    set_out_of_memory();
  } catch (const std::bad_cast&) {
    // nanobind's, for what the package's own Python code returns: without memory it reads no tuple.
    PyErr_Clear();
    set_out_of_memory();
  } catch (const std::exception& error) {
    set_internal_error(error.what());
  }
  return nullptr;
}

// Clears the Python error by which an object refuses a request. Throws the error if it is not a
// refusal: if memory ran out, or if it is not an Exception, such as KeyboardInterrupt.
void drop_refusal();

// Registers the conversion of windrow::Error, thrown by any bound function, to its Python
// exception.
void bind_errors();

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_ERRORS_H_
