#include <string>

#include "windrow/models.h"

namespace windrow {
namespace {

std::string to_text(const Dim& dim) {
  if (dim.is_known()) return std::to_string(dim.value);
  return dim.symbol.empty() ? "?" : dim.symbol;
}

}  // namespace

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
