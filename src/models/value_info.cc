#include <string>
#include <string_view>

#include "src/models/find_in.h"
#include "src/models/knowledge.h"
#include "src/models/text.h"
#include "windrow/models.h"

namespace windrow {
namespace {

std::string to_text(const Dim& dim) {
  return dim.is_known() || dim.symbol.empty() ? internal::interval_text(dim) : dim.symbol;
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
  const std::string* const value = internal::find_in(aliases, name);
  return value == nullptr ? name : *value;
}

std::string internal::type_text(const ValueInfo& value) {
  return value.other_type.empty() ? std::string(dtype_name(value.dtype)) : value.other_type;
}

std::string to_string(const ValueInfo& value) {
  const bool is_known = internal::has_type(value);
  const std::string type = is_known ? internal::type_text(value) : "?";
  if (!value.dims) return is_known ? type + "?" : type;
  return type + "[" + internal::joined(*value.dims, ", ", to_text) + "]";
}

}  // namespace windrow
