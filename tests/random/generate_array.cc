#include <algorithm>
#include <string>

#include "tests/random/call_plan.h"

namespace windrow::tests {
namespace {

constexpr const char* kReductions[] = {"sum", "prod", "min", "max", "mean"};

// An index input; unsigned ones count from the front.
InputPlan indices_plan(Rng& rng, const OperatorInfo& info, const Shape& shape, IndexRule rule) {
  InputPlan plan{random_dtype(rng, info, 1), shape, std::move(rule)};
  if (dtype_kind(plan.dtype) == DTypeKind::kUnsigned) plan.indices->negatives = false;
  return plan;
}

void add_axis(Rng& rng, int axis, int rank, std::int64_t by_default, Attributes& attributes) {
  const bool is_default = axis == by_default || axis - rank == by_default;
  if (!is_default || rng.chance(50)) attributes["axis"] = random_axis_form(rng, axis, rank);
}

void add_array_reduction(Rng& rng, Attributes& attributes) {
  if (rng.chance(85)) attributes["reduction"] = std::string(rng.pick(kReductions));
}

CallPlan generate_take(Rng& rng, const OperatorInfo& info) {
  CallPlan plan = generate_gather(rng, info);
  InputPlan& indices = plan.inputs[1];
  indices = indices_plan(rng, info, indices.shape, *indices.indices);
  return plan;
}

// Data and indices that broadcast, and what they address.
struct BroadcastShapes {
  Shape data;
  Shape indices;
  Shape addressed;
  int axis = 0;
};

BroadcastShapes random_broadcast_shapes(Rng& rng) {
  const ElementShapes shapes = random_element_shapes(rng);
  BroadcastShapes result{shapes.data, shapes.data, shapes.data, shapes.axis};
  result.indices[result.axis] = shapes.indices[result.axis];
  result.addressed[result.axis] = shapes.indices[result.axis];
  for (int d = 0; d < result.data.rank(); ++d)
    if (d != result.axis && rng.chance(25)) (rng.chance(50) ? result.data : result.indices)[d] = 1;
  return result;
}

// A shape that broadcasts to `shape`.
Shape random_values_shape(Rng& rng, const Shape& shape) {
  Shape values;
  values.append(shape, rng.chance(25) ? rng.small(0, shape.rank()) : 0, shape.rank());
  for (std::int64_t& extent : values)
    if (rng.chance(15)) extent = 1;
  if (!rng.chance(10) || values.rank() + 2 > kMaxRank) return values;
  Shape longer = Shape::filled(rng.small(1, 2), 1);
  longer.append(values, 0, values.rank());
  return longer;
}

CallPlan generate_along_axis(Rng& rng, const OperatorInfo& info) {
  const BroadcastShapes shapes = random_broadcast_shapes(rng);
  const DType type = random_dtype(rng, info, 0);
  IndexRule rule{{shapes.data[shapes.axis]}};
  if (info.scatter && rng.chance(30)) rule.spread = rng.between(1, 3);
  CallPlan plan;
  add_axis(rng, shapes.axis, shapes.data.rank(), -1, plan.attributes);
  plan.inputs.push_back({type, shapes.data, {}});
  plan.inputs.push_back(indices_plan(rng, info, shapes.indices, rule));
  if (info.scatter) plan.inputs.push_back({type, random_values_shape(rng, shapes.addressed), {}});
  return plan;
}

CallPlan generate_rows(Rng& rng, const OperatorInfo& info) {
  const ElementShapes shapes = random_element_shapes(rng);
  const DType type = random_dtype(rng, info, 0);
  Shape updates = shapes.data;
  updates[shapes.axis] = shapes.indices[shapes.axis];
  IndexRule rule{{shapes.data[shapes.axis]}};
  if (rng.chance(30)) rule.spread = rng.between(1, 3);
  CallPlan plan;
  add_axis(rng, shapes.axis, shapes.data.rank(), 0, plan.attributes);
  if (has_attribute(info, "reduction")) add_array_reduction(rng, plan.attributes);
  if (has_attribute(info, "use_init_val") && rng.chance(60))
    plan.attributes["use_init_val"] = rng.chance(30);
  plan.inputs.push_back({type, shapes.data, {}});
  plan.inputs.push_back(indices_plan(rng, info, {updates[shapes.axis]}, rule));
  plan.inputs.push_back({type, updates, {}});
  return plan;
}

}  // namespace

CallPlan generate_segments(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const Shape data = random_shape(rng, random_rank(rng, 1, kMaxRank), scale);
  const std::int64_t segments = rng.chance(50) ? rng.between(1, 4) : rng.between(0, data[0] + 3);
  IndexRule rule{{segments}, false};
  rule.ascending = !rng.chance(4);
  CallPlan plan;
  plan.inputs.push_back({random_dtype(rng, info, 0), data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), {data[0]}, rule});
  return plan;
}

