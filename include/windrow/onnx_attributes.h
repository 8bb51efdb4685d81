#ifndef WINDROW_ONNX_ATTRIBUTES_H_
#define WINDROW_ONNX_ATTRIBUTES_H_

#include <cstdint>
#include <string>

// The attributes of the ONNX operators, by ONNX's own names and defaults. `version` is an opset:
// the newest operator version not above it applies. Rules: docs/operators/onnx.md.
namespace windrow::onnx {

// The newest opset of ai.onnx whose text these operators follow.
inline constexpr int kNewestOpset = 28;

// Gather-1, -11, -13: data [d0..], indices of any rank. axis in [-r, r-1].
struct Gather {
  std::int64_t axis = 0;
  int version = kNewestOpset;
};

// GatherElements-11, -13: data and indices of equal rank. axis in [-r, r-1].
struct GatherElements {
  std::int64_t axis = 0;
  int version = kNewestOpset;
};

// GatherND-11, -12, -13: indices [.., K]. batch_dims (since 12) in [0, min(q, r)).
struct GatherND {
  std::int64_t batch_dims = 0;
  int version = kNewestOpset;
};

// Scatter-9, -11 (deprecated since 11). axis in [-r, r-1].
struct Scatter {
  std::int64_t axis = 0;
  int version = kNewestOpset;
};

// ScatterElements-11, -13, -16, -18. reduction: "none"; since 16 "add", "mul"; since 18 "max",
// "min".
struct ScatterElements {
  std::int64_t axis = 0;
  std::string reduction = "none";
  int version = kNewestOpset;
};

// ScatterND-11, -13, -16, -18. reduction as in ScatterElements.
struct ScatterND {
  std::string reduction = "none";
  int version = kNewestOpset;
};

// TensorScatter-24: past_cache, update, optional write_indices [batch]. mode: "linear" or
// "circular".
struct TensorScatter {
  std::int64_t axis = -2;
  std::string mode = "linear";
  int version = kNewestOpset;
};

// OneHot-9, -11, -28: indices, depth, values [off, on]. axis in [-q-1, q].
struct OneHot {
  std::int64_t axis = -1;
  int version = kNewestOpset;
};

// ai.onnx.ml ArrayFeatureExtractor-1; `version` is an opset of ai.onnx.ml.
struct ArrayFeatureExtractor {
  int version = 5;
};

// com.microsoft GatherBlockQuantized-1 of ONNX Runtime: data, indices, scales, optional
// zero_points. `bits` of a value in data of type uint8: 2, 4 or 8; block_size, a power of two from
// 16 on (0, the whole axis, for float8 and float4 data), successive values along quantize_axis
// share a scale. `version` is an opset of com.microsoft.
struct GatherBlockQuantized {
  std::int64_t bits = 4;
  std::int64_t block_size = 128;
  std::int64_t gather_axis = 0;
  std::int64_t quantize_axis = 1;
  int version = 1;
};

}  // namespace windrow::onnx

#endif  // WINDROW_ONNX_ATTRIBUTES_H_
