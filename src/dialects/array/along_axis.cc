#include "src/dialects/array/along_axis.h"

#include <string>
#include <utility>

#include "src/dialects/gather_rules.h"

namespace windrow::internal {

Result<SymbolicShape> check_along_axis(const Rules& rules, std::int64_t axis,
                                       const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto normal = check_axis(rules, axis, data.has_rank() ? data : indices);
  if (!normal) return normal.error();
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  SymbolicDims dims;
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    const bool indexed = d == *normal;
    if (!indexed && must_clash(data[d], indices[d]))
      return rules.shape("C2", describe_shapes(data, indices) + "they differ in axis " +
                                   std::to_string(d) + " and none is 1");
    dims.push_back(indexed ? indices[d] : broadcast_dim(data[d], indices[d]));
  }
  return SymbolicShape(std::move(dims));
}

}  // namespace windrow::internal
