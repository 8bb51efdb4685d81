#ifndef WINDROW_DIALECTS_TENSORRT_RELEASE_H_
#define WINDROW_DIALECTS_TENSORRT_RELEASE_H_

#include "src/dialects/known_inputs.h"
#include "src/dialects/rules.h"
#include "windrow/options.h"

// The limits of a TensorRT release, which `strict` enforces.
namespace windrow::internal {

enum class Layer : std::uint8_t { kGather, kScatter, kOneHot, kKVCacheUpdate };

// S2: data and indices have types of the release.
Status check_release_types(const Rules& rules, Layer layer, int release, DType data, DType indices,
                           const CallOptions& options);

// S1: no tensor, the result included, has a rank above 8.
Status check_release_rank(const Rules& rules, const KnownInputs& inputs,
                          const SymbolicShape& result, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_RELEASE_H_
