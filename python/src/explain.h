#ifndef WINDROW_PYTHON_EXPLAIN_H_
#define WINDROW_PYTHON_EXPLAIN_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Explanations of calls, as windrow/_explain.py wraps them.
void bind_explain(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_EXPLAIN_H_
