#include "src/dialects/gather_checks.h"

#include <string>

namespace windrow::internal {

Status check_common_rank(const Rules& rules, const Shape& data, const Shape& indices) {
  if (data.rank() >= 1 && indices.rank() == data.rank()) return {};
  return rules.broken(ErrorCode::kShape, "C1",
                      "data has rank " + std::to_string(data.rank()) + " and indices have rank " +
                          std::to_string(indices.rank()) + ", must be equal and at least 1");
}

Status check_not_longer(const Rules& rules, std::string_view rule, const Shape& data,
                        const Shape& indices, int axis) {
  for (int d = 0; d < data.rank(); ++d)
    if (d != axis && indices[d] > data[d])
      return rules.broken(ErrorCode::kShape, rule,
                          "indices have shape " + to_string(indices) + " and data has shape " +
                              to_string(data) + ": indices are longer in axis " +
                              std::to_string(d));
  return {};
}

Status check_tuple_ranks(const Rules& rules, const Shape& data, const Shape& indices) {
  if (data.rank() >= 1 && indices.rank() >= 1) return {};
  return rules.broken(ErrorCode::kShape, "C1",
                      "data has rank " + std::to_string(data.rank()) + " and indices have rank " +
                          std::to_string(indices.rank()) + ", both must be 1 or more");
}

}  // namespace windrow::internal
