#ifndef WINDROW_OPERATORS_OPERATOR_CALL_H_
#define WINDROW_OPERATORS_OPERATOR_CALL_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/dialects/schema.h"
#include "src/operators/operator_row.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An operator version with its attributes, for calls by name as well as typed calls.
struct OperatorCall {
  const OperatorRow& row;
  const void* op;  // the row's struct, which parse() or the caller made
};

// Precondition of compile_call() and run_call(): check_input_count(). Returns the plan of an
// earlier equal call if it is still kept. Errors: those of windrow::compile, except for those of
// names.
Result<Plan> compile_call(const OperatorCall& call, std::span<const TensorSpec> inputs,
                          const CallOptions& options);

// windrow::compile for the row that find_row() returned.
Result<Plan> compile_row(const OperatorRow& row, const Attributes& attributes,
                         std::span<const TensorSpec> inputs, const CallOptions& options);

// Compiles for the inputs and runs. The value that a plan is compiled for is read only once.
Result<Tensor> run_call(const OperatorCall& call, std::span<const TensorView> inputs,
                        const CallOptions& options, const RunOptions& run);

// The arguments of compile_call() for inputs in memory. If an input that the plan is compiled for
// is not a single element, its value is left out (the operator's rules report the error). Errors:
// kOutOfMemory.
Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs);

// Converts attributes by name to an operator's struct, and checks the rules of both.

// Not inline: otherwise g++ 12 warns about something that variants of vectors never do.
AttributeValue attribute_value(std::int64_t value);
AttributeValue attribute_value(const std::string& value);
AttributeValue attribute_value(bool value);

// The attributes of an operator version with their defaults.
template <class Op>
std::vector<OperatorAttribute> list_attributes(int version) {
  const Op defaults{};
  std::vector<OperatorAttribute> list;
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes) {
    if (attribute.since > version) continue;
    std::visit(
        [&](auto member) {
          list.push_back(
              {std::string(attribute.name), attribute_value(defaults.*member), attribute.required});
        },
        attribute.member);
    if constexpr (requires { Schema<Op>::reductions(version); }) {
      if (attribute.name != "reduction") continue;
      for (const auto& known : Schema<Op>::reductions(version))
        list.back().values.emplace_back(known.name);
    }
  }
  return list;
}

// The attributes' names, "axis, reduction"; "none" for an operator without attributes.
std::string attribute_names(const OperatorRow& row);

// A2: the operator has no attribute of that name.
Status unknown_attribute(const OperatorRow& row, const std::string& name);

// Converts a value to type Value if it has the right kind. Truth values may also be the integers 0
// and 1, from formats that have no others.
template <class Value>
std::optional<Value> attribute_as(const AttributeValue& value) {
  if (const auto* typed = std::get_if<Value>(&value)) return *typed;
  if constexpr (std::is_same_v<Value, bool>) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && (*number == 0 || *number == 1)) return *number == 1;
  }
  return std::nullopt;
}

template <class Value>
constexpr std::string_view attribute_kind() {
  if constexpr (std::is_same_v<Value, bool>) return "true or false";
  return std::is_same_v<Value, std::int64_t> ? "an integer" : "a string";
}

// Sets `member`, or returns an error that says what the value must be.
template <class Value>
Status set_attribute(const OperatorRow& row, const std::string& name, const AttributeValue& value,
                     Value& member) {
  if (auto typed = attribute_as<Value>(value)) {
    member = *std::move(typed);
    return {};
  }
  return row.broken(ErrorCode::kInvalidArgument, "A2",
                    "attribute '" + name + "' must be " + std::string(attribute_kind<Value>()));
}

// Sets the members of a struct that holds the defaults. Errors: A2.
template <class Op>
Status parse_attributes(const OperatorRow& row, const Attributes& attributes, Op& op) {
  for (const auto& entry : attributes) {
    const std::string& name = entry.first;
    const AttributeSchema<Op>* found = nullptr;
    for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes)
      if (attribute.name == name && attribute.since <= row.since) found = &attribute;
    if (found == nullptr) return unknown_attribute(row, name);
    if (Status status = std::visit(
            [&](auto member) { return set_attribute(row, name, entry.second, op.*member); },
            found->member);
        !status)
      return status;
  }
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes)
    if (attribute.required && !attributes.contains(attribute.name))
      return row.broken(ErrorCode::kInvalidArgument, "A2",
                        "attribute '" + std::string(attribute.name) + "' is missing");
  return {};
}

// A2: a member that the row's version does not have must keep its default.
template <class Op>
Status check_members(const OperatorRow& row, const Op& op) {
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes) {
    if (attribute.since <= row.since) continue;
    const Op defaults{};
    if (std::visit([&](auto member) { return op.*member != defaults.*member; }, attribute.member))
      return unknown_attribute(row, std::string(attribute.name));
  }
  return {};
}

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_CALL_H_
