#ifndef WINDROW_PYTHON_CALL_OPTIONS_H_
#define WINDROW_PYTHON_CALL_OPTIONS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"

// The attributes and options of a call from Python values. All throw windrow::Error
// (kInvalidArgument); `parameter` is for the message.
namespace windrow::python {

Error wrong_argument(const std::string& message);

// Anything that stands for an integer. Throws a Python error for what does not.
std::int64_t integer_of(PyObject* object, const std::string& parameter);
int version_of(PyObject* object);

// An attribute by the kind of its Python value; the operator says if it wants another one.
AttributeValue attribute_of(PyObject* object, const std::string& name);

// A str.
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
