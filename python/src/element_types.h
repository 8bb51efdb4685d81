#ifndef WINDROW_PYTHON_ELEMENT_TYPES_H_
#define WINDROW_PYTHON_ELEMENT_TYPES_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

#include "windrow/dtype.h"

// Between the library's element types and those of the buffer protocol, DLPack and NumPy.
namespace windrow::python {

// The type that a format of the buffer protocol names (of one element, in this machine's byte
// order); nothing for any other format.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t element_bytes) noexcept;

// The type that DLPack's code and bits name; nothing for those that the library has not.
std::optional<DType> dtype_of_dlpack(int code, int bits, int lanes) noexcept;

// Whether NumPy itself has the type and gives it to the buffer protocol.
bool is_numpy_type(DType type) noexcept;

// numpy.empty(shape, dtype) of a type for which is_numpy_type() holds. A new reference, or null
// with a Python error.
PyObject* new_numpy_array(DType type, const std::int64_t* shape, int rank);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_ELEMENT_TYPES_H_
