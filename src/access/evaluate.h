#ifndef WINDROW_ACCESS_EVALUATE_H_
#define WINDROW_ACCESS_EVALUATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/access/access_map.h"
#include "windrow/shape.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The value of an element of an index tensor, as index_value() defines it. The type is any integer
// type, float16, bfloat16, float32 or float64. `data` addresses the element; in a packed tensor
// that is the first one.
std::int64_t read_index(DType dtype, const void* data);

// The value of element `number`, in row-major order, of an index tensor with memory.
std::int64_t read_index_at(const TensorView& indices, std::int64_t number);

// The distance in bytes of element `number`, in row-major order, from a tensor's first one. The
// type is not packed.
std::int64_t element_offset(const TensorView& view, std::int64_t number);

// The element that `data` addresses in decimal, including a uint64 above what read_index() can
// return.
std::string index_text(DType dtype, const void* data);

// The term's padding, if an index of the type can hold it.
std::optional<std::int64_t> padding_of(const IndexTerm& term, DType dtype);

// Whether an index element is the term's padding. `element` addresses it as for read_index().
bool is_padding(const IndexTerm& term, DType dtype, const void* element);

// The position at which a term reads its index tensor for a loop point.
Dims index_position(const IndexTerm& term, const Dims& point);

// What an index element adds to the coordinate on its axis: counted from the end, or a remainder,
// where term and policy say so. `element` addresses it; in a packed tensor it is the first one.
std::int64_t count_index(const IndexTerm& term, const AxisMap& axis, DType dtype,
                         const void* element);

// The sum of an axis's base and its counters at a loop point: its coordinate without the index
// terms.
std::int64_t counted_loops(const AxisMap& axis, const Dims& point);

// The coordinate that the axis's policy makes of a sum; nothing if it is outside.
std::optional<std::int64_t> place(std::int64_t sum, const AxisMap& axis);

// Evaluates an access map point by point: the definition of what a plan does. Every index must be
// legal. `inputs` are the operator's, of which the index tensors are read. Returns the position in
// the indirect tensor, or nothing if the point is outside (zero, skip, padding).
std::optional<Dims> evaluate(const AccessMap& map, std::span<const TensorView> inputs,
                             const Dims& point);

// Whether every loop and axis that the map names exists, and every axis without index terms stays
// in [0, extent) as long as there is a point at all. Builders make valid maps only; their tests
// check it.
bool is_valid(const AccessMap& map);

// The map in which each uniform axis of the indirect tensor, and the loop that walks it, has extent
// 1. An axis is uniform if one loop walks all of it and nothing else: no other axis, and no index
// tensor (of `inputs`, the operator's) except along an axis of stride 0, where all its elements are
// the same one.
// Law: a cell of the indirect tensor is addressed as often as the map's cell with 0 in place of its
// coordinates on these axes.
AccessMap without_uniform_axes(const AccessMap& map, std::span<const TensorSpec> inputs);

// The extents of a map's axes.
Shape indirect_shape(const AccessMap& map);

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_EVALUATE_H_
