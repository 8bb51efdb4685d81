#include <algorithm>

#include "tests/random/call_plan.h"

namespace windrow::tests {
ElementShapes random_element_shapes(Rng& rng) {
  const Scale scale = random_scale(rng);
  ElementShapes shapes;
  const int rank = random_rank(rng, 1, kMaxRank);
  shapes.data = random_shape(rng, rank, scale);
  shapes.axis = rng.small(0, rank - 1);
  shapes.indices = random_subshape(rng, shapes.data);
  const std::int64_t extent = shapes.data[shapes.axis];
  if (rng.chance(40)) shapes.indices[shapes.axis] = rng.between(0, 2 * extent + 1);
  return shapes;
}

namespace {

void add_axis(Rng& rng, const ElementShapes& shapes, CallPlan& plan) {
  if (shapes.axis == 0 && rng.chance(50)) return;
  plan.attributes["axis"] = random_axis_form(rng, shapes.axis, shapes.data.rank());
}

}  // namespace

CallPlan generate_gather_elements(Rng& rng, const OperatorInfo& info) {
  const ElementShapes shapes = random_element_shapes(rng);
  CallPlan plan;
  add_axis(rng, shapes, plan);
  plan.inputs.push_back({random_dtype(rng, info, 0), shapes.data, {}});
  plan.inputs.push_back(
      {random_dtype(rng, info, 1), shapes.indices, IndexRule{{shapes.data[shapes.axis]}}});
  return plan;
}

CallPlan generate_scatter_elements(Rng& rng, const OperatorInfo& info) {
  const ElementShapes shapes = random_element_shapes(rng);
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  add_axis(rng, shapes, plan);
  add_reduction(rng, info, plan.attributes);
  IndexRule rule{{shapes.data[shapes.axis]}};
  if (rng.chance(30)) rule.spread = rng.between(1, 3);
  plan.inputs.push_back({type, shapes.data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), shapes.indices, rule});
  plan.inputs.push_back({type, shapes.indices, {}});
  return plan;
}

}  // namespace windrow::tests
