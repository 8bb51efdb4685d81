#include "tools/windrow/type_list.h"

#include <algorithm>
#include <string_view>

namespace windrow::tool {
namespace {

struct Family {
  std::string_view name;
  std::vector<DType> members;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"int8-64", {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64}},
      {"uint8-64", {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64}},
      {"float16-64", {DType::kFloat16, DType::kFloat32, DType::kFloat64}},
      {"complex64-128", {DType::kComplex64, DType::kComplex128}},
  };
  return all;
}

bool contains(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// The family that is whole in `types` and that `type` belongs to, or null.
const Family* whole_family_of(DType type, const std::vector<DType>& types) {
  for (const Family& family : families()) {
    if (!contains(family.members, type)) continue;
    const bool whole = std::all_of(family.members.begin(), family.members.end(),
                                   [&](DType member) { return contains(types, member); });
    if (whole) return &family;
  }
  return nullptr;
}

}  // namespace

std::string type_list(const std::vector<DType>& types) {
  std::vector<DType> sorted = types;
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const DType type : sorted) {
    const Family* family = whole_family_of(type, sorted);
    const bool listed_already = family != nullptr && family->members.front() != type;
    if (listed_already) continue;
    if (!text.empty()) text += ' ';
    text += family != nullptr ? family->name : dtype_name(type);
  }
  return text;
}

}  // namespace windrow::tool
