#include "python/src/call_options.h"

#include <nanobind/stl/string.h>

#include <string>
#include <string_view>
#include <variant>

#include "python/src/errors.h"
#include "python/src/numpy_array.h"
#include "windrow/reduction_name.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The value of an option; null if it is absent or None.
PyObject* option(const nb::dict& options, const char* name) {
  PyObject* value = PyDict_GetItemString(options.ptr(), name);
  return value == Py_None ? nullptr : value;
}

}  // namespace

Error wrong_argument(const std::string& message) {
  return Error(Status(ErrorCode::kInvalidArgument, message));
}

std::int64_t integer_of(PyObject* object, const std::string& parameter) {
  const auto index = nb::steal(PyNumber_Index(object));
  if (!index.is_valid()) {
    // Arrays and tensors have the method, which fails unless they hold one integer.
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 || PyIndex_Check(object) == 0)
      throw nb::python_error();
    PyErr_Clear();
    throw wrong_argument(
        parameter + " must be an integer, is an array or another object of type " +
        nb::cast<std::string>(nb::str(nb::handle(object).type().attr("__name__"))));
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0)
    throw wrong_argument(parameter + " is " + nb::cast<std::string>(nb::str(index)) +
                         ", beyond 64 bits");
  return value;
}

int version_of(PyObject* object) {
  const std::int64_t version = integer_of(object, "version");
  if (version != static_cast<int>(version))
    throw wrong_argument("version is " + std::to_string(version) + ", beyond 32 bits");
  return static_cast<int>(version);
}

AttributeValue attribute_of(PyObject* object, const std::string& name) {
  if (PyBool_Check(object) || is_numpy_truth(object)) return truth_of(object);
  if (PyIndex_Check(object)) return integer_of(object, "attribute '" + name + "'");
  if (PyUnicode_Check(object)) return std::string(text_of(object, name.c_str()));
  if (PyFloat_Check(object)) return PyFloat_AsDouble(object);
  throw wrong_argument("attribute '" + name +
                       "' must be an integer, a truth value or a str, is a " +
                       nb::cast<std::string>(nb::str(nb::handle(object).type().attr("__name__"))));
}

AttributeValue own_attribute_of(PyObject* object, const std::string& name,
                                std::string_view dialect) {
  AttributeValue value = attribute_of(object, name);
  if (auto* text = std::get_if<std::string>(&value); text != nullptr && name == "reduction")
    *text = std::string(own_reduction_name(dialect, *text));
  return value;
}

std::string_view text_of(PyObject* object, const char* parameter) {
  Py_ssize_t bytes = 0;
  const char* text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &bytes) : nullptr;
  if (text == nullptr) {
    const bool is_text = PyUnicode_Check(object);
    if (is_text) drop_refusal();
    throw wrong_argument(std::string(parameter) +
                         (is_text ? " is not valid Unicode text" : " must be a str or None"));
  }
  return {text, static_cast<std::size_t>(bytes)};
}

OutOfRange out_of_range_of(PyObject* object) {
  const std::string_view text = text_of(object, "out_of_range");
  if (const auto policy = parse_out_of_range(text)) return *policy;
  throw wrong_argument("out_of_range is '" + std::string(text) +
                       "', must be one of: error, zero, skip, clamp, modulo");
}

NegativeIndex negative_of(PyObject* object) {
  const std::string_view text = text_of(object, "negative");
  if (const auto choice = parse_negative(text)) return *choice;
  throw wrong_argument("negative is '" + std::string(text) +
                       "', must be one of: from_end, out_of_range, error");
}

OutOfRange mode_of(PyObject* object) {
  const std::string_view text = text_of(object, "mode");
  if (text == "raise") return OutOfRange::kError;
  if (text == "wrap") return OutOfRange::kModulo;
  if (text == "clip") return OutOfRange::kClamp;
  throw wrong_argument("mode is '" + std::string(text) + "', must be one of: raise, wrap, clip");
}

Duplicates duplicates_of(PyObject* object) {
  const std::string_view text = text_of(object, "duplicates");
  if (const auto choice = parse_duplicates(text)) return *choice;
  throw wrong_argument("duplicates is '" + std::string(text) + "', must be one of: allow, error");
}

bool truth_of(PyObject* object) {
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) throw nb::python_error();
  return truth == 1;
}

CallOptions options_of(const nb::dict& options) {
  CallOptions result;
  if (PyObject* given = option(options, "out_of_range"))
    result.out_of_range = out_of_range_of(given);
  if (PyObject* given = option(options, "negative")) result.negative = negative_of(given);
  if (PyObject* given = option(options, "padding_index"))
    result.padding_index = integer_of(given, "padding_index");
  if (PyObject* given = option(options, "strict")) result.strict = truth_of(given);
  if (PyObject* given = option(options, "duplicates")) result.duplicates = duplicates_of(given);
  if (PyObject* given = option(options, "kernels")) result.kernels = text_of(given, "kernels");
  return result;
}

}  // namespace windrow::python
