#include "src/dialects/tensorrt/schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "src/dialects/rules.h"

namespace windrow::internal {

Status check_mode(const Rules& rules, const std::string& mode,
                  std::initializer_list<std::string_view> modes) {
  if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string list;
  for (const std::string_view known : modes)
    list += (list.empty() ? "" : ", ") + std::string(known);
  return rules.invalid("A3", "mode is '" + mode + "', must be one of: " + list);
}

Status check_layer_axis(const Rules& rules, std::int64_t axis, const KnownInput& data) {
  if (axis >= 0 && (!data.has_rank() || axis < data.rank())) return {};
  return rules.invalid(
      "A1",
      "axis is " + std::to_string(axis) + ", must be " +
          (data.has_rank() ? "in [0, " + std::to_string(data.rank() - 1) + "]" : "at least 0") +
          " for " + with_rank(data));
}

namespace {

constexpr int kMaxReleaseRank = 8;

constexpr int kNever = 1000;

// The first release in which a layer takes a type as data, for each Layer.
struct TypeRow {
  DType dtype;
  std::array<int, 4> since;
};

constexpr std::array<TypeRow, 9> kTypeRows = {{
    {DType::kFloat32, {8, 8, 8, 10}},
    {DType::kFloat16, {8, 8, 8, 10}},
    {DType::kBFloat16, {9, 9, 9, 10}},
    {DType::kInt64, {9, 9, 9, kNever}},
    {DType::kInt32, {8, 8, 8, kNever}},
    {DType::kInt8, {8, 8, 8, kNever}},
    {DType::kBool, {8, 11, 8, kNever}},
    {DType::kInt4, {10, kNever, kNever, kNever}},
    {DType::kFloat8E4M3FN, {10, kNever, kNever, kNever}},
}};

bool has_type(Layer layer, int release, const TypeRow& row) {
  // The only type that a layer has lost.
  if (layer == Layer::kScatter && row.dtype == DType::kInt8 && release > 10) return false;
  return release >= row.since[static_cast<std::size_t>(layer)];
}

// The types that a layer takes as data.
std::vector<DType> data_types(Layer layer, int release) {
  std::vector<DType> types;
  for (const TypeRow& row : kTypeRows)
    if (has_type(layer, release, row)) types.push_back(row.dtype);
  return types;
}

std::string names_of(const std::vector<DType>& types) {
  std::string names;
  for (const DType type : types)
    names += (names.empty() ? "" : ", ") + std::string(dtype_name(type));
  return names;
}

}  // namespace

Status check_release_types(const Rules& rules, Layer layer, int release, DType data, DType indices,
                           const CallOptions& options) {
  if (!options.strict) return {};
  const std::vector<DType> types = data_types(layer, release);
  if (std::find(types.begin(), types.end(), data) == types.end())
    return rules.broken(ErrorCode::kType, "S2",
                        "strict: data of type " + std::string(dtype_name(data)) +
                            ", the release has: " + names_of(types));
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
  return rules.shape("S1", "strict: a tensor has rank " + std::to_string(highest) +
                               ", must be at most " + std::to_string(kMaxReleaseRank));
}

}  // namespace windrow::internal
