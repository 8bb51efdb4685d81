#include "src/reference/tuples.h"

#include <cstddef>
#include <cstdint>
#include <string>

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

Status check_tuple_length(const Call& call, const Shape& data, const Shape& indices) {
  if (indices.back() <= data.rank()) return {};
  return call.shape("C2", "indices have " + std::to_string(indices.back()) +
                              " coordinates in the last axis, must be at most " +
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
  for (int k = 0; k < length; ++k)
    rules_.push_back(index_rule(call.policy(), use.negatives, data, first + k));
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
    const auto c = coordinate(rule, read_index(indices_, tuple + Position{k}));
    if (!c) return std::nullopt;
    coordinates.push_back(*c);
  }
  return coordinates;
}

}  // namespace windrow::internal::reference
