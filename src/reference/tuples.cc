#include "src/reference/tuples.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/reference/batches.h"
#include "src/reference/element.h"

namespace windrow::internal::reference {

Status check_tuple_ranks(const Call& call, const Shape& data, const Shape& indices) {
  if (data.rank() >= 1 && indices.rank() >= 1) return {};
  return call.shape("C1", "data has rank " + std::to_string(data.rank()) +
                              " and indices have rank " + std::to_string(indices.rank()) +
                              ", must both be at least 1");
}

Status check_result_rank(const Call& call, int rank) {
  if (rank <= kMaxRank) return {};
  return call.shape("C4", "the result has rank " + std::to_string(rank) + ", must be at most " +
                              std::to_string(kMaxRank));
}

Status check_tuple_length(const Call& call, const Shape& data, const Shape& indices,
                          std::int64_t least) {
  if (indices.back() >= least && indices.back() <= data.rank()) return {};
  const std::string bounds = least == 0 ? "at most " : std::to_string(least) + " to ";
  return call.shape("C2", "indices have " + std::to_string(indices.back()) +
                              " coordinates in the last axis, must be " + bounds +
                              std::to_string(data.rank()) + ", the rank of data");
}

std::optional<Shape> tuple_updates_shape(const Shape& data, const Shape& indices) {
  Shape expected = slice(indices, 0, indices.rank() - 1);
  if (!expected.append(data, static_cast<int>(indices.back()), data.rank())) return std::nullopt;
  return expected;
}

Status wrong_tuple_updates(const Call& call, const Shape& data, const Shape& indices,
                           const Shape& updates) {
  return call.shape("C3", "updates have shape " + to_string(updates) +
                              ", must have shape indices[:-1] ++ data[" +
                              std::to_string(indices.back()) + ":] with indices of shape " +
                              to_string(indices) + " and data of shape " + to_string(data));
}

Tuples::Tuples(const Call& call, const IndexUse& use, const Shape& data, int first,
               const TensorView& indices)
    : rule_(use.rule), indices_(indices) {
  const auto length = static_cast<int>(indices.shape.back());
  rules_.reserve(static_cast<std::size_t>(length));
  for (int k = 0; k < length; ++k) rules_.push_back(index_rule(call, use, data, first + k));
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

Shape tuple_result_shape(const Shape& data, const Shape& indices, int batch) {
  return batch_shape(data, indices, batch) + slice(indices, batch, indices.rank() - 1) +
         tail(data, batch + static_cast<int>(indices.back()));
}

Result<Tensor> gather_tuples(const Call& call, const IndexUse& use, const TensorView& data,
                             const TensorView& indices, int batch, const Shape& result_shape) {
  if (Status status = call.check_result(data.dtype, result_shape); !status.ok()) return status;
  const Tuples tuples(call, use, data.shape, batch, indices);
  if (Status status = tuples.check(call); !status.ok()) return status;
  const Shape full = tuple_result_shape(data.shape, indices.shape, batch);
  const int q = indices.shape.rank();
  return gather(call, data, result_shape, [&](const Position& i) -> std::optional<Position> {
    const Position p = position_of(full, flat_index(result_shape, i));
    const auto coordinates =
        tuples.coordinates(batch_position(indices.shape, p, batch) + slice(p, batch, q - 1));
    if (!coordinates) return std::nullopt;
    return batch_position(data.shape, p, batch) + *coordinates + tail(p, q - 1);
  });
}

Result<Tensor> scatter_tuples(const Call& call, const IndexUse& use, const TensorView& data,
                              const TensorView& indices, const TensorView& updates,
                              const Fold& fold) {
  const Tuples tuples(call, use, data.shape, 0, indices);
  if (Status status = tuples.check(call); !status.ok()) return status;
  const int q = indices.shape.rank();
  const Address address = [&](const Position& i) -> std::optional<Position> {
    const auto coordinates = tuples.coordinates(slice(i, 0, q - 1));
    if (!coordinates) return std::nullopt;
    return *coordinates + tail(i, q - 1);
  };
  return scatter(call, data, updates, "updates", fold, address);
}

}  // namespace windrow::internal::reference
