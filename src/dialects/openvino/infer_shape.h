#ifndef WINDROW_DIALECTS_OPENVINO_INFER_SHAPE_H_
#define WINDROW_DIALECTS_OPENVINO_INFER_SHAPE_H_

#include <span>

#include "src/dialects/known_values.h"
#include "windrow/dim.h"
#include "windrow/openvino_attributes.h"
#include "windrow/status.h"

// The result's shape from shapes that may hold unknown dimensions. What is unknown stays unknown; a
// definite break of a rule is an error with its label. `op.version` is the operator's own version.
// One entry per input; `values` holds what is known of an input of one element (the axis), one
// entry per input or none at all.
namespace windrow::internal {

Result<SymbolicShape> infer_shape(const openvino::Gather& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values);
Result<SymbolicShape> infer_shape(const openvino::GatherElements& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values);
Result<SymbolicShape> infer_shape(const openvino::GatherND& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values);
Result<SymbolicShape> infer_shape(const openvino::ScatterUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values);
Result<SymbolicShape> infer_shape(const openvino::ScatterElementsUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values);
Result<SymbolicShape> infer_shape(const openvino::ScatterNDUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_INFER_SHAPE_H_
