#include "src/base/cache_sizes.h"

#include <unistd.h>

#include <algorithm>

namespace windrow::internal {
namespace {

constexpr std::int64_t kKiB = 1024;

std::int64_t ask_system() noexcept {
  std::int64_t bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return bytes <= 0 ? 2048 * kKiB : std::clamp(bytes, 256 * kKiB, 16384 * kKiB);
}

}  // namespace

std::int64_t second_level_cache() noexcept {
  static const std::int64_t bytes = ask_system();
  return bytes;
}

}  // namespace windrow::internal
