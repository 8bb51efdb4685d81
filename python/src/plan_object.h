#ifndef WINDROW_PYTHON_PLAN_OBJECT_H_
#define WINDROW_PYTHON_PLAN_OBJECT_H_

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "python/src/run_arrays.h"

namespace windrow::python {

// The Python type windrow.Plan.
void bind_plans(nanobind::module_& module);

// An input that a plan was compiled for.
struct PlanInput {
  std::string name;
  DType dtype = DType::kAbsent;  // kAbsent: left out
};

// A windrow.Plan. A run takes `threads` threads where it does not say another number. A new
// reference, or null with a Python error.
PyObject* new_plan(const RunnablePlan& plan, std::vector<PlanInput> inputs, int threads);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PLAN_OBJECT_H_
