#ifndef WINDROW_OPERATORS_INFER_H_
#define WINDROW_OPERATORS_INFER_H_

#include <span>

#include "windrow/attributes.h"
#include "windrow/dim.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/status.h"

namespace windrow::internal {

// The shape of an operator's result from shapes that may hold symbols (an absent optional input as
// an absent shape). Errors: kUnsupported, kInvalidArgument, and a definite break of a shape rule
// (kShape). Exported for windrow::models.
WINDROW_EXPORT Result<SymbolicShape> infer_shape(const OperatorId& id, const Attributes& attributes,
                                                 std::span<const SymbolicShape> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_INFER_H_
