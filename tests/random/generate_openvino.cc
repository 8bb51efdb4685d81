#include <algorithm>
#include <utility>

#include "tests/random/call_plan.h"

namespace windrow::tests {
namespace {

constexpr const char* kElementReductions[] = {"none", "sum", "prod", "min", "max", "mean"};
constexpr const char* kTupleReductions[] = {"none", "sum", "sub", "prod", "min", "max"};

// An axis input: of a type that can hold it, a scalar or one element.
InputPlan random_axis_input(Rng& rng, const OperatorInfo& info, int axis, int rank) {
  const std::size_t input = info.inputs.size() - 1;
  InputPlan plan;
  plan.dtype = random_dtype(rng, info, input);
  const bool is_signed = dtype_kind(plan.dtype) == DTypeKind::kSigned;
  if (rank > 7 && is_packed(plan.dtype)) plan.dtype = is_signed ? DType::kInt8 : DType::kUint8;
  plan.value = is_signed && rng.chance(50) ? axis - rank : axis;
  if (rng.chance(50)) plan.shape = {1};
  return plan;
}

// Extents that data and indices share in front, some of them 1 on one side where `broadcasts`.
void broadcast_batch(Rng& rng, int batch, Shape& data, Shape& indices) {
  for (int d = 0; d < batch; ++d) {
    if (!rng.chance(30)) continue;
    (rng.chance(50) ? data : indices)[d] = 1;
  }
}

std::int64_t count_of(const Shape& shape) {
  return std::max<std::int64_t>(element_count(shape).value_or(1), 1);
}

Shape part(const Shape& shape, int from, int to) {
  Shape result;
  result.append(shape, from, to);
  return result;
}

CallPlan generate_slices(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 1, kMaxRank);
  const Shape data = random_shape(rng, rank, scale);
  const int axis = rng.small(0, rank - 1);
  const bool batched = has_attribute(info, "batch_dims") && rng.chance(50);
  const int batch = batched ? rng.small(0, axis) : 0;
  Shape indices = part(data, 0, batch);
  const std::int64_t row = count_of(part(data, 0, axis)) * count_of(part(data, axis + 1, rank));
  const Scale rest{std::max<std::int64_t>(scale.elements * 4 / row, 1), scale.long_extent};
  const int most = std::min(kMaxRank - batch, kMaxRank + 1 - rank);
  const Shape own = random_shape(rng, random_rank(rng, 0, most), rest);
  indices.append(own, 0, own.rank());
  CallPlan plan;
  if (batch != 0) {
    const bool from_end = indices.rank() <= rank && batch < indices.rank() && rng.chance(40);
    plan.attributes["batch_dims"] = std::int64_t{from_end ? batch - indices.rank() : batch};
  }
  const DType type = random_dtype(rng, info, 0);
  IndexRule rule{{data[axis]}, info.name == "Gather"};
  plan.inputs.push_back({type, data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), indices, rule});
  if (info.scatter) {
    Shape updates = part(data, 0, axis);
    updates.append(indices, 0, indices.rank());
    updates.append(data, axis + 1, rank);
    plan.inputs.push_back({type, updates, {}});
  }
  plan.inputs.push_back(random_axis_input(rng, info, axis, rank));
  return plan;
}

CallPlan generate_gather_elements_6(Rng& rng, const OperatorInfo& info) {
  ElementShapes shapes = random_element_shapes(rng);
  const std::int64_t length = shapes.indices[shapes.axis];
  shapes.indices = shapes.data;
  shapes.indices[shapes.axis] = length;
  CallPlan plan;
  plan.attributes["axis"] = random_axis_form(rng, shapes.axis, shapes.data.rank());
  plan.inputs.push_back({random_dtype(rng, info, 0), shapes.data, {}});
  plan.inputs.push_back(
      {random_dtype(rng, info, 1), shapes.indices, IndexRule{{shapes.data[shapes.axis]}}});
  return plan;
}

CallPlan generate_elements_update(Rng& rng, const OperatorInfo& info) {
  const ElementShapes shapes = random_element_shapes(rng);
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  if (has_attribute(info, "reduction") && rng.chance(85))
    plan.attributes["reduction"] = std::string(rng.pick(kElementReductions));
  if (has_attribute(info, "use_init_val") && rng.chance(60))
    plan.attributes["use_init_val"] = rng.chance(30);
  IndexRule rule{{shapes.data[shapes.axis]}};
  if (rng.chance(40)) rule.spread = rng.between(1, 3);
  plan.inputs.push_back({type, shapes.data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), shapes.indices, rule});
  plan.inputs.push_back({type, shapes.indices, {}});
  plan.inputs.push_back(random_axis_input(rng, info, shapes.axis, shapes.data.rank()));
  return plan;
}

