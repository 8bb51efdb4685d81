#ifndef WINDROW_BASE_MEMORY_H_
#define WINDROW_BASE_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace windrow::internal {

// Memory for the elements of a tensor: aligned to 64 bytes; from 4 MiB on to 2 MiB, with the system
// asked for huge pages, since random accesses to large tables are limited by address translation.
// Null if there is none.
void* allocate_elements(std::size_t bytes) noexcept;

// From so many bytes on, glibc takes memory from the system for every allocation, and gives it
// back: nothing has touched it.
inline constexpr std::int64_t kFreshBytes = std::int64_t{32} << 20;

// Gives it back; `bytes` as asked for.
void free_elements(void* memory, std::size_t bytes) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_MEMORY_H_
