#ifndef WINDROW_DIALECTS_OPENVINO_INFER_AXIS_H_
#define WINDROW_DIALECTS_OPENVINO_INFER_AXIS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "src/dialects/infer_rules.h"
#include "src/dialects/openvino/infer_shape.h"

namespace windrow::internal {

// The axis in [0, r) that input number `input` names; nothing where its value or the rank of data
// is not known. Errors: a definite break of A1.
Result<std::optional<std::int64_t>> infer_axis(const Rules& rules, const InferredInput& data,
                                               std::span<const SymbolicShape> inputs,
                                               KnownValues values, std::size_t input);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_INFER_AXIS_H_
