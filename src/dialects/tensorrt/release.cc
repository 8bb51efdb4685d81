#include "src/dialects/tensorrt/release.h"

#include <algorithm>
#include <string>

namespace windrow::internal {
namespace {

constexpr int kMaxReleaseRank = 8;

// The releases [since, until] of a layer take a type as data.
struct TypeRow {
  Layer layer;
  DType dtype;
  int since;
  int until;
};

constexpr int kEver = 1000;
constexpr TypeRow kTypeRows[] = {
    {Layer::kGather, DType::kInt8, 8, kEver},
    {Layer::kGather, DType::kInt32, 8, kEver},
    {Layer::kGather, DType::kFloat16, 8, kEver},
    {Layer::kGather, DType::kFloat32, 8, kEver},
    {Layer::kGather, DType::kBool, 8, kEver},
    {Layer::kGather, DType::kInt64, 9, kEver},
    {Layer::kGather, DType::kBFloat16, 9, kEver},
    {Layer::kGather, DType::kInt4, 10, kEver},
    {Layer::kGather, DType::kFloat8E4M3FN, 10, kEver},
    {Layer::kScatter, DType::kInt8, 8, 10},
    {Layer::kScatter, DType::kInt32, 8, kEver},
    {Layer::kScatter, DType::kFloat16, 8, kEver},
    {Layer::kScatter, DType::kFloat32, 8, kEver},
    {Layer::kScatter, DType::kInt64, 9, kEver},
    {Layer::kScatter, DType::kBFloat16, 9, kEver},
    {Layer::kScatter, DType::kBool, 11, kEver},
    {Layer::kOneHot, DType::kFloat32, 8, kEver},
    {Layer::kOneHot, DType::kFloat16, 8, kEver},
    {Layer::kOneHot, DType::kInt8, 8, kEver},
    {Layer::kOneHot, DType::kInt32, 8, kEver},
    {Layer::kOneHot, DType::kBool, 8, kEver},
    {Layer::kOneHot, DType::kInt64, 9, kEver},
    {Layer::kOneHot, DType::kBFloat16, 9, kEver},
    {Layer::kKVCacheUpdate, DType::kFloat32, 10, kEver},
    {Layer::kKVCacheUpdate, DType::kFloat16, 10, kEver},
    {Layer::kKVCacheUpdate, DType::kBFloat16, 10, kEver},
};

bool has_type(Layer layer, int release, DType dtype) {
  return std::any_of(std::begin(kTypeRows), std::end(kTypeRows), [&](const TypeRow& row) {
    return row.layer == layer && row.dtype == dtype && row.since <= release && release <= row.until;
  });
}

std::string names_of(Layer layer, int release) {
  std::string names;
  for (const TypeRow& row : kTypeRows)
    if (row.layer == layer && has_type(layer, release, row.dtype))
      names += (names.empty() ? "" : ", ") + std::string(dtype_name(row.dtype));
  return names;
}

}  // namespace

Status check_release_types(const Rules& rules, Layer layer, int release, DType data, DType indices,
                           const CallOptions& options) {
  if (!options.strict) return {};
  if (!has_type(layer, release, data))
    return rules.broken(ErrorCode::kType, "S2",
                        "strict: data of type " + std::string(dtype_name(data)) +
                            ", the release has: " + names_of(layer, release));
  // One-hot layers take 32-bit indices in every release.
  const bool narrow = release < 9 || layer == Layer::kOneHot;
  if (narrow && indices == DType::kInt64)
    return rules.broken(ErrorCode::kType, "S2",
                        "strict: indices of type int64, the release has: int32");
  return {};
}

Status check_release_rank(const Rules& rules, const KnownInputs& inputs,
                          const SymbolicShape& result, const CallOptions& options) {
  if (!options.strict) return {};
  std::size_t highest = result ? result->size() : 0;
  for (const KnownInput& input : inputs)
    if (input.has_rank()) highest = std::max(highest, input.dims->size());
  if (highest <= kMaxReleaseRank) return {};
  return rules.broken(ErrorCode::kShape, "S1",
                      "strict: a tensor has rank " + std::to_string(highest) +
                          ", must be at most " + std::to_string(kMaxReleaseRank));
}

}  // namespace windrow::internal
