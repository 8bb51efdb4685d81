#ifndef WINDROW_ARRAY_H_
#define WINDROW_ARRAY_H_

#include <span>

#include "windrow/array_attributes.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/plan.h"

// NumPy's and the Array API's row operations, typed. Each function compiles and runs in one call;
// compile() keeps the plan. Shapes, types and errors: docs/operators/array.md, by the labels that
// errors carry.
namespace windrow {

// Inputs in the operator's order. Errors: kType, kShape, kInvalidArgument, kUnsupported (no such
// version).
WINDROW_EXPORT Result<Plan> compile(const array::Take& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::TakeAlongAxis& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::PutAlongAxis& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::IndexReduce& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::SegmentReduce& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::EmbeddingBag& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const array::TakeQuantized& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

namespace array {

// data [.., extent at axis, ..], indices of any rank -> data[:axis] ++ indices ++ data[axis+1:].
WINDROW_EXPORT Result<Tensor> take(const TensorView& data, const TensorView& indices,
                                   const Take& op = {}, const CallOptions& options = {},
                                   const RunOptions& run = {});
// data and indices of one rank -> the extent of indices at the axis, off it the broadcast extents.
WINDROW_EXPORT Result<Tensor> take_along_axis(const TensorView& data, const TensorView& indices,
                                              const TakeAlongAxis& op = {},
                                              const CallOptions& options = {},
                                              const RunOptions& run = {});
// data and indices of one rank, values that broadcast to the shape of take_along_axis -> the shape
// of data.
WINDROW_EXPORT Result<Tensor> put_along_axis(const TensorView& data, const TensorView& indices,
                                             const TensorView& values, const PutAlongAxis& op = {},
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});
// data, indices [n], updates data[:axis] ++ [n] ++ data[axis+1:] -> the shape of data.
WINDROW_EXPORT Result<Tensor> index_add(const TensorView& data, const TensorView& indices,
                                        const TensorView& updates, const IndexAdd& op = {},
                                        const CallOptions& options = {},
                                        const RunOptions& run = {});
// Inputs and result have the shapes of index_add().
WINDROW_EXPORT Result<Tensor> index_reduce(const TensorView& data, const TensorView& indices,
                                           const TensorView& updates, const IndexReduce& op = {},
                                           const CallOptions& options = {},
                                           const RunOptions& run = {});
// data [n, ..], segment_ids [n] -> [num_segments] ++ data[1:]. Or segment_ids absent (a default
// view) and offsets [num_segments] or [num_segments + 1].
WINDROW_EXPORT Result<Tensor> segment_reduce(const TensorView& data, const TensorView& segment_ids,
                                             const TensorView& offsets, const SegmentReduce& op,
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});
// table [rows, ..], ids [n] with offsets [bags], or ids [bags, n] without (a default view), weights
// of the shape of ids or a default view -> [bags] ++ table[1:]. The rows of each bag are summed.
WINDROW_EXPORT Result<Tensor> embedding_bag(const TensorView& table, const TensorView& ids,
                                            const TensorView& offsets, const TensorView& weights,
                                            const EmbeddingBag& op = {},
                                            const CallOptions& options = {},
                                            const RunOptions& run = {});
// data [.., extent at axis, ..] of codes, indices of any rank, scales with the extent of blocks at
// quantize_axis, zero_points of the type of data and the shape of scales, packed as data is, or
// absent -> (data - zero_points) * scales at the indices: data[:axis] ++ indices ++ data[axis+1:],
// each value of data counted.
WINDROW_EXPORT Result<Tensor> take_quantized(const TensorView& data, const TensorView& indices,
                                             const TensorView& scales,
                                             const TensorView& zero_points = {},
                                             const TakeQuantized& op = {},
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});

}  // namespace array
}  // namespace windrow

#endif  // WINDROW_ARRAY_H_
