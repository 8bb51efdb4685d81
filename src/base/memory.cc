#include "src/base/memory.h"

#include <sys/mman.h>

#include <new>

#include "src/base/cache_line.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::align_val_t alignment_for(std::size_t bytes) {
  return std::align_val_t{bytes >= 2 * kHugePage ? kHugePage : std::size_t{kLine}};
}

}  // namespace

void* allocate_elements(std::size_t bytes) noexcept {
  void* memory = ::operator new(bytes, alignment_for(bytes), std::nothrow);
#ifdef MADV_HUGEPAGE
  // This is only advice: where it is refused, the memory has small pages.
  if (memory != nullptr && bytes >= 2 * kHugePage) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_elements(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_for(bytes));
}

}  // namespace windrow::internal
