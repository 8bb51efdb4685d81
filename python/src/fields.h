#ifndef WINDROW_PYTHON_FIELDS_H_
#define WINDROW_PYTHON_FIELDS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "python/src/call_options.h"
#include "windrow/check.h"
#include "windrow/dtype.h"
#include "windrow/options.h"

// Conversions between the library's text, which may hold any bytes (names and strings come from
// files), and Python's, which is Unicode.
namespace windrow::python {

// The text as a str. Bytes that are not UTF-8 become lone surrogates, as in Python's file names, so
// that bytes_of() restores them. Throws a Python error if memory runs out.
nanobind::object text_from(std::string_view bytes);

// The text for messages: bytes that are not UTF-8 are escaped, as in "\xff".
nanobind::object shown_text_from(std::string_view bytes);

// The bytes of a str that text_from() may have made. Throws windrow::Error (kInvalidArgument) for
// objects that are not a str and for other lone surrogates; `name` is the parameter's name for the
// message.
std::string bytes_of(PyObject* text, const char* name);

// A list of the texts, each as text_from() gives it.
inline nanobind::list texts_to_python(const std::vector<std::string>& texts) {
  nanobind::list list;
  for (const std::string& text : texts) list.append(text_from(text));
  return list;
}

// Converts structures that visit_fields() knows to dicts and back: numbers, flags, texts, names of
// enumerators, None for absent members, tuples of numbers and texts, lists of dicts.

inline std::string_view name_of(DType value) { return dtype_name(value); }
inline std::string_view name_of(OutOfRange value) { return out_of_range_name(value); }
inline std::string_view name_of(Severity value) { return severity_name(value); }
inline std::string_view name_of(Verdict value) { return verdict_name(value); }
inline std::string_view name_of(Evidence value) { return evidence_name(value); }

template <class T>
nanobind::dict fields_to_python(const T& value);

template <class T>
inline constexpr bool kIsPlain = std::is_integral_v<T> || std::is_same_v<T, std::string>;

template <class T>
nanobind::object field_to_python(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return nanobind::bool_(value);
  } else if constexpr (std::is_integral_v<T>) {
    return nanobind::int_(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text_from(value);
  } else if constexpr (std::is_enum_v<T>) {
    return text_from(name_of(value));
  } else if constexpr (requires { value.begin(); }) {
    nanobind::list list;
    for (const auto& each : value) list.append(field_to_python(each));
    if constexpr (kIsPlain<std::decay_t<decltype(*value.begin())>>) return nanobind::tuple(list);
    return list;
  } else {
    return fields_to_python(value);
  }
}

template <class T>
nanobind::object field_to_python(const std::optional<T>& value) {
  return value ? field_to_python(*value) : nanobind::none();
}

template <class T>
nanobind::dict fields_to_python(const T& value) {
  nanobind::dict dict;
  visit_fields(value, [&dict](std::string_view name, const auto& member) {
    dict[text_from(name)] = field_to_python(member);
  });
  return dict;
}

// Throws windrow::Error (kInvalidArgument).
void parse_name(const std::string& name, Severity& field);
void parse_name(const std::string& name, Verdict& field);
void parse_name(const std::string& name, Evidence& field);

// The reverse of field_to_python(). `name` is used in messages. Throws windrow::Error
// (kInvalidArgument), or a Python error (a missing member).
template <class T>
void field_from_python(const nanobind::handle& given, const std::string& name, T& field) {
  if constexpr (std::is_integral_v<T>) {
    field = static_cast<T>(integer_of(given.ptr(), name));
  } else if constexpr (std::is_same_v<T, std::string>) {
    field = bytes_of(given.ptr(), name.c_str());
  } else if constexpr (std::is_enum_v<T>) {
    parse_name(bytes_of(given.ptr(), name.c_str()), field);
  } else if constexpr (requires { field.emplace_back(); }) {
    for (const nanobind::handle& each : given) field_from_python(each, name, field.emplace_back());
  } else if constexpr (requires { field.has_value(); }) {
    if (!given.is_none()) field_from_python(given, name, field.emplace());
  } else {
    visit_fields(field, [&given](std::string_view member, auto& value) {
      const std::string key(member);
      field_from_python(nanobind::object(given[key.c_str()]), key, value);
    });
  }
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FIELDS_H_
