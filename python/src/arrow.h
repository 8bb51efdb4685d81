#ifndef WINDROW_PYTHON_ARROW_H_
#define WINDROW_PYTHON_ARROW_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds look-ups on Arrow columns, for windrow.arrow: arrow_read, arrow_take, arrow_scatter.
void bind_arrow(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_ARROW_H_
