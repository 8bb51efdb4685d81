#ifndef WINDROW_PYTHON_FIELDS_H_
#define WINDROW_PYTHON_FIELDS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "windrow/attributes.h"
#include "windrow/check.h"
#include "windrow/dtype.h"
#include "windrow/options.h"

namespace windrow {
struct ModelFix;
struct NodeOpset;
struct DomainOpset;
struct ExplainedTensor;
struct TensorAxis;
struct ExplainedAxis;
struct ExplainedOutputAxis;
struct IndexRead;
struct CounterTerm;
struct ExplainedCoordinate;
struct ExplainedPoint;
struct ExplainedWrite;
struct ExplainedCell;
struct Parting;
struct Comparison;
}  // namespace windrow

namespace windrow::tool {
struct CheckedModel;
struct FixRuns;
struct OpsetReport;
}  // namespace windrow::tool

// Conversions between the library's text, which may hold any bytes (names and strings come from
// files), and Python's, which is Unicode.
namespace windrow::python {

// Empty ones. nanobind's own constructors give a null pointer if Python has no memory; these throw
// the Python error.
nanobind::list new_list();
nanobind::dict new_dict();

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
  nanobind::list list = new_list();
  for (const std::string& text : texts) list.append(text_from(text));
  return list;
}

// Structures that visit_fields() knows become objects of the classes below, or dicts if they have
// none. Numbers, flags and texts stand for themselves, enumerators for their names, None for absent
// members; lists become tuples, but lists of dicts.

// The dataclass of a structure, which has its fields in their order. Further members of the class
// follow them.
template <class T>
struct Record {
  const char* module;
  const char* name;
};

struct ExplainedCall;  // check.cc

// python/windrow has these classes; scripts/write_records.py writes their fields.
inline constexpr std::tuple kRecords = {
    Record<FirstDifference>{"windrow._check.report", "FirstDifference"},
    Record<ObservedDifference>{"windrow._check.report", "ObservedDifference"},
    Record<FindingEffect>{"windrow._check.report", "FindingEffect"},
    Record<TriedEffect>{"windrow._check.report", "TriedEffect"},
    Record<PortabilityFinding>{"windrow._check.report", "PortabilityFinding"},
    Record<InputContract>{"windrow._check.report", "InputContract"},
    Record<UnjudgedOperator>{"windrow._check.report", "UnjudgedOperator"},
    Record<tool::CheckedModel>{"windrow._check.report", "CheckReport"},
    Record<RuleEffect>{"windrow._check.rules", "RuleEffect"},
    Record<PortabilityRule>{"windrow._check.rules", "PortabilityRule"},
    Record<ModelFix>{"windrow._fixes.results", "ModelFix"},
    Record<tool::FixRuns>{"windrow._fixes.results", "FixVerification"},
    Record<NodeOpset>{"windrow._fixes.lowest_opset", "NodeOpset"},
    Record<DomainOpset>{"windrow._fixes.lowest_opset", "DomainOpset"},
    Record<tool::OpsetReport>{"windrow._fixes.lowest_opset", "LowestOpset"},
    Record<ExplainedTensor>{"windrow._explain.report", "ExplainedTensor"},
    Record<TensorAxis>{"windrow._explain.report", "TensorAxis"},
    Record<ExplainedAxis>{"windrow._explain.report", "ExplainedAxis"},
    Record<ExplainedOutputAxis>{"windrow._explain.report", "ExplainedOutputAxis"},
    Record<IndexRead>{"windrow._explain.report", "IndexRead"},
    Record<CounterTerm>{"windrow._explain.report", "CounterTerm"},
    Record<ExplainedCoordinate>{"windrow._explain.report", "ExplainedCoordinate"},
    Record<ExplainedPoint>{"windrow._explain.report", "ExplainedPoint"},
    Record<ExplainedWrite>{"windrow._explain.report", "ExplainedWrite"},
    Record<ExplainedCell>{"windrow._explain.report", "ExplainedCell"},
    Record<Parting>{"windrow._explain.report", "Parting"},
    Record<Comparison>{"windrow._explain.report", "Comparison"},
    Record<ExplainedCall>{"windrow._explain.report", "Explanation"},
};

