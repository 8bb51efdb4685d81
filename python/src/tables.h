#ifndef WINDROW_PYTHON_TABLES_H_
#define WINDROW_PYTHON_TABLES_H_

#include <nanobind/nanobind.h>

#include <optional>

#include "windrow/attributes.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::python {

// Binds the operator table, the kernel sets and the versions, as plain Python values.
void bind_tables(nanobind::module_& module);

// An attribute's value: int, float, str, bool, a list of one of them, or an array.
nanobind::object to_python(const AttributeValue& value);

// Converts between the library's element types and those of the buffer protocol and DLPack.

// The type that a format of the buffer protocol names. The format must be that of one element in
// this machine's byte order; returns nothing for any other format.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t element_bytes) noexcept;

// The type that DLPack's code and bits name. Returns nothing for types that the library does not
// have.
std::optional<DType> dtype_of_dlpack(int code, int bits, int lanes) noexcept;

// The error for an array with more axes than a tensor can have.
Error too_many_axes(const char* name, int rank);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_TABLES_H_
