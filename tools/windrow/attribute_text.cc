#include "tools/windrow/attribute_text.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

#include "tools/windrow/console.h"
#include "tools/windrow/ops.h"
#include "windrow/nearest_name.h"
#include "windrow/reduction_name.h"

namespace windrow::tool {
namespace {

const OperatorAttribute& find_attribute(const OperatorInfo& info, const std::string& name) {
  std::string known;
  NearestName nearest(name);
  for (const OperatorAttribute& attribute : info.attributes) {
    if (attribute.name == name) return attribute;
    known += (known.empty() ? "" : ", ") + attribute.name;
    nearest.consider(attribute.name);
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{} has no attribute '{}'; {}{}", operator_text(info), name,
                   known.empty() ? "it has none" : "it has " + known, nearest.hint()));
}

AttributeValue parse_value(const OperatorInfo& info, const OperatorAttribute& attribute,
                           const std::string& text) {
  const auto wrong = [&](std::string_view kind) {
    fail(ErrorCode::kInvalidArgument, fmt::format("{}: attribute '{}' is '{}', must be {}",
                                                  operator_text(info), attribute.name, text, kind));
  };
  if (std::holds_alternative<std::string>(attribute.default_value))
    return attribute.name == "reduction" ? std::string(own_reduction_name(info.dialect, text))
                                         : text;
  if (std::holds_alternative<std::int64_t>(attribute.default_value)) {
    const auto number = parse_number<std::int64_t>(text);
    if (!number) wrong("a whole number");
    return *number;
  }
  if (std::holds_alternative<bool>(attribute.default_value)) {
    if (text != "true" && text != "false") wrong("true or false");
    return text == "true";
  }
  fail(ErrorCode::kUnsupported, fmt::format("{}: attribute '{}' can't be given as text",
                                            operator_text(info), attribute.name));
}

}  // namespace

Attributes parse_attributes(const OperatorInfo& info, const std::vector<std::string>& texts) {
  Attributes attributes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ErrorCode::kInvalidArgument, fmt::format("--attr {}: must be NAME=VALUE", text));
    }
    const OperatorAttribute& attribute = find_attribute(info, text.substr(0, equals));
    AttributeValue value = parse_value(info, attribute, text.substr(equals + 1));
    if (!attributes.emplace(attribute.name, std::move(value)).second) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--attr {}: '{}' is given twice", text, attribute.name));
    }
  }
  return attributes;
}

std::string attribute_text(const OperatorAttribute& attribute) {
  const Json value = default_json(attribute);
  if (value.is_null()) return attribute.name;
  return attribute.name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
}

Json default_json(const OperatorAttribute& attribute) {
  if (attribute.required) return nullptr;
  return std::visit(
      [](const auto& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_constructible_v<Json, Value>) return value;
        return nullptr;
      },
      attribute.default_value);
}

std::string operator_text(const OperatorInfo& info) {
  return fmt::format("{}.{}-{}", info.dialect, info.name, info.since_version);
}

}  // namespace windrow::tool
