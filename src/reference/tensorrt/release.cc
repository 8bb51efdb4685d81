#include "src/reference/tensorrt/release.h"

#include <algorithm>
#include <array>
#include <string>

namespace windrow::internal::reference {
namespace {

constexpr int kMaxReleaseRank = 8;

constexpr std::array kIndexTypes8 = {DType::kInt32};
constexpr std::array kIndexTypes9 = {DType::kInt32, DType::kInt64};

Status wrong_rank(const Call& call, const std::string& tensor, int rank) {
  return call.shape("S1", tensor + " has rank " + std::to_string(rank) + ", must be at most " +
                              std::to_string(kMaxReleaseRank));
}

}  // namespace

Status check_release_type(const Call& call, int release, std::string_view input, DType dtype,
                          std::initializer_list<ReleaseTypes> lists) {
  if (!call.strict()) return {};
  std::span<const DType> types;
  for (const ReleaseTypes& list : lists)
    if (list.since <= release) types = list.types;
  if (std::find(types.begin(), types.end(), dtype) != types.end()) return {};
  return call.error(ErrorCode::kType, "S2",
                    std::string(input) + " of type " + std::string(dtype_name(dtype)) +
                        ", which release " + std::to_string(release) + " does not take");
}

Status check_release_types(const Call& call, int release, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& data, const TensorView& indices) {
  Status status = check_release_type(call, release, "data", data.dtype, lists);
  if (!status.ok()) return status;
  return check_release_type(call, release, "indices", indices.dtype,
                            {{8, kIndexTypes8}, {9, kIndexTypes9}});
}

IndexUse release_index_use(const Call& call) {
  return call.strict() ? IndexUse{"S3", Negatives::kOutside, OutOfRange::kError} : IndexUse{"C4"};
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
