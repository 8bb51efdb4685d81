#include "tools/windrow/preview.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tools/windrow/element.h"

namespace windrow::tool {
namespace {

constexpr std::int64_t kMostShown = 16;     // elements of a tensor that is shown whole
constexpr std::int64_t kShownAtEnds = 4;    // elements at each end of a tensor that is not
constexpr std::int64_t kMostInJson = 1000;  // elements in a JSON document

// The part of the tensor from axis `axis` on whose first element is `position`; moves `position`
// behind it.
std::string nested(const Tensor& tensor, int axis, std::int64_t& position) {
  if (axis == tensor.shape().rank()) return to_text(element_at(tensor, position++));
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i) {
    if (i > 0) text += ", ";
    text += nested(tensor, axis + 1, position);
  }
  return text + "]";
}

std::string ends(const Tensor& tensor) {
  const std::int64_t count = tensor.element_count();
  std::string text = "[";
  for (std::int64_t i = 0; i < kShownAtEnds; ++i) text += to_text(element_at(tensor, i)) + ", ";
  text += "...";
  for (std::int64_t i = count - kShownAtEnds; i < count; ++i) {
    text += ", " + to_text(element_at(tensor, i));
  }
  return text + "]";
}

}  // namespace

std::string type_text(const Tensor& tensor) {
  return std::string(dtype_name(tensor.dtype())) + to_string(tensor.shape());
}

std::string preview(const Tensor& tensor) {
  const std::int64_t count = tensor.element_count();
  if (count == 0) return "(no elements)";
  if (count > kMostShown) return ends(tensor);
  std::int64_t position = 0;
  return nested(tensor, 0, position);
}

Json tensor_json(const Tensor& tensor) {
  const std::int64_t shown = std::min(tensor.element_count(), kMostInJson);
  Json values = Json::array();
  for (std::int64_t i = 0; i < shown; ++i) values.push_back(to_json(element_at(tensor, i)));
  return {{"dtype", dtype_name(tensor.dtype())},
          {"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
          {"values", values},
          {"complete", shown == tensor.element_count()}};
}

}  // namespace windrow::tool
