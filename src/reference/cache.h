#ifndef WINDROW_REFERENCE_CACHE_H_
#define WINDROW_REFERENCE_CACHE_H_

#include <cstdint>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Updates written into a cache along one axis: TensorScatter and KVCacheUpdate.
namespace windrow::internal::reference {

enum class CacheMode : std::uint8_t { kLinear, kCircular };

// Each batch entry (axis 0) is written from its own write index on; absent write indices are zeros.
// The write indices are checked here, by the rule and under the names in `names`; ranks and shapes
// have been checked.
Result<Tensor> write_cache(const Call& call, const IndexNames& names, CacheMode mode, int axis,
                           const TensorView& cache, const TensorView& update,
                           const TensorView& write_indices);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_CACHE_H_
