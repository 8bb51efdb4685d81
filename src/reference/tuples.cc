#include "src/reference/tuples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "src/base/integers.h"
#include "src/reference/element.h"
#include "src/reference/loops.h"

namespace windrow::internal::reference {
namespace {

Status check_tuple_ranks(const Call& call) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (r >= 1 && q >= 1) return {};
  return call.shape("C1", "data has rank " + std::to_string(r) + " and indices have rank " +
                              std::to_string(q) + ", must both be at least 1");
}

Status check_length(const Call& call, std::string_view rule, int shortest, int longest) {
  const std::int64_t length = call.indices().shape.back();
  if (length >= shortest && length <= longest) return {};
  return call.shape(rule, "indices have " + std::to_string(length) +
                              " coordinates in the last axis, must be " + std::to_string(shortest) +
                              " to " + std::to_string(longest));
}

// The result's shape of a gather whose first `batch` axes are walked together, repeated where one
// side has extent 1.
Shape tuple_result_shape(const Shape& data, const Shape& indices, int batch) {
  return batch_shape(data, indices, batch) + slice(indices, batch, indices.rank() - 1) +
         tail(data, batch + static_cast<int>(indices.back()));
}

}  // namespace

Result<Shape> check_tuple_gather(const Call& call, const TupleGather& gather, std::int64_t batch) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  if (Status status = check_tuple_ranks(call); !status) return status;
  const int most = std::min(data.rank(), indices.rank()) - 1;
  const auto b = check_batch_count(call, gather.batch_count, batch, most);
  if (!b) return b.error();
  Status status = check_batches(call, gather.batches, *b);
  if (status) status = check_length(call, "C3", gather.shortest, data.rank() - *b);
  if (!status) return status;
  const auto length = static_cast<int>(indices.back());
  status = call.check_result_rank("C4", indices.rank() - 1 + data.rank() - *b - length);
  if (!status) return status;
  return tuple_result_shape(data, indices, *b);
}

Status check_tuple_scatter(const Call& call, int shortest) {
  if (Status status = check_tuple_ranks(call); !status) return status;
  return check_length(call, "C2", shortest, call.data().shape.rank());
}

std::optional<Shape> tuple_updates_shape(const Call& call) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  Shape expected = slice(indices, 0, indices.rank() - 1);
  if (!expected.append(data, static_cast<int>(indices.back()), data.rank())) return std::nullopt;
  return expected;
}

Status wrong_tuple_updates(const Call& call) {
  const Shape& indices = call.indices().shape;
  return call.shape("C3", "updates have shape " + to_string(call.updates().shape) +
                              ", must have shape indices[:-1] ++ data[" +
                              std::to_string(indices.back()) + ":] with indices of shape " +
                              to_string(indices) + " and data of shape " +
                              to_string(call.data().shape));
}

Tuples::Tuples(const Call& call, const IndexUse& use, int first)
    : rule_(use.rule), indices_(call.indices()) {
  const auto length = static_cast<int>(indices_.shape.back());
  rules_.reserve(static_cast<std::size_t>(length));
  for (int k = 0; k < length; ++k)
    rules_.push_back(index_rule(call, use, call.data().shape, first + k));
}

Status Tuples::check(const Call& call) const {
  return check_indices(call, {rule_, "indices", "data"}, indices_,
                       [&](const Position& p) -> const IndexRule& {
                         return rules_[static_cast<std::size_t>(p.back())];
                       });
}

std::optional<Position> Tuples::coordinates(const Position& tuple) const {
  Position coordinates;
  for (const IndexRule& rule : rules_) {
    const std::int64_t k = coordinates.rank();
    const auto c = coordinate(rule, indices_, tuple + Position{k});
    if (!c) return std::nullopt;
    coordinates.push_back(*c);
  }
  return coordinates;
}

Result<Tensor> gather_tuples(const Call& call, const IndexUse& use, int batch,
                             const Shape& result_shape) {
  const TensorView& data = call.data();
  const Shape& indices = call.indices().shape;
  if (Status status = call.check_padding(indices.back()); !status) return status;
  if (Status status = call.check_result(data.dtype, result_shape); !status) return status;
  const Tuples tuples(call, use, batch);
  if (Status status = tuples.check(call); !status) return status;
  const Shape full = tuple_result_shape(data.shape, indices, batch);
  const int tuple_axis = indices.rank() - 1;
  return gather(call, data, result_shape, [&](const Position& i) -> std::optional<Position> {
    const Position p = position_of(full, flat_index(result_shape, i));
    const auto coordinates =
        tuples.coordinates(batch_position(indices, p, batch) + slice(p, batch, tuple_axis));
    if (!coordinates) return std::nullopt;
    return batch_position(data.shape, p, batch) + *coordinates + tail(p, tuple_axis);
  });
}

