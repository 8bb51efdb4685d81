#ifndef WINDROW_PYTHON_ELEMENT_TYPES_H_
#define WINDROW_PYTHON_ELEMENT_TYPES_H_

#include <nanobind/nanobind.h>

#include <optional>

#include "windrow/dtype.h"
#include "windrow/status.h"

// Between the library's element types and those of the buffer protocol and DLPack.
namespace windrow::python {

// The type that a format of the buffer protocol names (of one element, in this machine's byte
// order); nothing for any other format.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t element_bytes) noexcept;

// The type that DLPack's code and bits name; nothing for those that the library has not.
std::optional<DType> dtype_of_dlpack(int code, int bits, int lanes) noexcept;

// The error of an array with more axes than a tensor can have.
Error too_many_axes(const char* name, int rank);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_ELEMENT_TYPES_H_
