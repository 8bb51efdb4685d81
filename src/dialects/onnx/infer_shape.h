#ifndef WINDROW_DIALECTS_ONNX_INFER_SHAPE_H_
#define WINDROW_DIALECTS_ONNX_INFER_SHAPE_H_

#include <span>

#include "src/dialects/known_values.h"
#include "windrow/dim.h"
#include "windrow/onnx_attributes.h"
#include "windrow/status.h"

// The result's shape from shapes that may hold symbols: ONNX's own inference rules. What is unknown
// stays unknown; a definite break of a rule is an error with its label. `op.version` is the
// operator's own version. One entry per input, an absent input as an absent shape.
namespace windrow::internal {

Result<SymbolicShape> infer_shape(const onnx::Gather& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::GatherElements& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::GatherND& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::Scatter& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::ScatterElements& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::ScatterND& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::TensorScatter& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const onnx::OneHot& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values);
Result<SymbolicShape> infer_shape(const onnx::ArrayFeatureExtractor& op,
                                  std::span<const SymbolicShape> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_INFER_SHAPE_H_
