#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "src/base/checked.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {
namespace {

// A3, C1, A1, C2, C3, C4.
Status check(const Call& call, const onnx::TensorScatter& op, const Shape& cache,
             const Shape& update, const TensorView& write_indices) {
  if (op.mode != "linear" && op.mode != "circular")
    return call.invalid("A3", "mode is '" + op.mode + "', must be linear or circular");
  const int r = cache.rank();
  if (r < 2 || update.rank() != r) {
    return call.shape("C1", "past_cache has rank " + std::to_string(r) + " and update has rank " +
                                std::to_string(update.rank()) + ", must be equal and at least 2");
  }
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "past_cache", r));
  if (*axis == 0)
    return call.invalid("A1", "axis is " + std::to_string(op.axis) + ", the batch axis");
  const std::string shapes = "update has shape " + to_string(update) +
                             " and past_cache has shape " + to_string(cache) + ": ";
  for (int d = 0; d < r; ++d) {
    if (d != *axis && update[d] != cache[d])
      return call.shape("C2", shapes + "they differ in axis " + std::to_string(d));
  }
  if (update[*axis] > cache[*axis])
    return call.shape("C3", shapes + "update is longer in axis " + std::to_string(*axis));
  if (!write_indices.is_absent() && write_indices.shape != Shape{cache[0]}) {
    return call.shape("C4", "write_indices has shape " + to_string(write_indices.shape) +
                                ", must have shape " + to_string(Shape{cache[0]}));
  }
  return {};
}

// The legal write indices.
IndexRule write_index_rule(const Call& call, bool circular, int axis, std::int64_t max,
                           std::int64_t seq) {
  IndexRule rule;
  rule.axis = axis;
  rule.extent = max;
  rule.high = std::numeric_limits<std::int64_t>::max();
  if (call.policy() != OutOfRange::kError) {
    rule.low = std::numeric_limits<std::int64_t>::min();
  } else if (!circular) {
    rule.high = max - seq;
  }
  return rule;
}

// The coordinate of entry `i` of an update that is written at `w`; nothing if it is dropped. max >
// 0.
std::optional<std::int64_t> cache_coordinate(OutOfRange policy, bool circular, std::int64_t w,
                                             std::int64_t i, std::int64_t max) {
  if (circular || policy == OutOfRange::kModulo) return modulo(modulo(w, max) + i, max);
  const std::int64_t c = saturating_add(w, i);
  if (policy == OutOfRange::kClamp) return std::clamp<std::int64_t>(c, 0, max - 1);
  if (c < 0 || c >= max) return std::nullopt;
  return c;
}

}  // namespace

Result<Tensor> run(const onnx::TensorScatter& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "TensorScatter", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& past_cache = inputs[0];
  const TensorView& update = inputs[1];
  const TensorView write_indices = inputs.size() > 2 ? inputs[2] : TensorView();
  Status status = check(call, op, past_cache.shape, update.shape, write_indices);
  if (!status.ok()) return status;
  const bool circular = op.mode == "circular";
  const int axis = *normal_axis(op.axis, past_cache.shape.rank());
  const std::int64_t max = past_cache.shape[axis];

  if (!write_indices.is_absent()) {
    const IndexRule rule = write_index_rule(call, circular, axis, max, update.shape[axis]);
    status = check_indices(call, {"C5", "write_indices", "past_cache"}, write_indices,
                           [&](const Position&) -> const IndexRule& { return rule; });
    if (!status.ok()) return status;
  }

  const Address address = [&](const Position& i) -> std::optional<Position> {
    const std::int64_t w =
        write_indices.is_absent() ? 0 : read_index(write_indices, Position{i[0]});
    const auto c = cache_coordinate(call.policy(), circular, w, i[axis], max);
    if (!c) return std::nullopt;
    Position p = i;
    p[axis] = *c;
    return p;
  };
  return scatter(call, past_cache, update, "update", {}, address);
}

}  // namespace windrow::internal::reference
