#ifndef WINDROW_REFERENCE_BATCHES_H_
#define WINDROW_REFERENCE_BATCHES_H_

#include "src/reference/positions.h"
#include "windrow/shape.h"

// Leading axes that data and indices are walked along together; an extent of 1 on one side stands
// for all positions of the other.
namespace windrow::internal::reference {

// Whether each pair of the first `batch` extents is equal or has a 1.
bool batches_repeat(const Shape& data, const Shape& indices, int batch);

// The batch extents of the result.
Shape batch_shape(const Shape& data, const Shape& indices, int batch);

// The batch position to read in a tensor of `shape` for the position `p` of the result.
Position batch_position(const Shape& shape, const Position& p, int batch);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_BATCHES_H_