CallPlan generate_batched_tuples(Rng& rng, const OperatorInfo& info) {
  CallPlan plan = generate_gather_nd(rng, info);
  const auto batch = plan.attributes.find("batch_dims");
  if (info.since_version >= 8 && batch != plan.attributes.end())
    broadcast_batch(rng, static_cast<int>(std::get<std::int64_t>(batch->second)),
                    plan.inputs[0].shape, plan.inputs[1].shape);
  return plan;
}

CallPlan generate_tuple_update(Rng& rng, const OperatorInfo& info) {
  CallPlan plan = generate_scatter_nd(rng, info);
  plan.attributes.erase("reduction");
  if (has_attribute(info, "reduction") && rng.chance(85))
    plan.attributes["reduction"] = std::string(rng.pick(kTupleReductions));
  Shape& updates = plan.inputs[2].shape;
  if (updates.empty() && rng.chance(50))
    updates = Dims::filled(rng.small(1, 3), 1);  // one update of any rank
  return plan;
}

InputPlan absent_input() { return {}; }

// A scalar of an index type.
InputPlan scalar(DType type, std::int64_t value) { return {type, {}, {}, value}; }

// What EmbeddingBagOffsetsSum, EmbeddingSegmentsSum and their newer forms have behind indices.
void add_bounds(Rng& rng, const OperatorInfo& info, DType index, std::int64_t samples,
                CallPlan& plan) {
  const bool segments = info.name == "EmbeddingSegmentsSum";
  const std::int64_t bags = rng.chance(50) ? rng.between(1, 4) : rng.between(0, samples + 3);
  IndexRule rule{{segments ? bags : samples + 1}, false};
  rule.ascending = !rng.chance(4);
  plan.inputs.push_back({index, {segments ? samples : bags}, rule});
  if (segments) plan.inputs.push_back(scalar(index, bags));
  const std::int64_t rows = plan.inputs[0].shape[0];
  const bool has_default = rng.chance(50);
  plan.inputs.push_back(has_default
                            ? scalar(index, rng.between(rng.chance(5) ? -2 : -1,
                                                        std::max<std::int64_t>(rows - 1, -1)))
                            : absent_input());
}

CallPlan generate_bags(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const Shape table = random_shape(rng, random_rank(rng, 1, kMaxRank), scale);
  const std::int64_t row = count_of(part(table, 1, table.rank()));
  const Scale rest{std::max<std::int64_t>(scale.elements * 4 / row, 1), scale.long_extent};
  const bool packed = info.name.starts_with("EmbeddingBagPacked");
  const Shape indices = random_shape(rng, packed ? 2 : 1, rest);
  CallPlan plan;
  const bool mean = has_attribute(info, "reduction") && rng.chance(50);
  if (has_attribute(info, "reduction") && (mean || rng.chance(50)))
    plan.attributes["reduction"] = std::string(mean ? "mean" : "sum");
  const DType type = random_dtype(rng, info, 0);
  const DType index = random_dtype(rng, info, 1);
  plan.inputs.push_back({type, table, {}});
  plan.inputs.push_back({index, indices, IndexRule{{table[0]}, false}});
  if (!packed) add_bounds(rng, info, index, indices[0], plan);
  plan.inputs.push_back(mean || rng.chance(40) ? absent_input() : InputPlan{type, indices, {}});
  return plan;
}

CallPlan generate_tree(Rng& rng, const OperatorInfo& info) {
  const Shape shape = random_shape(rng, 3, random_scale(rng));
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  plan.inputs.push_back({type, shape, IndexRule{{9}, false}});
  plan.inputs.push_back({type, shape, IndexRule{{shape[2]}, false}});
  plan.inputs.push_back({type, {shape[1]}, IndexRule{{shape[0] + 2}, false}});
  plan.inputs.push_back(scalar(type, rng.between(0, 9)));
  return plan;
}

CallPlan generate_segment_max(Rng& rng, const OperatorInfo& info) {
  CallPlan plan = generate_segments(rng, info);
  InputPlan count;
  count.dtype = random_dtype(rng, info, 2);
  count.value = plan.inputs[1].indices->extents.front();
  plan.inputs.push_back(count);
  plan.attributes["fill_mode"] = std::string(rng.chance(50) ? "ZERO" : "LOWEST");
  return plan;
}

