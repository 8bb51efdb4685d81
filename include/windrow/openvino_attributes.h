#ifndef WINDROW_OPENVINO_ATTRIBUTES_H_
#define WINDROW_OPENVINO_ATTRIBUTES_H_

#include <cstdint>
#include <string>

// The attributes of the OpenVINO operators, by OpenVINO's own names and defaults. `version` is the
// operator's own. Rules: docs/operators/openvino.md.
namespace windrow::openvino {

// Gather-1, -7, -8: data [d0..], indices of any rank, axis (a tensor of one element). batch_dims
// (since 7) in [-q, q].
struct Gather {
  std::int64_t batch_dims = 0;
  int version = 8;
};

// GatherElements-6: data and indices of equal rank. axis in [-r, r-1].
struct GatherElements {
  std::int64_t axis = 0;
  int version = 6;
};

// GatherND-5, -8: indices [.., K]. batch_dims in [0, min(q, r)).
struct GatherND {
  std::int64_t batch_dims = 0;
  int version = 8;
};

// ScatterUpdate-3: data, indices of any rank, updates, axis (a tensor of one element).
struct ScatterUpdate {
  int version = 3;
};

// ScatterElementsUpdate-3, -12: data, indices, updates, axis (a tensor of one element). Since 12:
// reduction "none", "sum", "prod", "min", "max" or "mean"; use_init_val: whether a reduction starts
// with data's cell.
struct ScatterElementsUpdate {
  std::string reduction = "none";
  bool use_init_val = true;
  int version = 12;
};

// ScatterNDUpdate-3, -15: indices [.., K]. reduction (since 15): "none", "sum", "sub", "prod",
// "min" or "max".
struct ScatterNDUpdate {
  std::string reduction = "none";
  int version = 15;
};

// OneHot-1, -16: indices of any rank, depth, on_value and off_value (scalars). axis in [-q-1, q].
// Since 16: negative_indices_mode "ignore_negative" or "normalize" (negative indices count from the
// end).
struct OneHot {
  std::int64_t axis = -1;
  std::string negative_indices_mode = "ignore_negative";
  int version = 16;
};

// EmbeddingBagOffsetsSum-3: emb_table [rows, ..], indices [n], offsets [bags] (where each bag
// begins among the indices), optionally default_index (a scalar: the row of empty bags; -1: zeros)
// and per_sample_weights [n].
struct EmbeddingBagOffsetsSum {
  int version = 3;
};

// EmbeddingBagOffsets-15: the same. reduction "sum" or "mean", which takes no per_sample_weights.
struct EmbeddingBagOffsets {
  std::string reduction = "sum";
  int version = 15;
};

// EmbeddingBagPackedSum-3: emb_table [rows, ..], indices [bags, n], optionally per_sample_weights
// [bags, n].
struct EmbeddingBagPackedSum {
  int version = 3;
};

// EmbeddingBagPacked-15: the same. reduction "sum" or "mean", which takes no per_sample_weights.
struct EmbeddingBagPacked {
  std::string reduction = "sum";
  int version = 15;
};

// EmbeddingSegmentsSum-3: emb_table [rows, ..], indices [n], segment_ids [n], which must not fall,
// num_segments (a scalar), optionally default_index and per_sample_weights [n] as above.
struct EmbeddingSegmentsSum {
  int version = 3;
};

// GatherTree-1: step_ids and parent_ids [time, batch, beams], max_seq_len [batch], end_token (a
// scalar).
struct GatherTree {
  int version = 1;
};

// SegmentMax-16: data [n, ..], segment_ids [n], ascending and not negative, optionally num_segments
// (a scalar; absent: the last id plus 1). fill_mode, which must be given by name, says what a
// segment without rows holds: "ZERO" or "LOWEST" (the lowest finite number), in letters of either
// case.
struct SegmentMax {
  std::string fill_mode = "ZERO";
  int version = 16;
};

// SliceScatter-15: data, updates, start, stop, step and optionally axes, which are vectors of one
// length.
struct SliceScatter {
  int version = 15;
};

}  // namespace windrow::openvino

#endif  // WINDROW_OPENVINO_ATTRIBUTES_H_
