#ifndef WINDROW_PYTHON_ERRORS_H_
#define WINDROW_PYTHON_ERRORS_H_

#include <nanobind/nanobind.h>

#include "windrow/status.h"

namespace windrow::python {

// Sets the Python exception (a windrow.Error) that stands for a failure.
void set_error(const Status& failure);

// Sets windrow.OutOfMemory, without an instance if there is no memory for one.
void set_out_of_memory();

// Sets a Python error that was thrown; a MemoryError of Python's or NumPy's becomes
// windrow.OutOfMemory.
void restore_error(nanobind::python_error& error);

// Sets windrow.InternalError.
void set_internal_error(const char* message);

// Calls `body`, which returns a new reference; what it throws becomes the Python error, and null.
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
  } catch (const std::exception& error) {
    set_internal_error(error.what());
  }
  return nullptr;
}

// Clears the Python error with which an object refuses what it was asked for. Throws it if it is
// none: if memory is short, or if it is no Exception, such as KeyboardInterrupt.
void drop_refusal();

// Makes windrow::Error, thrown by any bound function, that exception too.
void bind_errors();

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_ERRORS_H_
