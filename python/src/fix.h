#ifndef WINDROW_PYTHON_FIX_H_
#define WINDROW_PYTHON_FIX_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Changes to models, and inputs that verify the changes, as windrow/_check_fixes.py wraps them.
void bind_fixes(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FIX_H_
