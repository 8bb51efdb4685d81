#ifndef WINDROW_DIALECTS_ARRAY_INFER_SHAPE_H_
#define WINDROW_DIALECTS_ARRAY_INFER_SHAPE_H_

#include <span>

#include "windrow/array_attributes.h"
#include "windrow/dim.h"
#include "windrow/status.h"

// The result's shape from shapes that may hold unknown dimensions. What is unknown stays unknown; a
// definite break of a rule is an error with its label. One entry per input.
namespace windrow::internal {

Result<SymbolicShape> infer_shape(const array::Take& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const array::TakeAlongAxis& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const array::PutAlongAxis& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const array::IndexAdd& op, std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const array::IndexReduce& op,
                                  std::span<const SymbolicShape> inputs);
Result<SymbolicShape> infer_shape(const array::SegmentReduce& op,
                                  std::span<const SymbolicShape> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_INFER_SHAPE_H_
