#ifndef WINDROW_BASE_CACHE_LINE_H_
#define WINDROW_BASE_CACHE_LINE_H_

#include <cstdint>

namespace windrow::internal {

// Bytes of a cache line.
inline constexpr std::int64_t kLine = 64;

// The bytes from a line's start to the place.
inline std::int64_t line_offset(const void* place) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place) %
                                   static_cast<std::uintptr_t>(kLine));
}

// The bytes of as few lines as hold so many.
constexpr std::int64_t whole_lines(std::int64_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_CACHE_LINE_H_
