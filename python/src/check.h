#ifndef WINDROW_PYTHON_CHECK_H_
#define WINDROW_PYTHON_CHECK_H_

#include <nanobind/nanobind.h>

#include "windrow/check.h"

namespace windrow::python {

// A report from the dict that _core.check() gives, or one like it. Throws windrow::Error
// (kInvalidArgument), or a Python error (a member that is missing).
CheckReport report_from_python(const nanobind::handle& report);

// The check of portability and its rules, as windrow/_check.py wraps them.
void bind_check(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_CHECK_H_
