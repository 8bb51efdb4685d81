#include <algorithm>

#include "tests/random/call_plan.h"

namespace windrow::tests {
namespace {

// The plan of an ONNX generator with its axis counted from the front, as the layers take it.
void set_layer_axis(CallPlan& plan) {
  const auto axis = plan.attributes.find("axis");
  if (axis == plan.attributes.end()) return;
  std::int64_t& value = std::get<std::int64_t>(axis->second);
  if (value < 0) value += plan.inputs[0].shape.rank();
}

// Mode DEFAULT with one elementwise dim: a leading axis that data and indices share, now and then
// of extent 1 on one side.
CallPlan generate_elementwise_slices(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const int rank = random_rank(rng, 2, kMaxRank);
  Shape data = random_shape(rng, rank, scale);
  const int axis = rng.small(1, rank - 1);
  Shape indices{data[0]};
  const std::int64_t row = std::max<std::int64_t>(element_count(data).value_or(1), 1);
  const Shape own = random_shape(rng, random_rank(rng, 0, kMaxRank + 1 - rank),
                                 {std::max<std::int64_t>(scale.elements * 4 / row, 1), 40});
  indices.append(own, 0, std::min(own.rank(), kMaxRank - 1));
  if (rng.chance(40)) (rng.chance(50) ? data : indices)[0] = 1;
  CallPlan plan;
  plan.attributes["axis"] = std::int64_t{axis};
  plan.attributes["num_elementwise_dims"] = std::int64_t{1};
  plan.inputs.push_back({random_dtype(rng, info, 0), data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), indices, IndexRule{{data[axis]}}});
  return plan;
}

CallPlan generate_layer_gather(Rng& rng, const OperatorInfo& info) {
  CallPlan plan;
  switch (rng.small(0, 3)) {
    case 0:
      plan = generate_gather_elements(rng, info);
      plan.attributes["mode"] = std::string("ELEMENT");
      break;
    case 1: {
      plan = generate_gather_nd(rng, info);
      plan.attributes["mode"] = std::string("ND");
      break;
    }
    case 2:
      return generate_elementwise_slices(rng, info);
    default:
      plan = generate_gather(rng, info);
      if (rng.chance(50)) plan.attributes["mode"] = std::string("DEFAULT");
  }
  set_layer_axis(plan);
  return plan;
}

CallPlan generate_layer_scatter(Rng& rng, const OperatorInfo& info) {
  const bool tuples = rng.chance(50);
  CallPlan plan = tuples ? generate_scatter_nd(rng, info) : generate_scatter_elements(rng, info);
  plan.attributes["mode"] = std::string(tuples ? "ND" : "ELEMENT");
  set_layer_axis(plan);
  return plan;
}

CallPlan generate_kv_cache_update(Rng& rng, const OperatorInfo& info) {
  const Shape cache{rng.between(0, 3), rng.between(0, 3), rng.between(0, 9), rng.between(0, 70)};
  Shape update = cache;
  update[2] = rng.between(0, cache[2] + 1);
  const DType type = random_dtype(rng, info, 0);
  CallPlan plan;
  plan.inputs.push_back({type, cache, {}});
  plan.inputs.push_back({type, update, {}});
  plan.inputs.push_back({random_dtype(rng, info, 2),
                         {cache[0]},
                         IndexRule{{std::max<std::int64_t>(cache[2] - update[2] + 1, 1)}, false}});
  return plan;
}

}  // namespace

CallPlan generate_one_hot(Rng& rng, const OperatorInfo& info) {
  const Scale scale = random_scale(rng);
  const Shape indices = random_shape(rng, random_rank(rng, 0, kMaxRank), scale);
  const int rank = indices.rank();
  const std::int64_t count = std::max<std::int64_t>(element_count(indices).value_or(1), 1);
  const std::int64_t depth =
      rng.between(0, std::clamp<std::int64_t>(scale.elements * 4 / count, 1, 100));
  CallPlan plan;
  const bool is_openvino = info.dialect == "openvino";
  if (is_openvino || rng.chance(70))
    plan.attributes["axis"] = random_axis_form(rng, rng.small(0, rank), rank + 1);
  const bool has_mode = has_attribute(info, "negative_indices_mode");
  const bool counts = !is_openvino || (has_mode && rng.chance(50));
  if (has_mode && (counts || rng.chance(50)))
    plan.attributes["negative_indices_mode"] =
        std::string(counts ? "normalize" : "ignore_negative");
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    const std::string& name = info.inputs[i].name;
    InputPlan input;
    input.dtype = random_dtype(rng, info, i);
    if (name == "indices") {
      input.shape = indices;
      input.indices = IndexRule{{depth}, counts};
    } else if (name == "values") {
      input.shape = {2};
    } else if (name == "off_value") {
      input.dtype = plan.inputs.back().dtype;
    } else if (name != "on_value") {
      input.value = depth;
      if (info.dialect == "onnx" && rng.chance(50)) input.shape = {1};
    }
    plan.inputs.push_back(input);
  }
  return plan;
}

CallPlan generate_tensorrt_call(Rng& rng, const OperatorInfo& info) {
  if (info.name == "Gather") return generate_layer_gather(rng, info);
  if (info.name == "Scatter") return generate_layer_scatter(rng, info);
  if (info.name == "OneHot") return generate_one_hot(rng, info);
  return generate_kv_cache_update(rng, info);
}

}  // namespace windrow::tests
