#include "tools/windrow/operator_id.h"

#include <fmt/core.h>

#include <charconv>
#include <cstddef>

#include "tools/windrow/console.h"

namespace windrow::tool {

OperatorId parse_operator_id(const std::string& text, std::optional<int> version) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) {
    fail(ErrorCode::kInvalidArgument,
         fmt::format("'{}' is no operator: write the dialect before it, onnx.{} or openvino.{}",
                     text, text, text));
  }
  OperatorId id{text.substr(0, dot), text.substr(dot + 1), version};
  const std::size_t dash = id.name.rfind('-');
  if (dash == std::string::npos || version) return id;
  int number = 0;
  const char* end = id.name.data() + id.name.size();
  const auto parsed = std::from_chars(id.name.data() + dash + 1, end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) {
    id.version = number;
    id.name.resize(dash);
  }
  return id;
}

}  // namespace windrow::tool
