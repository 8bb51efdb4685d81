#ifndef WINDROW_BASE_CACHE_LINE_H_
#define WINDROW_BASE_CACHE_LINE_H_

#include <cstdint>

namespace windrow::internal {

// The size of a cache line in bytes.
inline constexpr std::int64_t kLine = 64;

// The offset of `place` from the start of its cache line, in bytes.
inline std::int64_t line_offset(const void* place) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place) %
                                   static_cast<std::uintptr_t>(kLine));
}

// `bytes` rounded up to whole cache lines.
constexpr std::int64_t whole_lines(std::int64_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_CACHE_LINE_H_
