#ifndef WINDROW_DIALECTS_TENSORRT_INFER_SHAPE_H_
#define WINDROW_DIALECTS_TENSORRT_INFER_SHAPE_H_

#include <span>

#include "src/dialects/known_values.h"
#include "windrow/dim.h"
#include "windrow/status.h"
#include "windrow/tensorrt_attributes.h"

// The result's shape from shapes that may hold unknown dimensions. What is unknown stays unknown; a
// definite break of a rule is an error with its label. One entry per input.
namespace windrow::internal {

Result<SymbolicShape> infer_shape(const tensorrt::Gather& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const tensorrt::Scatter& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const tensorrt::OneHot& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values);
Result<SymbolicShape> infer_shape(const tensorrt::KVCacheUpdate& op,
                                  std::span<const SymbolicShape> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_INFER_SHAPE_H_
