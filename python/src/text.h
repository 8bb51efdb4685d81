#ifndef WINDROW_PYTHON_TEXT_H_
#define WINDROW_PYTHON_TEXT_H_

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

// Conversions between the library's text, which may hold any bytes (names and strings come from
// files), and Python's, which is Unicode.
namespace windrow::python {

// The text as a str. Bytes that are not UTF-8 become lone surrogates, as in Python's file names, so
// that bytes_of() restores them. Throws a Python error if memory runs out.
nanobind::object text_from(std::string_view bytes);

// The text for messages: bytes that are not UTF-8 are escaped, as in "\xff".
nanobind::object shown_text_from(std::string_view bytes);

// The bytes of a str that text_from() may have made. Throws windrow::Error (kInvalidArgument) for
// objects that are not a str and for other lone surrogates; `name` is the parameter's name for the
// message.
std::string bytes_of(PyObject* text, const char* name);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_TEXT_H_
