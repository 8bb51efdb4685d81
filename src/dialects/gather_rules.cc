#include "src/dialects/gather_rules.h"

#include <string>
#include <utility>

namespace windrow::internal {

Result<SymbolicShape> check_slices(const Rules& rules, std::int64_t axis, const KnownInput& data,
                                   const KnownInput& indices) {
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto normal = check_axis(rules, axis, data);
  if (!normal) return normal.error();
  if (!*normal || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_result_rank(rules, "C2", data.rank() + indices.rank() - 1); !status)
    return status;
  return SymbolicShape(slice_dims(data, indices, **normal));
}

Status check_common_rank(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                         std::int64_t least) {
  if (!ranks_clash({&data, &indices}, least)) return {};
  return rules.shape("C1", describe_ranks(data, indices) + ", must be equal and at least " +
                               std::to_string(least));
}

Status check_not_longer(const Rules& rules, std::string_view rule, const KnownInput& data,
                        const KnownInput& indices, std::int64_t axis) {
  if (!data.has_rank() || !indices.has_rank()) return {};
  for (std::int64_t d = 0; d < data.rank(); ++d)
    if (d != axis && must_exceed(indices[d], data[d]))
      return rules.shape(
          rule, describe_shapes(indices, data) + "indices are longer in axis " + std::to_string(d));
  return {};
}

Operation gather_operation(const Rules& rules, AccessMap map, const IndexUse& use,
                           std::string_view rule) {
  Operation operation;
  operation.map = std::move(map);
  operation.index_constraint = rules.label(index_rule(use, rule));
  return operation;
}

}  // namespace windrow::internal
