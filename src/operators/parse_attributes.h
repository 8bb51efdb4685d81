#ifndef WINDROW_OPERATORS_PARSE_ATTRIBUTES_H_
#define WINDROW_OPERATORS_PARSE_ATTRIBUTES_H_

#include <string>
#include <type_traits>
#include <vector>

#include "src/dialects/onnx/schema.h"
#include "src/operators/operator_row.h"

// Between an operator's struct of attributes and attributes by name.
namespace windrow::internal {

// Not inline: g++ 12 warns of what variants of vectors never do.
AttributeValue attribute_value(std::int64_t value);
AttributeValue attribute_value(const std::string& value);

// The attributes of an operator version with their defaults.
template <class Op>
std::vector<OperatorAttribute> list_attributes(int version) {
  static const Op defaults{};
  std::vector<OperatorAttribute> list;
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes) {
    if (attribute.since > version) continue;
    std::visit(
        [&](auto member) {
          list.push_back({std::string(attribute.name), attribute_value(defaults.*member)});
        },
        attribute.member);
  }
  return list;
}

// "axis, reduction"; "none" for an operator without attributes.
std::string attribute_names(const OperatorRow& row);

// Sets `member` from a value of its own type; else an error that names what it must be.
template <class Value>
Status set_attribute(const OperatorRow& row, const std::string& name, const AttributeValue& value,
                     Value& member) {
  if (const auto* typed = std::get_if<Value>(&value)) {
    member = *typed;
    return {};
  }
  constexpr bool kInteger = std::is_same_v<Value, std::int64_t>;
  return row.broken(ErrorCode::kInvalidArgument, "A2",
                    "attribute '" + name + "' must be " + (kInteger ? "an integer" : "a string"));
}

// The struct of a row's version. Errors: A2.
template <class Op>
Result<Op> parse_attributes(const OperatorRow& row, const Attributes& attributes) {
  Op op;
  op.version = row.since;
  for (const auto& entry : attributes) {
    const std::string& name = entry.first;
    const AttributeSchema<Op>* found = nullptr;
    for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes)
      if (attribute.name == name && attribute.since <= row.since) found = &attribute;
    if (found == nullptr)
      return row.broken(ErrorCode::kInvalidArgument, "A2",
                        "attribute '" + name + "' is unknown; there is: " + attribute_names(row));
    Status status;
    std::visit([&](auto member) { status = set_attribute(row, name, entry.second, op.*member); },
               found->member);
    if (!status) return status;
  }
  return op;
}

// The attributes by name of a struct; those that the row's version lacks only where they differ
// from their default, so that parsing them says what is wrong.
template <class Op>
Attributes name_attributes(const OperatorRow& row, const Op& op) {
  static const Op defaults{};
  Attributes attributes;
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes) {
    std::visit(
        [&](auto member) {
          if (attribute.since <= row.since || op.*member != defaults.*member)
            attributes.emplace(attribute.name, attribute_value(op.*member));
        },
        attribute.member);
  }
  return attributes;
}

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PARSE_ATTRIBUTES_H_