template <class T, class Records>
inline constexpr bool kIsAmong = false;
template <class T, class... All>
inline constexpr bool kIsAmong<T, std::tuple<Record<All>...>> = (std::is_same_v<T, All> || ...);

template <class T>
inline constexpr bool kIsRecord = kIsAmong<T, std::remove_const_t<decltype(kRecords)>>;
template <class T>
inline constexpr bool kIsText =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> || std::is_enum_v<T>;

inline std::string_view name_of(DType value) { return dtype_name(value); }
inline std::string_view name_of(OutOfRange value) { return out_of_range_name(value); }
inline std::string_view name_of(NegativeIndex value) { return negative_name(value); }
inline std::string_view name_of(Severity value) { return severity_name(value); }
inline std::string_view name_of(Verdict value) { return verdict_name(value); }
inline std::string_view name_of(Evidence value) { return evidence_name(value); }

// A dict.
nanobind::object attributes_to_python(const Attributes& attributes);

// `further`: members of the dataclass that the structure does not have.
template <class T>
nanobind::object fields_to_python(const T& value, nanobind::dict further = {});

template <class T>
nanobind::object field_to_python(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return nanobind::bool_(value);
  } else if constexpr (std::is_integral_v<T>) {
    return nanobind::int_(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return nanobind::float_(value);
  } else if constexpr (std::is_enum_v<T>) {
    return text_from(name_of(value));
  } else if constexpr (kIsText<T>) {
    return text_from(value);
  } else if constexpr (std::is_same_v<T, Attributes>) {
    return attributes_to_python(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value ? field_to_python(*value) : nanobind::none();
  } else if constexpr (requires { value.begin(); }) {
    using Element = std::decay_t<decltype(*value.begin())>;
    nanobind::list list = new_list();
    for (const auto& each : value) list.append(field_to_python(each));
    if constexpr (std::is_integral_v<Element> || kIsText<Element> || kIsRecord<Element>)
      return nanobind::tuple(list);
    return list;
  } else {
    return fields_to_python(value);
  }
}

template <class T>
nanobind::object fields_to_python(const T& value, nanobind::dict further) {
  visit_fields(value, [&further](std::string_view name, const auto& member) {
    further[text_from(name)] = field_to_python(member);
  });
  if constexpr (kIsRecord<T>) {
    constexpr Record<T> kClass = std::get<Record<T>>(kRecords);
    return nanobind::module_::import_(kClass.module).attr(kClass.name)(**further);
  } else {
    return further;
  }
}

// The annotation of a field in Python: "tuple[FindingEffect, ...]".
template <class T>
std::string annotation_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_integral_v<T>) {
    return "int";
  } else if constexpr (kIsText<T>) {
    return "str";
  } else if constexpr (std::is_same_v<T, Attributes>) {
    return "dict[str, Any]";
  } else if constexpr (requires(T value) { value.has_value(); }) {
    return annotation_of<typename T::value_type>() + " | None";
  } else if constexpr (requires(T value) { value.begin(); }) {
    return "tuple[" + annotation_of<std::decay_t<decltype(*std::declval<T>().begin())>>() +
           ", ...]";
  } else {
    return std::get<Record<T>>(kRecords).name;
  }
}

// Throws windrow::Error (kInvalidArgument).
void parse_name(const std::string& name, Severity& field);
void parse_name(const std::string& name, Verdict& field);
void parse_name(const std::string& name, Evidence& field);

// The reverse of field_to_python(): reads the attributes of any object. `name` is used in messages.
// Throws windrow::Error (kInvalidArgument), or a Python error (a missing member).
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
      field_from_python(nanobind::object(given.attr(key.c_str())), key, value);
    });
  }
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FIELDS_H_
