#include <string>
#include <string_view>

#include "windrow/models.h"

namespace windrow {
namespace {

std::string to_text(const Dim& dim) {
  if (dim.is_known()) return std::to_string(dim.value);
  if (!dim.symbol.empty()) return dim.symbol;
  const Dim any;
  if (dim.low == any.low && dim.high == any.high) return "?";
  return std::to_string(dim.low) + ".." + (dim.high == any.high ? "" : std::to_string(dim.high));
}

}  // namespace

std::string_view basis_name(Basis basis) noexcept {
  switch (basis) {
    case Basis::kUnknown:
      return "unknown";
    case Basis::kProven:
      return "proven";
    case Basis::kOnnx:
      return "onnx";
    case Basis::kClaimed:
      return "claimed";
  }
  return "unknown";
}

const std::string& Model::value_name(const std::string& name) const {
  const auto alias = aliases.find(name);
  return alias == aliases.end() ? name : alias->second;
}

std::string to_string(const ValueInfo& value) {
  const bool has_type = value.dtype != DType::kAbsent;
  if (!value.dims) return has_type ? std::string(dtype_name(value.dtype)) + "?" : "?";
  std::string text = has_type ? std::string(dtype_name(value.dtype)) : "?";
  text += '[';
  for (std::size_t axis = 0; axis < value.dims->size(); ++axis)
    text += (axis == 0 ? "" : ", ") + to_text((*value.dims)[axis]);
  return text + ']';
}

}  // namespace windrow
