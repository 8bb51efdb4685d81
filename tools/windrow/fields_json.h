#ifndef WINDROW_TOOLS_WINDROW_FIELDS_JSON_H_
#define WINDROW_TOOLS_WINDROW_FIELDS_JSON_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/windrow/documents.h"
#include "windrow/check_fields.h"
#include "windrow/explain_fields.h"
#include "windrow/plan_description.h"

// JSON of what plans, checks and explanations give: numbers, flags and texts, names of enumerators,
// lists and optional values, and structures that visit_fields() knows.
namespace windrow::tool {

template <class T>
concept HasFields = requires(const T& value) {
  visit_fields(value, [](std::string_view, const auto&) {});
};

inline Json field_json(DType dtype) { return dtype_name(dtype); }
inline Json field_json(OutOfRange policy) { return out_of_range_name(policy); }
inline Json field_json(NegativeIndex negative) { return negative_name(negative); }
inline Json field_json(Severity severity) { return severity_name(severity); }
inline Json field_json(Verdict verdict) { return verdict_name(verdict); }
inline Json field_json(Evidence evidence) { return evidence_name(evidence); }
inline Json field_json(const Shape& shape) {
  return std::vector<std::int64_t>(shape.begin(), shape.end());
}
// Numbers, texts and truth values; other types, which no operator here has, as null.
Json field_json(const Attributes& attributes);
template <class T>
Json field_json(const T& value);
template <class T>
Json field_json(const std::optional<T>& value);
template <class T>
Json field_json(const std::vector<T>& values);

template <class T>
Json field_json(const T& value) {
  if constexpr (HasFields<T>) {
    Json object = Json::object();
    visit_fields(value, [&object](std::string_view name, const auto& member) {
      object.emplace(name, field_json(member));
    });
    return object;
  } else {
    return value;
  }
}
template <class T>
Json field_json(const std::optional<T>& value) {
  return value ? field_json(*value) : Json(nullptr);
}
template <class T>
Json field_json(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(field_json(value));
  return list;
}

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_FIELDS_JSON_H_
