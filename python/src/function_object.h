#ifndef WINDROW_PYTHON_FUNCTION_OBJECT_H_
#define WINDROW_PYTHON_FUNCTION_OBJECT_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// The Python type of an operator's function, and the module functions that make and compile such
// functions, for the package's own use.
void bind_functions(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FUNCTION_OBJECT_H_
