#ifndef WINDROW_PYTHON_RANGES_H_
#define WINDROW_PYTHON_RANGES_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds find_ranges(), whose results the package's tests compare with the values of runs.
void bind_ranges(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_RANGES_H_