// Offsets of bags of that many samples: most begin with 0 and ascend.
InputPlan random_offsets(Rng& rng, DType dtype, std::int64_t samples) {
  const std::int64_t count = rng.chance(50) ? rng.between(1, 4) : rng.between(0, samples + 3);
  InputPlan plan{dtype, {count}, {}};
  for (std::int64_t bag = 0; bag < count; ++bag) {
    const std::int64_t low = rng.chance(1) ? -2 : 0;
    const std::int64_t high = samples + (rng.chance(1) ? 2 : 0);
    plan.vector.push_back(rng.between(low, high));
  }
  if (!rng.chance(4)) std::sort(plan.vector.begin(), plan.vector.end());
  if (count > 0 && !rng.chance(4)) plan.vector.front() = 0;
  return plan;
}

// Replaces the ids of segments by offsets.
void put_offsets(Rng& rng, const OperatorInfo& info, CallPlan& plan) {
  plan.inputs[1] = {};
  plan.inputs.push_back(random_offsets(rng, random_dtype(rng, info, 2), plan.inputs[0].shape[0]));
  plan.attributes["num_segments"] =
      std::max<std::int64_t>(plan.inputs[2].shape[0] - (rng.chance(30) ? 1 : 0), 0);
}

bool fits_float32(DType dtype) {
  return dtype_kind(dtype) == DTypeKind::kFloat && dtype != DType::kFloat64;
}

// What EmbeddingBag has behind ids: offsets of ids of rank 1, and weights of a sum.
void add_bag_inputs(Rng& rng, const OperatorInfo& info, CallPlan& plan) {
  const Shape ids = plan.inputs[1].shape;
  if (ids.rank() == 2) {
    plan.inputs.push_back(InputPlan{});
  } else {
    plan.inputs.push_back(random_offsets(rng, random_dtype(rng, info, 2), ids[0]));
    if (rng.chance(30)) plan.attributes["include_last_offset"] = true;
  }
  const bool sums = plan.attributes["reduction"] == AttributeValue(std::string("sum"));
  plan.inputs.push_back(sums && rng.chance(50) ? InputPlan{plan.inputs[0].dtype, ids, {}}
                                               : InputPlan{});
}

CallPlan generate_bag(Rng& rng, const OperatorInfo& info) {
  constexpr const char* kPoolings[] = {"sum", "sum", "mean", "max"};
  const Scale scale = random_scale(rng);
  const Shape table = random_shape(rng, random_rank(rng, 1, kMaxRank), scale);
  std::int64_t row = 1;
  for (int axis = 1; axis < table.rank(); ++axis) row *= std::max<std::int64_t>(table[axis], 1);
  const Scale rest{std::max<std::int64_t>(scale.elements * 4 / row, 1), scale.long_extent};
  CallPlan plan;
  plan.attributes["reduction"] = std::string(rng.pick(kPoolings));
  const DType type = random_dtype(rng, info, 0);
  if (rng.chance(fits_float32(type) ? 50 : 2))
    plan.attributes["accumulate"] = std::string("float32");
  plan.inputs.push_back({type, table, {}});
  const Shape ids = random_shape(rng, rng.chance(50) ? 2 : 1, rest);
  plan.inputs.push_back(indices_plan(rng, info, ids, IndexRule{{table[0]}}));
  add_bag_inputs(rng, info, plan);
  return plan;
}

CallPlan generate_array_call(Rng& rng, const OperatorInfo& info) {
  if (info.name == "EmbeddingBag") return generate_bag(rng, info);
  if (info.name == "Take") return generate_take(rng, info);
  if (info.name == "TakeQuantized") return generate_quantised(rng, info);
  if (info.name == "SegmentReduce") {
    CallPlan plan = generate_segments(rng, info);
    plan.attributes["num_segments"] = plan.inputs[1].indices->extents.front();
    add_array_reduction(rng, plan.attributes);
    if (rng.chance(40)) put_offsets(rng, info, plan);
    return plan;
  }
  if (info.name == "IndexAdd" || info.name == "IndexReduce") return generate_rows(rng, info);
  return generate_along_axis(rng, info);
}

}  // namespace windrow::tests
