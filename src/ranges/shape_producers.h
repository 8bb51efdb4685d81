#ifndef WINDROW_RANGES_SHAPE_PRODUCERS_H_
#define WINDROW_RANGES_SHAPE_PRODUCERS_H_

#include "windrow/models.h"

namespace windrow::internal {

// Moves nodes whose results have other shapes in runtimes than in onnx's shape inference to a
// domain that the inference does not know: NonZero (of a scalar), and Slice with a negative step
// and the largest number as its end.
void hide_operators(Model& model);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_SHAPE_PRODUCERS_H_
