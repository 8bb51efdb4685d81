#ifndef WINDROW_PYTHON_TABLES_H_
#define WINDROW_PYTHON_TABLES_H_

#include <nanobind/nanobind.h>

#include "windrow/attributes.h"

namespace windrow::python {

// Binds the operator table, the kernel sets and the versions, as plain Python values.
void bind_tables(nanobind::module_& module);

// An attribute's value: int, float, str, bool, a list of one of them, or an array.
nanobind::object to_python(const AttributeValue& value);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_TABLES_H_
