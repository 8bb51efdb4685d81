#ifndef WINDROW_DIALECTS_TENSORRT_RELEASE_H_
#define WINDROW_DIALECTS_TENSORRT_RELEASE_H_

#include <span>

#include "src/dialects/rules.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// What `strict` takes from one release of TensorRT.
namespace windrow::internal {

enum class Layer : std::uint8_t { kGather, kScatter, kOneHot, kKVCacheUpdate };

// S2: data and indices have types of the release.
Status check_release_types(const Rules& rules, Layer layer, int release, DType data, DType indices,
                           const CallOptions& options);

// S1: no tensor, the result included, has a rank above 8. `result_rank` may be any number.
Status check_release_rank(const Rules& rules, std::span<const TensorSpec> inputs, int result_rank,
                          const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_RELEASE_H_
