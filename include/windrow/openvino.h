#ifndef WINDROW_OPENVINO_H_
#define WINDROW_OPENVINO_H_

#include <span>

#include "windrow/export.h"
#include "windrow/openvino_attributes.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/plan.h"

// The OpenVINO operators, typed. Each function compiles and runs in one call; compile() keeps the
// plan. Shapes, types and errors of every version: docs/operators/openvino.md, by the labels that
// errors carry.
namespace windrow {

// Inputs in the operator's order; the spec of an axis, depth or num_segments input, and of the
// vectors of SliceScatter, carries its value (TensorSpec::value). Errors: kType, kShape,
// kInvalidArgument, kUnsupported (no such version).
WINDROW_EXPORT Result<Plan> compile(const openvino::Gather& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::GatherElements& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::GatherND& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::ScatterUpdate& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::ScatterElementsUpdate& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::ScatterNDUpdate& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::OneHot& op, std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::SegmentMax& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::SliceScatter& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

WINDROW_EXPORT Result<Plan> compile(const openvino::EmbeddingBagOffsetsSum& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::EmbeddingBagOffsets& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::EmbeddingBagPackedSum& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::EmbeddingBagPacked& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::EmbeddingSegmentsSum& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
WINDROW_EXPORT Result<Plan> compile(const openvino::GatherTree& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

namespace openvino {

// data [.., extent at axis, ..], indices of any rank, axis of one integer element
// -> data[:axis] ++ indices[batch_dims:] ++ data[axis+1:].
WINDROW_EXPORT Result<Tensor> gather(const TensorView& data, const TensorView& indices,
                                     const TensorView& axis, const Gather& op = {},
                                     const CallOptions& options = {}, const RunOptions& run = {});
// data and indices of one rank, equal off the axis -> the shape of indices.
WINDROW_EXPORT Result<Tensor> gather_elements(const TensorView& data, const TensorView& indices,
                                              const GatherElements& op = {},
                                              const CallOptions& options = {},
                                              const RunOptions& run = {});
// data [batch.., ..], indices [batch.., .., K] -> batch ++ indices[batch_dims:-1] ++
// data[batch_dims+K:]; version 5 joins the batch axes into one.
WINDROW_EXPORT Result<Tensor> gather_nd(const TensorView& data, const TensorView& indices,
                                        const GatherND& op = {}, const CallOptions& options = {},
                                        const RunOptions& run = {});
// data, indices of any rank, updates data[:axis] ++ indices ++ data[axis+1:], axis of one integer
// element -> the shape of data.
WINDROW_EXPORT Result<Tensor> scatter_update(const TensorView& data, const TensorView& indices,
                                             const TensorView& updates, const TensorView& axis,
                                             const ScatterUpdate& op = {},
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});
// data, indices and updates of one rank, axis of one integer element -> the shape of data.
WINDROW_EXPORT Result<Tensor> scatter_elements_update(
    const TensorView& data, const TensorView& indices, const TensorView& updates,
    const TensorView& axis, const ScatterElementsUpdate& op = {}, const CallOptions& options = {},
    const RunOptions& run = {});
// data, indices [.., K], updates indices[:-1] ++ data[K:] -> the shape of data.
WINDROW_EXPORT Result<Tensor> scatter_nd_update(const TensorView& data, const TensorView& indices,
                                                const TensorView& updates,
                                                const ScatterNDUpdate& op = {},
                                                const CallOptions& options = {},
                                                const RunOptions& run = {});
// indices of any rank, scalars depth, on_value and off_value -> the shape of indices with an axis
// of depth more.
WINDROW_EXPORT Result<Tensor> one_hot(const TensorView& indices, const TensorView& depth,
                                      const TensorView& on_value, const TensorView& off_value,
                                      const OneHot& op = {}, const CallOptions& options = {},
                                      const RunOptions& run = {});
// data [n, ..], segment_ids [n]; num_segments (a scalar) may be an absent view: the last id plus 1
// -> [num_segments, ..].
WINDROW_EXPORT Result<Tensor> segment_max(const TensorView& data, const TensorView& segment_ids,
                                          const TensorView& num_segments, const SegmentMax& op = {},
                                          const CallOptions& options = {},
                                          const RunOptions& run = {});
// data of any shape, updates of the shape of its slice; start, stop, step and axes [n], of which
// axes may be an absent view: the first n axes -> the shape of data.
WINDROW_EXPORT Result<Tensor> slice_scatter(const TensorView& data, const TensorView& updates,
                                            const TensorView& start, const TensorView& stop,
                                            const TensorView& step, const TensorView& axes,
                                            const SliceScatter& op = {},
                                            const CallOptions& options = {},
                                            const RunOptions& run = {});

// emb_table [rows, ..], indices [n], offsets [bags]; default_index (a scalar) and
// per_sample_weights [n] may be absent views -> [bags] ++ emb_table[1:].
WINDROW_EXPORT Result<Tensor> embedding_bag_offsets_sum(
    const TensorView& emb_table, const TensorView& indices, const TensorView& offsets,
    const TensorView& default_index, const TensorView& per_sample_weights,
    const EmbeddingBagOffsetsSum& op = {}, const CallOptions& options = {},
    const RunOptions& run = {});
// The same.
WINDROW_EXPORT Result<Tensor> embedding_bag_offsets(
    const TensorView& emb_table, const TensorView& indices, const TensorView& offsets,
    const TensorView& default_index, const TensorView& per_sample_weights,
    const EmbeddingBagOffsets& op = {}, const CallOptions& options = {},
    const RunOptions& run = {});
// emb_table [rows, ..], indices [bags, n]; per_sample_weights [bags, n] may be an absent view ->
// [bags] ++ emb_table[1:].
WINDROW_EXPORT Result<Tensor> embedding_bag_packed_sum(const TensorView& emb_table,
                                                       const TensorView& indices,
                                                       const TensorView& per_sample_weights,
                                                       const EmbeddingBagPackedSum& op = {},
                                                       const CallOptions& options = {},
                                                       const RunOptions& run = {});
// The same.
WINDROW_EXPORT Result<Tensor> embedding_bag_packed(
    const TensorView& emb_table, const TensorView& indices, const TensorView& per_sample_weights,
    const EmbeddingBagPacked& op = {}, const CallOptions& options = {}, const RunOptions& run = {});
// emb_table [rows, ..], indices and segment_ids [n], num_segments (a scalar); default_index (a
// scalar) and per_sample_weights [n] may be absent views -> [num_segments] ++ emb_table[1:].
WINDROW_EXPORT Result<Tensor> embedding_segments_sum(
    const TensorView& emb_table, const TensorView& indices, const TensorView& segment_ids,
    const TensorView& num_segments, const TensorView& default_index,
    const TensorView& per_sample_weights, const EmbeddingSegmentsSum& op = {},
    const CallOptions& options = {}, const RunOptions& run = {});
// step_ids and parent_ids [time, batch, beams], max_seq_len [batch], end_token (a scalar) -> the
// shape of step_ids.
WINDROW_EXPORT Result<Tensor> gather_tree(const TensorView& step_ids, const TensorView& parent_ids,
                                          const TensorView& max_seq_len,
                                          const TensorView& end_token, const GatherTree& op = {},
                                          const CallOptions& options = {},
                                          const RunOptions& run = {});

}  // namespace openvino
}  // namespace windrow

#endif  // WINDROW_OPENVINO_H_
