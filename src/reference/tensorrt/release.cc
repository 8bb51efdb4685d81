#include "src/reference/tensorrt/release.h"

#include <algorithm>
#include <string>

namespace windrow::internal::reference {
namespace {

constexpr int kMaxReleaseRank = 8;

Status wrong_type(const Call& call, std::string_view input, DType dtype, int release) {
  return call.error(ErrorCode::kType, "S2",
                    std::string(input) + " of type " + std::string(dtype_name(dtype)) +
                        ", which release " + std::to_string(release) + " does not take");
}

Status wrong_rank(const Call& call, const std::string& tensor, int rank) {
  return call.shape("S1", tensor + " has rank " + std::to_string(rank) + ", must be at most " +
                              std::to_string(kMaxReleaseRank));
}

}  // namespace

Status check_release_types(const Call& call, int release, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& data, const TensorView& indices) {
  if (!call.strict()) return {};
  std::span<const DType> types;
  for (const ReleaseTypes& list : lists)
    if (list.since <= release) types = list.types;
  if (std::find(types.begin(), types.end(), data.dtype) == types.end())
    return wrong_type(call, "data", data.dtype, release);
  if (release < 9 && indices.dtype != DType::kInt32)
    return wrong_type(call, "indices", indices.dtype, release);
  return {};
}

Status check_release_ranks(const Call& call, std::span<const TensorView> inputs, int result_rank) {
  if (!call.strict()) return {};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int rank = inputs[i].shape.rank();
    if (rank > kMaxReleaseRank) return wrong_rank(call, "input " + std::to_string(i), rank);
  }
  if (result_rank > kMaxReleaseRank) return wrong_rank(call, "the result", result_rank);
  return {};
}

}  // namespace windrow::internal::reference
