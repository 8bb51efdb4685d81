#include "src/base/memory.h"

#include <algorithm>
#include <new>

#include "src/base/system.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::align_val_t alignment_for(std::size_t bytes) {
  return std::align_val_t{bytes >= 2 * kHugePage ? kHugePage : std::size_t{kLine}};
}

}  // namespace

void* allocate_elements(std::size_t bytes) noexcept {
  void* memory = ::operator new(bytes, alignment_for(bytes), std::nothrow);
  if (memory != nullptr && bytes >= 2 * kHugePage) prefer_huge_pages(memory, bytes);
  return memory;
}

void free_elements(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_for(bytes));
}

namespace {

constexpr std::int64_t kKiB = 1024;

std::int64_t ask_system() noexcept {
  const std::int64_t bytes = reported_second_level_cache();
  return bytes <= 0 ? 2048 * kKiB : std::clamp(bytes, 256 * kKiB, 16384 * kKiB);
}

}  // namespace

std::int64_t second_level_cache() noexcept {
  static const std::int64_t bytes = ask_system();
  return bytes;
}

bool fill_before_fork(void (*fill)()) noexcept { return at_fork(fill, nullptr, nullptr); }

}  // namespace windrow::internal
