#ifndef WINDROW_REDUCTION_NAME_H_
#define WINDROW_REDUCTION_NAME_H_

#include <string_view>

namespace windrow {

// Dialects call the same reduction "add" (ONNX) or "sum" (OpenVINO, array). Returns the dialect's
// own name for either, and any other text as it is. The command and the Python functions take both
// names; the attributes of nodes in models are taken as they are.
inline std::string_view own_reduction_name(std::string_view dialect, std::string_view name) {
  if (name != "add" && name != "sum") return name;
  return dialect == "onnx" ? "add" : "sum";
}

}  // namespace windrow

#endif  // WINDROW_REDUCTION_NAME_H_
