#include "tools/windrow/operator_words.h"

#include <fmt/core.h>

#include <cstdint>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "windrow/nearest_name.h"
#include "windrow/reduction_name.h"

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

namespace {

const OperatorAttribute& find_attribute(const OperatorInfo& info, std::string_view name) {
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
    const OperatorAttribute& attribute =
        find_attribute(info, std::string_view(text).substr(0, equals));
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

namespace {

std::string dtype_hint(const std::string& name) {
  static constexpr std::string_view kNames[] = {
#define WINDROW_DTYPE(enumerator, text, ...) text,
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  };
  return nearest_hint(name, kNames);
}

std::size_t input_position(const OperatorInfo& info, const std::string& text) {
  NearestName nearest(text);
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    if (text == std::to_string(i) || text == info.inputs[i].name) return i;
    nearest.consider(info.inputs[i].name);
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--dtype: {} has no input '{}'{}", operator_text(info), text, nearest.hint()));
}

}  // namespace

std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts) {
  std::vector<DType> types(info.inputs.size(), DType::kAbsent);
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      fail(ErrorCode::kInvalidArgument, fmt::format("--dtype {}: must be POS=TYPE", text));
    }
    const auto type = parse_dtype(text.substr(equals + 1));
    if (!type) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--dtype {}: there is no type '{}'{}", text, text.substr(equals + 1),
                       dtype_hint(text.substr(equals + 1))));
    }
    types[input_position(info, text.substr(0, equals))] = *type;
  }
  return types;
}

void require_told_type(const OperatorInfo& info, std::size_t place, DType told, DType type) {
  if (told == DType::kAbsent || told == type) return;
  const std::string& name = info.inputs[place].name;
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--dtype {}={}: the file's elements are {}, and --dtype converts nothing; it "
                   "names the type of bits for which .npy has no name",
                   name, dtype_name(told), dtype_name(type)));
}

bool is_newest(const std::vector<OperatorInfo>& rows, std::size_t i) {
  return i + 1 == rows.size() || rows[i + 1].name != rows[i].name ||
         rows[i + 1].dialect != rows[i].dialect;
}

std::string domain_text(const OperatorInfo& row) {
  if (row.dialect != "onnx") return row.dialect;
  return row.domain.empty() ? "ai.onnx" : row.domain;
}

namespace {

Json attributes_json(const OperatorInfo& row) {
  Json attributes = Json::object();
  for (const OperatorAttribute& attribute : row.attributes)
    attributes[attribute.name] = default_json(attribute);
  return attributes;
}

}  // namespace

Json operators_document(const std::vector<OperatorInfo>& rows) {
  Json list = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OperatorInfo& row = rows[i];
    Json inputs = Json::array();
    for (const OperatorInput& input : row.inputs) {
      Json types = Json::array();
      for (const DType type : input.dtypes) types.push_back(dtype_name(type));
      inputs.push_back({{"name", input.name},
                        {"dtypes", types},
                        {"type_group", input.type_group},
                        {"optional", input.optional}});
    }
    list.push_back({{"dialect", row.dialect},
                    {"domain", row.dialect == "onnx" ? Json(domain_text(row)) : Json(nullptr)},
                    {"name", row.name},
                    {"since", row.since_version},
                    {"until", is_newest(rows, i) ? Json(nullptr) : Json(row.until_version)},
                    {"deprecated", row.deprecated},
                    {"kind", row.scatter ? "scatter" : "gather"},
                    {"inputs", inputs},
                    {"output", row.output},
                    {"attributes", attributes_json(row)}});
  }
  return {{"operators", list}};
}

}  // namespace windrow::tool
