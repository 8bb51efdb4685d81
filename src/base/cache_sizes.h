#ifndef WINDROW_BASE_CACHE_SIZES_H_
#define WINDROW_BASE_CACHE_SIZES_H_

#include <cstdint>

namespace windrow::internal {

// Bytes of the second-level cache of a core, as the system reports them, and 2 MiB where it does
// not; at least 256 KiB and at most 16 MiB. Asked for once.
std::int64_t second_level_cache() noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_CACHE_SIZES_H_
