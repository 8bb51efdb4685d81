#ifndef WINDROW_PYTHON_CALL_OPTIONS_H_
#define WINDROW_PYTHON_CALL_OPTIONS_H_

#include <nanobind/nanobind.h>

#include <string_view>

#include "windrow/options.h"

// The options of a call from Python values. All throw windrow::Error (kInvalidArgument).
namespace windrow::python {

// A str; `parameter` is for the message.
std::string_view text_of(PyObject* object, const char* parameter);

OutOfRange out_of_range_of(PyObject* object);
// NumPy's names: raise, wrap, clip.
OutOfRange mode_of(PyObject* object);
Duplicates duplicates_of(PyObject* object);

// As in a condition. Throws a Python error where the object has no truth value.
bool truth_of(PyObject* object);

// Of a dict with the names of CallOptions; None is as absent.
CallOptions options_of(const nanobind::dict& options);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_CALL_OPTIONS_H_
