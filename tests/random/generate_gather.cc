#include "tests/random/call_plan.h"

namespace windrow::tests {

CallPlan generate_gather(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 1, kMaxRank);
  const Shape data = random_shape(rng, rank, scale);
  const int axis = rng.small(0, rank - 1);
  // The result has both shapes in it: what the rows take, the indices can't.
  std::int64_t row = 1;
  for (int i = 0; i < rank; ++i) row *= i == axis ? 1 : std::max<std::int64_t>(data[i], 1);
  const Scale rest{std::max<std::int64_t>(scale.elements * 4 / row, 1), scale.long_extent};
  // The result's rank is rank + index_rank - 1: now and then one too many.
  const int most = std::min(kMaxRank, kMaxRank - rank + (rng.chance(5) ? 2 : 1));
  const Shape indices = random_shape(rng, random_rank(rng, 0, most), rest);
  CallPlan plan;
  if (axis != 0 || rng.chance(50)) plan.attributes["axis"] = random_axis_form(rng, axis, rank);
  plan.inputs.push_back({random_dtype(rng, info, 0), data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), indices, IndexRule{{data[axis]}}});
  return plan;
}

CallPlan generate_array_feature_extractor(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const Shape data = random_shape(rng, random_rank(rng, 1, kMaxRank), scale);
  Shape indices{rng.between(0, rng.chance(90) ? 12 : 600)};
  if (rng.chance(50)) indices = Shape{1, indices[0]};
  if (rng.chance(10)) indices = random_shape(rng, rng.small(0, 3), {12, 4});
  CallPlan plan;
  plan.inputs.push_back({random_dtype(rng, info, 0), data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), indices, IndexRule{{data.back()}, false}});
  return plan;
}

}  // namespace windrow::tests
