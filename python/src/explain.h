#ifndef WINDROW_PYTHON_EXPLAIN_H_
#define WINDROW_PYTHON_EXPLAIN_H_

#include <nanobind/nanobind.h>

#include <vector>

#include "windrow/explain_fields.h"

namespace windrow::python {

// The results of one call of windrow.explain().
struct ExplainedCall {
  Explanation explanation;
  Explanation corner;  // holds the points of a picture
  std::vector<Comparison> comparisons;
};

template <class Visit>
void visit_fields(const ExplainedCall& call, Visit&& visit) {
  visit_fields(call.explanation, visit);
  visit("comparisons", call.comparisons);
}

// Explanations of calls, as windrow/_explain/api.py wraps them, and calls for the playground's
// page, as windrow/_explain/playground.py does.
void bind_explain(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_EXPLAIN_H_
