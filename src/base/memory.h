#ifndef WINDROW_BASE_MEMORY_H_
#define WINDROW_BASE_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace windrow::internal {

// Memory for the elements of a tensor: aligned to 64 bytes; from 4 MiB on to 2 MiB, with the system
// asked for huge pages, since random accesses to large tables are limited by address translation.
// Returns null if there is not enough memory.
void* allocate_elements(std::size_t bytes) noexcept;

// The size from which glibc maps every allocation anew from the system and unmaps it when it is
// freed: its pages have not been touched.
inline constexpr std::int64_t kFreshBytes = std::int64_t{32} << 20;

// Frees memory of allocate_elements(); `bytes` is the size that was asked for.
void free_elements(void* memory, std::size_t bytes) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_MEMORY_H_
