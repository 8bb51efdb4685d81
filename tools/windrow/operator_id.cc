#include "tools/windrow/operator_id.h"

#include <fmt/core.h>

#include <cstddef>
#include <set>
#include <string_view>

#include "tools/windrow/console.h"
#include "tools/windrow/parse_number.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {

namespace {

// A name without its dialect: tells those that have it, or the nearest.
[[noreturn]] void refuse_plain_name(const std::string& text) {
  std::set<std::string> meant;
  NearestName nearest("onnx." + text);
  for (const OperatorInfo& info : list_operators()) {
    nearest.consider(info.dialect + "." + info.name);
    if (info.name == text.substr(0, text.rfind('-'))) meant.insert(info.dialect + "." + text);
  }
  std::string names;
  for (const std::string& name : meant) names += (names.empty() ? "" : ", ") + name;
  fail(ErrorCode::kInvalidArgument,
       fmt::format(
           "'{}' is not an operator: write the dialect before it, as in {}{}", text,
           names.empty() ? "onnx.Gather, openvino.Gather, tensorrt.Gather, array.Take" : names,
           names.empty() ? nearest.hint() : ""));
}

}  // namespace

OperatorId parse_operator_id(const std::string& text, std::optional<int> version) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) refuse_plain_name(text);
  OperatorId id{text.substr(0, dot), text.substr(dot + 1), version};
  const std::size_t dash = id.name.rfind('-');
  if (dash == std::string::npos || version) return id;
  if (const auto number = parse_number<int>(std::string_view(id.name).substr(dash + 1))) {
    id.version = number;
    id.name.resize(dash);
  }
  return id;
}

}  // namespace windrow::tool
