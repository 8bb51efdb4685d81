#include "src/dialects/array/infer_along_axis.h"

#include <string>
#include <utility>

namespace windrow::internal {

Result<SymbolicShape> infer_along_axis(const Rules& rules, std::int64_t axis,
                                       const InferredInput& data, const InferredInput& indices) {
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  if (Status status = check_same_rank(rules, "C1", data, indices); !status) return status;
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_axis(rules, axis, *input); !status) return status;
  }
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const std::int64_t normal = resolve_axis(axis, data.rank());
  SymbolicDims dims;
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d == normal) {
      dims.push_back(indices[d]);
      continue;
    }
    if (must_differ(indices[d], data[d]) && indices[d].value != 1 && data[d].value != 1)
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(indices, data, d) + ": they must be equal, or one be 1");
    dims.push_back(broadcast_dim(data[d], indices[d]));
  }
  return SymbolicShape(std::move(dims));
}

}  // namespace windrow::internal
