#include "tools/windrow/attribute_text.h"

#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tools/windrow/console.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

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
  if (std::holds_alternative<std::string>(attribute.default_value)) return text;
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
  if (attribute.required) return attribute.name;
  if (const auto* text = std::get_if<std::string>(&attribute.default_value)) {
    return fmt::format("{}={}", attribute.name, *text);
  }
  if (const auto* number = std::get_if<std::int64_t>(&attribute.default_value)) {
    return fmt::format("{}={}", attribute.name, *number);
  }
  if (const auto* truth = std::get_if<bool>(&attribute.default_value)) {
    return fmt::format("{}={}", attribute.name, *truth);
  }
  return attribute.name;
}

std::string operator_text(const OperatorInfo& info) {
  return fmt::format("{}.{}-{}", info.dialect, info.name, info.since_version);
}

}  // namespace windrow::tool
