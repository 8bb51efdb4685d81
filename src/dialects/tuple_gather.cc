#include "src/dialects/tuple_gather.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace windrow::internal {
namespace {

Status check_batch_dims(const Rules& rules, const TupleGather& gather, const KnownInput& data,
                        const KnownInput& indices) {
  constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();
  const std::int64_t most = std::min(data.has_rank() ? data.rank() - 1 : kOpen,
                                     indices.has_rank() ? indices.rank() - 1 : kOpen);
  if (gather.batch_dims >= 0 && gather.batch_dims <= most) return {};
  return rules.invalid(gather.batch_rule,
                       std::string(gather.batch_name) + " is " + std::to_string(gather.batch_dims) +
                           ", must be " +
                           (most == kOpen ? "at least 0" : "in [0, " + std::to_string(most) + "]") +
                           " for " + with_rank(data) + " and " + with_rank(indices));
}

// C3, C4.
Status check_length(const Rules& rules, const TupleGather& gather, std::int64_t tuple,
                    const KnownInput& data, const KnownInput& indices) {
  const std::int64_t longest = data.rank() - gather.batch_dims;
  if (tuple < gather.shortest_tuple || tuple > longest)
    return rules.shape("C3", "index tuples have length " + std::to_string(tuple) +
                                 ", must be in [" + std::to_string(gather.shortest_tuple) + ", " +
                                 std::to_string(longest) + "] for " + with_rank(data) + " and " +
                                 std::string(gather.batch_name) + " " +
                                 std::to_string(gather.batch_dims));
  return check_result_rank(rules, "C4", indices.rank() - 1 + longest - tuple);
}

}  // namespace

Status check_tuple_ranks(const Rules& rules, const KnownInput& data, const KnownInput& indices) {
  const bool fits =
      (!data.has_rank() || data.rank() >= 1) && (!indices.has_rank() || indices.rank() >= 1);
  if (fits) return {};
  return rules.shape("C1", describe_ranks(data, indices) + ", both must be 1 or more");
}

Result<SymbolicShape> check_tuple_gather(const Rules& rules, const TupleGather& gather,
                                         const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  if (Status status = check_batch_dims(rules, gather, data, indices); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_batch_axes(rules, data, indices, gather.batch_dims, gather.broadcasts);
      !status)
    return status;
  const Dim& tuple = indices[indices.rank() - 1];
  if (!tuple.is_known()) return SymbolicShape();
  if (Status status = check_length(rules, gather, tuple.value, data, indices); !status)
    return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < gather.batch_dims; ++d)
    result.push_back((gather.broadcasts ? &broadcast_dim : &same_dim)(data[d], indices[d]));
  append(result, indices, gather.batch_dims, indices.rank() - 1);
  append(result, data, gather.batch_dims + tuple.value, data.rank());
  return SymbolicShape(std::move(result));
}

}  // namespace windrow::internal
