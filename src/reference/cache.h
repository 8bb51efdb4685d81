#ifndef WINDROW_REFERENCE_CACHE_H_
#define WINDROW_REFERENCE_CACHE_H_

#include <cstdint>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Updates written into a cache along one axis: TensorScatter and KVCacheUpdate.
namespace windrow::internal::reference {

enum class CacheMode : std::uint8_t { kLinear, kCircular };

// The cache and the update are the first two inputs of `call`, both of one rank.

// They have the same extents except on `axis`. Errors call the cache `name`.
Status check_off_axis(const Call& call, std::string_view rule, std::string_view name, int axis);

// There is one write index for each batch entry (axis 0).
Status check_write_indices(const Call& call, std::string_view rule, const Shape& write_indices);

// Each batch entry is written from its own write index on; absent write indices are zeros. The
// write indices are checked here, by the rule and under the names in `names`.
Result<Tensor> write_cache(const Call& call, const IndexNames& names, CacheMode mode, int axis,
                           const TensorView& write_indices);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_CACHE_H_
