#ifndef WINDROW_DIALECTS_SCHEMA_H_
#define WINDROW_DIALECTS_SCHEMA_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "windrow/options.h"
#include "windrow/shape.h"

// What every version of an operator has: names of inputs, attributes and output. What differs
// between versions (types) stands in the operator rows.
namespace windrow::internal {

// Inputs of one group have the types of that column of the operator's row.
enum class InputGroup : std::uint8_t {
  kData,
  kCodes,  // of a quantised table, the Schema's kCodeTypes; the result has the type of kData
  kIndex,
  kAxis,   // one integer that the plan is compiled for, of any type
  kDepth,  // the same, of the index types
  kSlice,  // a vector of integers that the plan is compiled for, of the index types
};

// Whether a plan is compiled for the value of such an input.
inline bool is_fixed(InputGroup group) {
  return group == InputGroup::kAxis || group == InputGroup::kDepth || group == InputGroup::kSlice;
}

// The most elements of such an input: a vector has one for each axis.
inline constexpr std::int64_t kMostFixed = kMaxRank;

struct InputSchema {
  std::string_view name;
  InputGroup group = InputGroup::kData;
  bool optional = false;
  // Of kData: whether it may have another type than the first input of the group; the operator's
  // check then says which (T3).
  bool may_differ = false;
  // Of an optional kDepth: the input of ids whose last one says how many there are, so that a call
  // may leave this input out (src/operators/left_out.h); negative: there is none.
  int counted_input = -1;
  // Of an optional input: the optional one in place of which it stands, so that a call gives one of
  // the two; negative: there is none.
  int instead_of = -1;
};

// The inputs of most gathers and scatters.
inline constexpr std::array kDataAndIndices = {InputSchema{"data"},
                                               InputSchema{"indices", InputGroup::kIndex}};
inline constexpr std::array kDataIndicesAndUpdates = {
    InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};

// The inputs of quantised look-ups.
inline constexpr std::array kQuantisedInputs = {
    InputSchema{"data", InputGroup::kCodes}, InputSchema{"indices", InputGroup::kIndex},
    InputSchema{"scales"}, InputSchema{"zero_points", InputGroup::kCodes, true}};

template <class Op>
struct AttributeSchema {
  std::string_view name;
  std::variant<std::int64_t Op::*, std::string Op::*, bool Op::*> member;
  int since = 1;  // the first operator version that has it
  bool required = false;
};
template <class Op, class Value>
AttributeSchema(std::string_view, Value Op::*, int = 1, bool = false) -> AttributeSchema<Op>;

template <class Op>
struct Schema;

// What an index out of range means if the call does not say: the Schema's own policy(), or an
// error.
template <class Op>
OutOfRange own_policy(int version, bool strict) {
  if constexpr (requires { Schema<Op>::policy(version, strict); }) {
    return Schema<Op>::policy(version, strict);
  } else {
    return OutOfRange::kError;
  }
}

template <class Op>
OutOfRange policy_of(const Op& op, const CallOptions& options) {
  return options.out_of_range.value_or(own_policy<Op>(op.version, options.strict));
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_SCHEMA_H_
