#ifndef WINDROW_PYTHON_PLAN_FIELDS_H_
#define WINDROW_PYTHON_PLAN_FIELDS_H_

#include <nanobind/nanobind.h>

#include "windrow/plan_description.h"

namespace windrow::python {

// A plan's description as a dict: numbers, flags, texts, None for what is absent, tuples of
// extents, lists of dicts of index axes.
nanobind::dict description_to_python(const PlanDescription& plan);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PLAN_FIELDS_H_
