#ifndef WINDROW_TENSORRT_H_
#define WINDROW_TENSORRT_H_

#include <span>

#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/tensorrt_attributes.h"

// The TensorRT layers, typed. Each function compiles and runs in one call; compile() keeps the
// plan. Shapes, types and errors: docs/operators/tensorrt.md, by the labels that errors carry.
namespace windrow {

// Inputs in the layer's order. Errors: kType, kShape, kInvalidArgument, kUnsupported (no such
// release).
WINDROW_EXPORT Result<Plan> compile(const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const tensorrt::KVCacheUpdate& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

namespace tensorrt {

// DEFAULT: data, indices of any rank -> data[:axis] ++ indices ++ data[axis+1:], with one common
// leading axis if num_elementwise_dims is 1. ELEMENT: the shape of indices. ND: indices
// [elementwise.., .., K] -> indices[:-1] ++ data[num_elementwise_dims+K:].
WINDROW_EXPORT Result<Tensor> gather(const TensorView& data, const TensorView& indices,
                                     const Gather& op = {}, const CallOptions& options = {},
                                     const RunOptions& run = {});
// ELEMENT: data, indices and updates of one rank; ND: updates indices[:-1] ++ data[K:] -> the shape
// of data.
WINDROW_EXPORT Result<Tensor> scatter(const TensorView& data, const TensorView& indices,
                                      const TensorView& updates, const Scatter& op = {},
                                      const CallOptions& options = {}, const RunOptions& run = {});
// indices of any shape, depth one number, values [off, on] -> indices with an axis of that depth.
WINDROW_EXPORT Result<Tensor> one_hot(const TensorView& indices, const TensorView& values,
                                      const TensorView& depth, const OneHot& op = {},
                                      const CallOptions& options = {}, const RunOptions& run = {});
// cache [B, N, Smax, H], update [B, N, S, H], write_indices [B] -> the shape of cache. In place:
// Plan::run with the cache as the output.
WINDROW_EXPORT Result<Tensor> kv_cache_update(const TensorView& cache, const TensorView& update,
                                              const TensorView& write_indices,
                                              const KVCacheUpdate& op = {},
                                              const CallOptions& options = {},
                                              const RunOptions& run = {});

}  // namespace tensorrt
}  // namespace windrow

#endif  // WINDROW_TENSORRT_H_