// What a slice's bounds and steps may be in an integer type.
struct Limits {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

Limits limits_of(DType type) {
  const bool is_signed = dtype_kind(type) == DTypeKind::kSigned;
  const int bits = std::min(dtype_bits(type) - (is_signed ? 1 : 0), 63);
  const auto high = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  return {is_signed ? -high - 1 : 0, high};
}

std::int64_t near(Rng& rng, const Limits& limits, std::int64_t reach) {
  if (rng.chance(8)) return rng.chance(50) ? limits.low : limits.high;
  return rng.between(std::max(-reach, limits.low), std::min(reach, limits.high));
}

// The number of positions in slice(start, stop, step), counted by Python's rules.
std::int64_t slice_length(std::int64_t extent, std::int64_t start, std::int64_t stop,
                          std::int64_t step) {
  const std::int64_t first = step < 0 ? -1 : 0;
  const std::int64_t last = step < 0 ? extent - 1 : extent;
  const auto placed = [&](std::int64_t bound) {
    return std::clamp(bound < 0 ? bound + extent : bound, first, last);
  };
  const std::int64_t span = step < 0 ? placed(start) - placed(stop) : placed(stop) - placed(start);
  std::int64_t length = 0;
  for (std::int64_t left = span; left > 0;) {
    ++length;
    const bool ends = step < 0 ? step <= -left : step >= left;
    left = ends ? 0 : left - (step < 0 ? -step : step);
  }
  return length;
}

CallPlan generate_slice_scatter(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const Shape data = random_shape(rng, random_rank(rng, 1, kMaxRank), scale);
  std::vector<InputPlan> vectors(4);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i].dtype = random_dtype(rng, info, 2 + i);
  std::vector<std::int64_t> order;
  for (int axis = 0; axis < data.rank(); ++axis) order.push_back(axis);
  const bool has_axes = rng.chance(60);
  if (has_axes) rng.shuffle(order);
  Shape updates = data;
  const int count = rng.small(0, data.rank());
  for (int i = 0; i < count; ++i) {
    const auto axis = static_cast<int>(order[static_cast<std::size_t>(i)]);
    const std::int64_t extent = data[axis];
    // The start and the stop, then the step and the axis.
    std::int64_t numbers[4] = {near(rng, limits_of(vectors[0].dtype), extent + 2),
                               near(rng, limits_of(vectors[1].dtype), extent + 2),
                               near(rng, limits_of(vectors[2].dtype), 4), axis};
    if (numbers[2] == 0 && !rng.chance(5)) numbers[2] = 1;
    const bool is_empty =
        numbers[2] != 0 && slice_length(extent, numbers[0], numbers[1], numbers[2]) == 0;
    if (is_empty && vectors[0].dtype == vectors[1].dtype && !rng.chance(20))
      std::swap(numbers[0], numbers[1]);
    const Limits of_axes = limits_of(vectors[3].dtype);
    if (axis > of_axes.high) vectors[3].dtype = DType::kInt32;
    if (limits_of(vectors[3].dtype).low <= axis - data.rank() && of_axes.low < 0 && rng.chance(50))
      numbers[3] = axis - data.rank();
    updates[axis] = slice_length(extent, numbers[0], numbers[1], numbers[2] == 0 ? 1 : numbers[2]);
    for (std::size_t v = 0; v < vectors.size(); ++v) vectors[v].vector.push_back(numbers[v]);
  }
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan{{}, {{type, data, {}}, {type, updates, {}}}};
  for (InputPlan& vector : vectors) vector.shape = {count};
  if (!has_axes) vectors[3] = absent_input();
  plan.inputs.insert(plan.inputs.end(), vectors.begin(), vectors.end());
  return plan;
}

}  // namespace

CallPlan generate_openvino_call(Rng& rng, const OperatorInfo& info) {
  if (info.name == "Gather" || info.name == "ScatterUpdate") return generate_slices(rng, info);
  if (info.name == "GatherElements") return generate_gather_elements_6(rng, info);
  if (info.name == "GatherND") return generate_batched_tuples(rng, info);
  if (info.name == "ScatterElementsUpdate") return generate_elements_update(rng, info);
  if (info.name == "OneHot") return generate_one_hot(rng, info);
  if (info.name == "GatherTree") return generate_tree(rng, info);
  if (info.name.starts_with("Embedding")) return generate_bags(rng, info);
  if (info.name == "SegmentMax") return generate_segment_max(rng, info);
  if (info.name == "SliceScatter") return generate_slice_scatter(rng, info);
  return generate_tuple_update(rng, info);
}

}  // namespace windrow::tests
