#include "src/reference/cache.h"

#include <algorithm>
#include <limits>
#include <optional>

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

Result<Tensor> write_cache(const Call& call, const IndexNames& names, CacheMode mode, int axis,
                           const TensorView& cache, const TensorView& update,
                           const TensorView& write_indices) {
  const std::int64_t max = cache.shape[axis];
  if (!write_indices.is_absent()) {
    const IndexRule rule = write_index_rule(call, mode, axis, max, update.shape[axis]);
    const Status status = check_indices(call, names, write_indices,
                                        [&](const Position&) -> const IndexRule& { return rule; });
    if (!status.ok()) return status;
  }
  const Address address = [&](const Position& i) -> std::optional<Position> {
    const std::int64_t w =
        write_indices.is_absent() ? 0 : read_index(write_indices, Position{i[0]});
    const auto c = cache_coordinate(call.policy(), mode, w, i[axis], max);
    if (!c) return std::nullopt;
    Position p = i;
    p[axis] = *c;
    return p;
  };
  return scatter(call, cache, update, "update", {}, address);
}

}  // namespace windrow::internal::reference
