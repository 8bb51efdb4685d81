#include <algorithm>

#include "tests/random/call_plan.h"

namespace windrow::tests {
namespace {

// The number of index tuples that keeps the direct tensor at about the scale's size.
std::int64_t tuple_budget(const Scale& scale, const Shape& data, int first_tail_axis) {
  std::int64_t row = 1;
  for (int axis = first_tail_axis; axis < data.rank(); ++axis)
    row *= std::max<std::int64_t>(data[axis], 1);
  return std::max<std::int64_t>(scale.elements * 2 / row, 1);
}

// batch ++ random dimensions ++ [tuple], at most `high` dimensions.
Shape random_tuple_shape(Rng& rng, const Shape& batch, int tuple, std::int64_t budget, int high) {
  std::int64_t batches = 1;
  for (const std::int64_t extent : batch) batches *= std::max<std::int64_t>(extent, 1);
  const int middle = random_rank(rng, 0, std::max(0, std::min(high - batch.rank() - 1, 6)));
  Shape shape = batch;
  const Shape tuples =
      random_shape(rng, middle, {std::max<std::int64_t>(budget / batches, 1), 2000});
  shape.append(tuples, 0, tuples.rank());
  shape.push_back(tuple);
  return shape;
}

IndexRule tuple_rule(const Shape& data, int batch, int tuple) {
  IndexRule rule;
  for (int k = 0; k < tuple; ++k) rule.extents.push_back(data[batch + k]);
  return rule;
}

}  // namespace

CallPlan generate_gather_nd(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 1, kMaxRank);
  const Shape data = random_shape(rng, rank, scale);
  int batch = 0;
  const char* batch_name = info.dialect == "tensorrt" ? "num_elementwise_dims" : "batch_dims";
  if (has_attribute(info, batch_name) && rank > 1 && rng.chance(50)) batch = rng.small(0, rank - 1);
  const int tuple = rng.small(1, rank - batch);
  Shape batch_shape;
  batch_shape.append(data, 0, batch);
  // The result's rank is indices - 1 + rank - batch - tuple.
  const int high = std::min(kMaxRank, kMaxRank + 1 - rank + batch + tuple);
  CallPlan plan;
  if (batch != 0) plan.attributes[batch_name] = std::int64_t{batch};
  plan.inputs.push_back({random_dtype(rng, info, 0), data, {}});
  plan.inputs.push_back(
      {random_dtype(rng, info, 1),
       random_tuple_shape(rng, batch_shape, tuple, tuple_budget(scale, data, batch + tuple), high),
       tuple_rule(data, batch, tuple)});
  return plan;
}

CallPlan generate_scatter_nd(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 1, kMaxRank);
  const Shape data = random_shape(rng, rank, scale);
  const int tuple = rng.small(rng.chance(10) ? 0 : 1, rank);
  const int high = std::min(kMaxRank, kMaxRank + 1 - rank + tuple);
  const Shape indices = random_tuple_shape(rng, {}, tuple, tuple_budget(scale, data, tuple), high);
  Shape updates;
  updates.append(indices, 0, indices.rank() - 1);
  updates.append(data, tuple, rank);
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  add_reduction(rng, info, plan.attributes);
  IndexRule rule = tuple_rule(data, 0, tuple);
  if (rng.chance(30)) rule.spread = rng.between(1, 3);
  plan.inputs.push_back({type, data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), indices, rule});
  plan.inputs.push_back({type, updates, {}});
  return plan;
}

}  // namespace windrow::tests
