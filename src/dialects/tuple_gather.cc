#include "src/dialects/tuple_gather.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/gather_checks.h"

namespace windrow::internal {
namespace {

Status check_batch_dims(const Rules& rules, const TupleGather& gather, int r, int q) {
  const int most = std::min(q, r) - 1;
  if (gather.batch_dims >= 0 && gather.batch_dims <= most) return {};
  return rules.broken(ErrorCode::kInvalidArgument, gather.batch_rule,
                      std::string(gather.batch_name) + " is " + std::to_string(gather.batch_dims) +
                          ", must be in [0, " + std::to_string(most) + "] for data of rank " +
                          std::to_string(r) + " and indices of rank " + std::to_string(q));
}

Status check_batch_axes(const Rules& rules, const TupleGather& gather, const Shape& data,
                        const Shape& indices) {
  for (int d = 0; d < static_cast<int>(gather.batch_dims); ++d) {
    const bool stretches = gather.broadcasts && (data[d] == 1 || indices[d] == 1);
    if (data[d] == indices[d] || stretches) continue;
    return rules.broken(ErrorCode::kShape, "C2",
                        "data has shape " + to_string(data) + " and indices have shape " +
                            to_string(indices) + ": they differ in batch axis " +
                            std::to_string(d) + (gather.broadcasts ? " and none is 1" : ""));
  }
  return {};
}

// C3, C4.
Status check_length(const Rules& rules, const TupleGather& gather, std::int64_t tuple,
                    std::int64_t r, std::int64_t q) {
  const std::int64_t longest = r - gather.batch_dims;
  if (tuple < gather.shortest_tuple || tuple > longest)
    return rules.broken(ErrorCode::kShape, "C3",
                        "index tuples have length " + std::to_string(tuple) + ", must be in [" +
                            std::to_string(gather.shortest_tuple) + ", " + std::to_string(longest) +
                            "] for data of rank " + std::to_string(r) + " and " +
                            std::string(gather.batch_name) + " " +
                            std::to_string(gather.batch_dims));
  return check_result_rank(rules, "C4", q - 1 + longest - tuple);
}

}  // namespace

Status check_tuple_gather(const Rules& rules, const TupleGather& gather, const Shape& data,
                          const Shape& indices) {
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  const int r = data.rank();
  const int q = indices.rank();
  if (Status status = check_batch_dims(rules, gather, r, q); !status) return status;
  if (Status status = check_batch_axes(rules, gather, data, indices); !status) return status;
  return check_length(rules, gather, indices.back(), r, q);
}

Result<SymbolicShape> infer_tuple_gather(const Rules& rules, const TupleGather& gather,
                                         const InferredInput& data, const InferredInput& indices) {
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  const std::int64_t b = gather.batch_dims;
  if (Status status =
          check_below_ranks(rules, gather.batch_rule, gather.batch_name, b, data, indices);
      !status)
    return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_batch_dims(rules, data, indices, b, gather.broadcasts); !status)
    return status;
  const Dim& tuple = indices[indices.rank() - 1];
  if (!tuple.is_known()) return SymbolicShape();
  if (Status status = check_length(rules, gather, tuple.value, data.rank(), indices.rank());
      !status)
    return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < b; ++d)
    result.push_back(gather.broadcasts ? broadcast_dim(data[d], indices[d])
                                       : same_dim(data[d], indices[d]));
  for (std::int64_t d = b; d < indices.rank() - 1; ++d) result.push_back(indices[d]);
  for (std::int64_t d = b + tuple.value; d < data.rank(); ++d) result.push_back(data[d]);
  return SymbolicShape(std::move(result));
}

}  // namespace windrow::internal
