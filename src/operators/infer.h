#ifndef WINDROW_OPERATORS_INFER_H_
#define WINDROW_OPERATORS_INFER_H_

#include <cstdint>
#include <optional>
#include <span>

#include "windrow/attributes.h"
#include "windrow/dim.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/status.h"

namespace windrow::internal {

// The value of an input of one element, if it is known.
using KnownValue = std::optional<std::int64_t>;

// The shape of an operator's result from shapes that may hold symbols. An absent optional input has
// an absent shape; missing shapes at the end are unknown. `values`: the known values of the inputs
// on whose value a shape depends (an axis), one entry per input or none at all. Errors:
// kUnsupported, kInvalidArgument, and a definite violation of a shape rule (kShape). Exported for
// windrow::models.
WINDROW_EXPORT Result<SymbolicShape> infer_shape(const OperatorId& id, const Attributes& attributes,
                                                 std::span<const SymbolicShape> inputs,
                                                 std::span<const KnownValue> values = {});

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_INFER_H_
