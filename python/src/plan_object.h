#ifndef WINDROW_PYTHON_PLAN_OBJECT_H_
#define WINDROW_PYTHON_PLAN_OBJECT_H_

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "python/src/run_arrays.h"
#include "windrow/operators.h"

namespace windrow::python {

// The Python type windrow.Plan.
void bind_plans(nanobind::module_& module);

// An input for which a plan was compiled.
struct PlanInput {
  std::string name;
  TensorSpec spec;  // kAbsent: left out
};

// The source of a plan, from which it can be compiled again.
struct PlanSource {
  OperatorId id;
  Attributes attributes;
  CallOptions options;
  std::vector<PlanInput> inputs;
  std::optional<int> threads;  // absent: all that the process may use
};

// A windrow.Plan. Its runs use `threads` threads unless they give another number. Returns a new
// reference, or null with a Python error.
PyObject* new_plan(const RunnablePlan& plan, PlanSource source, int threads);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PLAN_OBJECT_H_
