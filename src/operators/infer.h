#ifndef WINDROW_OPERATORS_INFER_H_
#define WINDROW_OPERATORS_INFER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "windrow/attributes.h"
#include "windrow/dim.h"
#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/status.h"

namespace windrow::internal {

// The value of an input of one element, if it is known.
using KnownValue = std::optional<std::int64_t>;

// Whether an input is given, and its element type; kAbsent: it is not known, or one that the
// library does not have, whose name is `other_type`.
struct OperandType {
  DType dtype = DType::kAbsent;
  bool is_given = true;
  std::string other_type = {};
  bool is_absent() const noexcept { return !is_given; }
  friend bool operator==(const OperandType&, const OperandType&) = default;
};

// The shape of an operator's result from shapes that may hold symbols. An absent optional input has
// an absent shape; missing shapes at the end are unknown. `values`: the known values of the inputs
// on whose value a shape depends (an axis), one entry per input or none at all. `given`: the inputs
// of the call, or none at all: then nothing is judged about their number and types. Errors:
// kUnsupported, and, as windrow::compile gives it, the first rule about the number of inputs,
// attributes, types and shapes that is broken whatever is not known (kInvalidArgument, kType,
// kShape). Exported for windrow::models.
WINDROW_EXPORT Result<SymbolicShape> infer_shape(const OperatorId& id, const Attributes& attributes,
                                                 std::span<const SymbolicShape> inputs,
                                                 std::span<const KnownValue> values = {},
                                                 std::span<const OperandType> given = {});

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_INFER_H_
