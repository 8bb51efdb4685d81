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

Status check_release_type(const Call& call, std::string_view name, const TensorView& input,
                          std::initializer_list<ReleaseTypes> lists) {
  if (!call.strict()) return {};
  std::span<const DType> types;
  for (const ReleaseTypes& list : lists)
    if (list.since <= call.version()) types = list.types;
  if (std::find(types.begin(), types.end(), input.dtype) != types.end()) return {};
  return call.error(ErrorCode::kType, "S2",
                    std::string(name) + " of type " + std::string(dtype_name(input.dtype)) +
                        ", which release " + std::to_string(call.version()) + " does not take");
}

Status check_release_types(const Call& call, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& indices) {
  if (Status status = check_release_type(call, "data", call.data(), lists); !status) return status;
  return check_release_type(call, "indices", indices, {{8, kIndexTypes8}, {9, kIndexTypes9}});
}

IndexUse release_index_use(const Call& call) {
  return call.strict() ? IndexUse{"S3", Negatives::kOutside, OutOfRange::kError} : IndexUse{"C4"};
}

Status check_release_ranks(const Call& call, int result_rank) {
  if (!call.strict()) return {};
  for (std::size_t i = 0; i < call.inputs().size(); ++i) {
    const int rank = call.inputs()[i].shape.rank();
    if (rank > kMaxReleaseRank) return wrong_rank(call, "input " + std::to_string(i), rank);
  }
  if (result_rank > kMaxReleaseRank) return wrong_rank(call, "the result", result_rank);
  return {};
}

}  // namespace windrow::internal::reference
