#include "src/reference/cache.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "src/base/checked.h"
#include "src/reference/loops.h"

namespace windrow::internal::reference {
namespace {

// The legal write indices of `seq` entries into `max`.
IndexRule write_index_rule(const Call& call, CacheMode mode, int axis, std::int64_t max,
                           std::int64_t seq) {
  IndexRule rule;
  rule.axis = axis;
  rule.extent = max;
  const OutOfRange policy = call.policy();
  const bool chooses = policy == OutOfRange::kClamp || policy == OutOfRange::kModulo;
  const bool linear = mode == CacheMode::kLinear;
  if ((policy == OutOfRange::kError && linear) || (chooses && max == 0 && seq > 0)) {
    rule.high = max - seq;
    return rule;
  }
  rule.high = std::numeric_limits<std::int64_t>::max();
  if (policy != OutOfRange::kError) rule.low = std::numeric_limits<std::int64_t>::min();
  return rule;
}

// The coordinate of entry `i` of an update that is written at `w`; nothing if it is dropped. max >
// 0, unless the policy is skip.
std::optional<std::int64_t> cache_coordinate(OutOfRange policy, CacheMode mode, std::int64_t w,
                                             std::int64_t i, std::int64_t max) {
  if (mode == CacheMode::kCircular || policy == OutOfRange::kModulo)
    return modulo(modulo(w, max) + i, max);
  const std::int64_t c = saturating_add(w, i);
  if (policy == OutOfRange::kClamp) return std::clamp<std::int64_t>(c, 0, max - 1);
  if (c < 0 || c >= max) return std::nullopt;
  return c;
}

}  // namespace

Status check_off_axis(const Call& call, std::string_view rule, std::string_view name, int axis) {
  const Shape& cache = call.inputs()[0].shape;
  const Shape& update = call.inputs()[1].shape;
  for (int d = 0; d < cache.rank(); ++d) {
    if (d == axis || update[d] == cache[d]) continue;
    return call.shape(rule, "update has shape " + to_string(update) + " and " + std::string(name) +
                                " has shape " + to_string(cache) + ": they differ in axis " +
                                std::to_string(d));
  }
  return {};
}

Status check_write_indices(const Call& call, std::string_view rule, const Shape& write_indices) {
  const Shape expected = slice(call.inputs()[0].shape, 0, 1);
  if (write_indices == expected) return {};
  return call.shape(rule, "write_indices has shape " + to_string(write_indices) +
                              ", must have shape " + to_string(expected));
}

Result<Tensor> write_cache(const Call& call, const IndexNames& names, CacheMode mode, int axis,
                           const TensorView& write_indices) {
  const TensorView& cache = call.inputs()[0];
  const TensorView& update = call.inputs()[1];
  const std::int64_t max = cache.shape[axis];
  if (!write_indices.is_absent()) {
    const IndexRule rule = write_index_rule(call, mode, axis, max, update.shape[axis]);
    if (Status status = check_indices(call, names, write_indices, rule); !status) return status;
  }
  return scatter(call, cache, update, "update", {},
                 [&](const Position& i) -> std::optional<Position> {
                   const std::int64_t w =
                       write_indices.is_absent() ? 0 : read_index(write_indices, Position{i[0]});
                   const auto c = cache_coordinate(call.policy(), mode, w, i[axis], max);
                   if (!c) return std::nullopt;
                   Position p = i;
                   p[axis] = *c;
                   return p;
                 });
}

}  // namespace windrow::internal::reference
