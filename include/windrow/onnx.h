#ifndef WINDROW_ONNX_H_
#define WINDROW_ONNX_H_

#include <span>

#include "windrow/export.h"
#include "windrow/onnx_attributes.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/plan.h"

// The ONNX operators, typed. Each function compiles and runs in one call; compile() keeps the plan.
// Shapes, types and errors of every version: docs/operators/onnx.md, by the labels that errors
// carry.
namespace windrow {

// Inputs in the operator's order. Errors: kType, kShape, kInvalidArgument, kUnsupported (a version
// before the operator's first).
WINDROW_EXPORT Result<Plan> compile(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::GatherElements& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::ScatterElements& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::TensorScatter& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::ArrayFeatureExtractor& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const onnx::GatherBlockQuantized& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

namespace onnx {

// data [.., extent at axis, ..], indices of any rank -> data[:axis] ++ indices ++ data[axis+1:].
WINDROW_EXPORT Result<Tensor> gather(const TensorView& data, const TensorView& indices,
                                     const Gather& op = {}, const CallOptions& options = {},
                                     const RunOptions& run = {});
// data and indices of one rank -> the shape of indices.
WINDROW_EXPORT Result<Tensor> gather_elements(const TensorView& data, const TensorView& indices,
                                              const GatherElements& op = {},
                                              const CallOptions& options = {},
                                              const RunOptions& run = {});
// indices [.., K] -> indices[:-1] ++ data[batch_dims + K:].
WINDROW_EXPORT Result<Tensor> gather_nd(const TensorView& data, const TensorView& indices,
                                        const GatherND& op = {}, const CallOptions& options = {},
                                        const RunOptions& run = {});
// data, indices and updates of one rank -> the shape of data. Deprecated by ONNX since opset 11.
WINDROW_EXPORT Result<Tensor> scatter(const TensorView& data, const TensorView& indices,
                                      const TensorView& updates, const Scatter& op = {},
                                      const CallOptions& options = {}, const RunOptions& run = {});
// data, indices and updates of one rank -> the shape of data.
WINDROW_EXPORT Result<Tensor> scatter_elements(const TensorView& data, const TensorView& indices,
                                               const TensorView& updates,
                                               const ScatterElements& op = {},
                                               const CallOptions& options = {},
                                               const RunOptions& run = {});
// indices [.., K], updates indices[:-1] ++ data[K:] -> the shape of data.
WINDROW_EXPORT Result<Tensor> scatter_nd(const TensorView& data, const TensorView& indices,
                                         const TensorView& updates, const ScatterND& op = {},
                                         const CallOptions& options = {},
                                         const RunOptions& run = {});
// past_cache [batch, .., max, ..], update [batch, .., length, ..], write_indices [batch] or absent
// -> the shape of past_cache.
WINDROW_EXPORT Result<Tensor> tensor_scatter(const TensorView& past_cache, const TensorView& update,
                                             const TensorView& write_indices = {},
                                             const TensorScatter& op = {},
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});
// indices of any shape, depth one number, values [off, on] -> indices with an axis of that depth.
WINDROW_EXPORT Result<Tensor> one_hot(const TensorView& indices, const TensorView& depth,
                                      const TensorView& values, const OneHot& op = {},
                                      const CallOptions& options = {}, const RunOptions& run = {});
// x [.., n], y of m int64 -> x[:-1] ++ [m]; rank-1 x gives [1, m].
WINDROW_EXPORT Result<Tensor> array_feature_extractor(const TensorView& x, const TensorView& y,
                                                      const ArrayFeatureExtractor& op = {},
                                                      const CallOptions& options = {},
                                                      const RunOptions& run = {});

// data [.., s, ..] of codes, scales with the extent of blocks at quantize_axis, zero_points of the
// type of data and the shape of scales, packed as data is, or absent -> (data - zero_points) *
// scales at the indices, of the type of scales: data[:gather_axis] ++ indices ++
// data[gather_axis+1:], each value of data counted.
WINDROW_EXPORT Result<Tensor> gather_block_quantized(
    const TensorView& data, const TensorView& indices, const TensorView& scales,
    const TensorView& zero_points = {}, const GatherBlockQuantized& op = {},
    const CallOptions& options = {}, const RunOptions& run = {});

}  // namespace onnx
}  // namespace windrow

#endif  // WINDROW_ONNX_H_
