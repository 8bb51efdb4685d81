#include "src/reference/tuples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "src/reference/element.h"

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

}  // namespace windrow::internal::reference
