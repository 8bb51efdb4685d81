#ifndef WINDROW_TENSORRT_ATTRIBUTES_H_
#define WINDROW_TENSORRT_ATTRIBUTES_H_

#include <cstdint>
#include <string>

// The settings of the TensorRT layers, by the names of its Python API. `version` is the major
// release. Rules: docs/operators/tensorrt.md.
namespace windrow::tensorrt {

// The newest major release whose documents these layers follow.
inline constexpr int kNewestRelease = 11;

// Gather: data, indices. mode "DEFAULT" (num_elementwise_dims 0 or 1), "ELEMENT" or "ND"
// (num_elementwise_dims in [0, r-1]; axis has no meaning).
struct Gather {
  std::string mode = "DEFAULT";
  std::int64_t axis = 0;
  std::int64_t num_elementwise_dims = 0;
  int version = kNewestRelease;
};

// Scatter: data, indices, updates. mode "ELEMENT" or "ND" (axis has no meaning).
struct Scatter {
  std::string mode = "ELEMENT";
  std::int64_t axis = 0;
  int version = kNewestRelease;
};

// OneHot: indices, values [off, on], depth. axis in [-q-1, q].
struct OneHot {
  std::int64_t axis = -1;
  int version = kNewestRelease;
};

// KVCacheUpdate (release 10 and newer): cache [B, N, Smax, H], update [B, N, S, H],
// write_indices [B]. mode "LINEAR".
struct KVCacheUpdate {
  std::string mode = "LINEAR";
  int version = kNewestRelease;
};

}  // namespace windrow::tensorrt

#endif  // WINDROW_TENSORRT_ATTRIBUTES_H_
