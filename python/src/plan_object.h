#ifndef WINDROW_PYTHON_PLAN_OBJECT_H_
#define WINDROW_PYTHON_PLAN_OBJECT_H_

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "python/src/models.h"
#include "python/src/run_arrays.h"
#include "windrow/operators.h"
#include "windrow/plan_description.h"

namespace windrow::python {

// A plan's description as a dict: numbers, flags, texts, None for what is absent, tuples of
// extents, lists of dicts of index axes.
nanobind::object description_to_python(const PlanDescription& plan);

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

// Runs a windrow.Plan on a table on disk. `inputs`: a tuple in the operator's order, with None for
// the data. Returns a new reference: `out`, or a new array if that is None. Throws windrow::Error
// or a Python error.
PyObject* run_plan_on(const Table& table, PyObject* plan, PyObject* inputs, PyObject* out);

// Throws the Python exception for bad indices of a call with this plan and these inputs.
[[noreturn]] void throw_with_source(const Status& failure, const RunnablePlan& plan,
                                    const InputArrays& inputs, PlanSource source);

// Runs the plan of a call as run_arrays() does. An error for bad indices can list all of them; it
// is given the source of the plan that `source_of` returns.
template <class SourceOf>
PyObject* run_call(const RunnablePlan& plan, const InputArrays& inputs, PyObject* out, int threads,
                   const SourceOf& source_of) {
  try {
    return run_arrays(plan, inputs, out, threads);
  } catch (const Error& error) {
    if (error.status().index_fault() == nullptr) throw;
    throw_with_source(error.status(), plan, inputs, source_of());
  }
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PLAN_OBJECT_H_
