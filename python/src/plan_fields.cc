#include "python/src/plan_fields.h"

#include "python/src/fields.h"

namespace windrow::python {

nanobind::dict description_to_python(const PlanDescription& plan) { return fields_to_python(plan); }

}  // namespace windrow::python