Result<Tensor> scatter_tuples(const Call& call, const IndexUse& use, const TensorView& updates,
                              const Fold& fold) {
  if (Status status = call.check_padding(call.indices().shape.back()); !status) return status;
  const Tuples tuples(call, use, 0);
  if (Status status = tuples.check(call); !status) return status;
  const int tuple_axis = call.indices().shape.rank() - 1;
  return scatter(call, call.data(), updates, "updates", fold,
                 [&](const Position& i) -> std::optional<Position> {
                   const auto coordinates = tuples.coordinates(slice(i, 0, tuple_axis));
                   if (!coordinates) return std::nullopt;
                   return *coordinates + tail(i, tuple_axis);
                 });
}

Result<std::int64_t> read_count(const Call& call, std::string_view name, const TensorView& count,
                                int highest_rank) {
  const int rank = count.shape.rank();
  if (count.is_absent()) return call.shape("C3", std::string(name) + " is absent");
  if (rank > highest_rank || element_count(count.shape) != 1)
    return call.shape("C3", std::string(name) + " has shape " + to_string(count.shape) +
                                ", must have rank 0" +
                                (highest_rank > 0 ? ", or rank 1 and one element" : ""));
  const std::int64_t value = read_index(count, Position::filled(rank, 0));
  if (value < 0)
    return call.shape(
        "C3", std::string(name) + " is " + std::to_string(value) + ", must not be negative");
  return value;
}

Result<OneHotForm> check_one_hot(const Call& call, std::int64_t axis, const OneHotInputs& inputs,
                                 int depth_rank) {
  const Shape& indices = inputs.indices.shape;
  if (inputs.values.shape != Shape{2})
    return call.shape(
        "C1", "values have shape " + to_string(inputs.values.shape) + ", must have shape [2]");
  const int rank = indices.rank() + 1;
  const auto normal = check_axis(call, axis, "a result", rank);
  if (!normal) return normal.error();
  if (Status status = call.check_result_rank("C2", rank); !status) return status;
  const auto depth = read_count(call, "depth", inputs.depth, depth_rank);
  if (!depth) return depth.error();
  return OneHotForm{slice(indices, 0, *normal) + Shape{*depth} + tail(indices, *normal), *normal};
}

Result<Tensor> one_hot(const Call& call, const IndexUse& use, const OneHotInputs& inputs,
                       const OneHotForm& form) {
  const TensorView& indices = inputs.indices;
  if (Status status = call.check_result(inputs.values.dtype, form.shape); !status) return status;
  const IndexRule rule = index_rule(call, use, form.shape, form.axis);
  const Status status = check_indices(call, {use.rule, "indices", "output"}, indices, rule);
  if (!status) return status;
  return gather(call, inputs.values, form.shape, [&](const Position& p) -> std::optional<Position> {
    const Position place = slice(p, 0, form.axis) + tail(p, form.axis + 1);
    const bool on = coordinate(rule, indices, place) == p[form.axis];
    return Position{on ? 1 : 0};
  });
}

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
  rule.policy = policy;
  rule.negatives = negatives_in(call, Negatives::kOutside);
  rule.padding = call.padding();
  if (chooses && max == 0 && seq > 0) {
    rule.high = max - seq;
    return rule;
  }
  const bool limited = policy == OutOfRange::kError && linear;
  rule.high = limited ? max - seq : std::numeric_limits<std::int64_t>::max();
  if (policy != OutOfRange::kError && rule.negatives != Negatives::kRefused)
    rule.low = std::numeric_limits<std::int64_t>::min();
  if (policy == OutOfRange::kError && rule.negatives == Negatives::kCountFromEnd && seq <= max) {
    rule.low = -max;
    if (limited) rule.highest_negative = std::min<std::int64_t>(-seq, -1);
  }
  return rule;
}

// The coordinate of entry `i` of an update that is written at `w`; nothing if it is dropped. The
// extent is above 0, unless the policy is skip.
std::optional<std::int64_t> cache_coordinate(const IndexRule& rule, CacheMode mode, std::int64_t w,
                                             std::int64_t i) {
  const std::int64_t max = rule.extent;
  if (mode == CacheMode::kCircular || rule.policy == OutOfRange::kModulo)
    return modulo(modulo(w, max) + i, max);
  const bool from_end = w < 0 && rule.negatives == Negatives::kCountFromEnd;
  const std::int64_t c = saturating_add(from_end ? w + max : w, i);
  if (rule.policy == OutOfRange::kClamp) return std::clamp<std::int64_t>(c, 0, max - 1);
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
  if (Status status = call.check_padding(write_indices.is_absent() ? 0 : 1); !status) return status;
  const IndexRule rule = write_index_rule(call, mode, axis, max, update.shape[axis]);
  if (!write_indices.is_absent()) {
    if (Status status = check_indices(call, names, write_indices, rule); !status) return status;
  }
  return scatter(call, cache, update, "update", {},
                 [&](const Position& i) -> std::optional<Position> {
                   const Position entry{i[0]};
                   const bool indexed = !write_indices.is_absent();
                   if (indexed && is_padding(rule, write_indices, entry)) return std::nullopt;
                   const std::int64_t w = indexed ? read_index(write_indices, entry) : 0;
                   const auto c = cache_coordinate(rule, mode, w, i[axis]);
                   if (!c) return std::nullopt;
                   Position p = i;
                   p[axis] = *c;
                   return p;
                 });
}

}  // namespace windrow::internal::reference
