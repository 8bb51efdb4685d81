#ifndef WINDROW_PYTHON_CHECK_H_
#define WINDROW_PYTHON_CHECK_H_

#include <nanobind/nanobind.h>

#include "windrow/check.h"

namespace windrow::tool {
struct CheckedModel;
}

namespace windrow::python {

// Converts a CheckReport of Python. Throws windrow::Error (kInvalidArgument), or a Python error (a
// missing member).
tool::CheckedModel report_from_python(const nanobind::handle& report);

// The portability check and its rules, as windrow/_check/report.py wraps them.
void bind_check(nanobind::module_& module);

// Changes to models, and inputs that verify the changes, as windrow/_fixes/results.py wraps them.
void bind_fixes(nanobind::module_& module);

// Binds find_ranges(), whose results the package's tests compare with the values of runs.
void bind_ranges(nanobind::module_& module);

// Binds records(), which lists the fields of the dataclasses that structures become.
void bind_records(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_CHECK_H_
