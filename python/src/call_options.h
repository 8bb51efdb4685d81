#ifndef WINDROW_PYTHON_CALL_OPTIONS_H_
#define WINDROW_PYTHON_CALL_OPTIONS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"

// Converts Python values to the attributes and options of a call. All functions throw
// windrow::Error (kInvalidArgument); `parameter` names the argument in messages.
namespace windrow::python {

Error wrong_argument(const std::string& message);

// Accepts any object that Python can convert to an integer; throws a Python error for others.
std::int64_t integer_of(PyObject* object, const std::string& parameter);
int version_of(PyObject* object);

// An attribute, by the kind of its Python value. The operator checks the kind.
AttributeValue attribute_of(PyObject* object, const std::string& name);

// The same, where a reduction may have the name that other dialects give it.
AttributeValue own_attribute_of(PyObject* object, const std::string& name,
                                std::string_view dialect);

// A str.
std::string_view text_of(PyObject* object, const char* parameter);

OutOfRange out_of_range_of(PyObject* object);
NegativeIndex negative_of(PyObject* object);
// A mode by NumPy's names: raise, wrap, clip.
OutOfRange mode_of(PyObject* object);
Duplicates duplicates_of(PyObject* object);

// The object's truth value, as in a condition. Throws a Python error if it has none.
bool truth_of(PyObject* object);

// The options in a dict with the names of CallOptions; None counts as absent.
CallOptions options_of(const nanobind::dict& options);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_CALL_OPTIONS_H_
