#include <algorithm>

#include "tests/random/call_plan.h"

namespace windrow::tests {

CallPlan generate_tensor_scatter(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 2, kMaxRank);
  const Shape cache = random_shape(rng, rank, scale);
  const int axis = rng.chance(50) && rank > 2 ? rank - 2 : rng.small(1, rank - 1);
  const std::int64_t length = rng.between(0, cache[axis]);
  Shape update = cache;
  update[axis] = length;
  const bool circular = rng.chance(50);
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  if (axis != rank - 2 || rng.chance(50))
    plan.attributes["axis"] = random_axis_form(rng, axis, rank);
  if (circular || rng.chance(50))
    plan.attributes["mode"] = std::string(circular ? "circular" : "linear");
  plan.inputs.push_back({type, cache, {}});
  plan.inputs.push_back({type, update, {}});
  if (rng.chance(80)) {
    // Linear: a write ends inside the cache. Circular: it may begin anywhere.
    const std::int64_t starts = circular ? 3 * cache[axis] + 1 : cache[axis] - length + 1;
    plan.inputs.push_back(
        {random_dtype(rng, info, 2), Shape{cache[0]}, IndexRule{{starts}, false}});
  } else if (rng.chance(50)) {
    plan.inputs.push_back({});
  }
  return plan;
}

}  // namespace windrow::tests
