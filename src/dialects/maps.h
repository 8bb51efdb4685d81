#ifndef WINDROW_DIALECTS_MAPS_H_
#define WINDROW_DIALECTS_MAPS_H_

#include <vector>

#include "src/access/access_map.h"
#include "src/dialects/rules.h"

// The address shapes that the operators of all dialects are made of. Unless a comment says
// otherwise, the indices are the operator's input 1 and the shapes satisfy the operator's rules.
namespace windrow::internal {

// data[:axis] ++ indices[batch_dims:] ++ data[axis+1:], the axis being indexed; the first
// `batch_dims` axes are common to data and indices; an axis of extent 1 on one side only is read
// there at position 0.
AccessMap slice_map(const Shape& data, const Shape& indices, int axis, int batch_dims,
                    const IndexUse& use);

// One element of data for every index: a loop for each axis except `axis`, which is indexed.
AccessMap element_map(const Shape& data, const Shape& indices, int axis, const IndexUse& use);

// The same where both have one rank and broadcast off the axis: the loops have the extent of
// indices along it, and off it that of the side whose extent is not 1; the other side is read there
// at position 0.
AccessMap broadcast_element_map(const Shape& data, const Shape& indices, int axis,
                                const IndexUse& use);

// A slice of data for every tuple along the last axis of indices. The first `batch_dims` axes are
// common to both; an axis of extent 1 on one side only is read there at position 0.
AccessMap tuple_map(const Shape& data, const Shape& indices, int batch_dims, const IndexUse& use);

// A cell of a tensor for every index: indices' shape with an axis of extent `depth` in it, which
// the indices (input 0) address.
AccessMap one_hot_map(const Shape& indices, int axis, std::int64_t depth, const IndexUse& use);

// How entries are written into a cache: from the write index of their batch entry (axis 0) on.
struct Sequence {
  int write_indices = -1;  // the input; -1: all start at 0
  bool circular = false;
  IndexUse use = {OutOfRange::kError, Negatives::kOutside};
};

// One element of cache for every element of update, the sequence axis being shifted.
AccessMap sequence_map(const Shape& cache, const Shape& update, int axis, const Sequence& sequence);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_MAPS_H_
