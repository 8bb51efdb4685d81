#ifndef WINDROW_BASE_SYSTEM_H_
#define WINDROW_BASE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "windrow/status.h"

// All that the core library asks of the operating system: system_posix.cc alone calls it. A port to
// a system without POSIX is another file with these functions.
namespace windrow::internal {

// Bytes of the second-level cache of a core; 0 if the system does not say.
std::int64_t reported_second_level_cache() noexcept;

// The processor's architecture, like "x86_64"; empty if the system does not say.
std::string architecture_name();

// Advice, which the system may refuse: huge pages for this memory.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

// Advice: the system may take the pages of this memory back, which lose what they hold, until they
// are written again.
void offer_pages(void* memory, std::size_t bytes) noexcept;

// Bytes of a page.
std::size_t page_bytes() noexcept;

// Zeroed memory of whole pages that no allocator has, `bytes` a multiple of page_bytes(). Returns
// null if there is not enough.
void* map_pages(std::size_t bytes) noexcept;
void unmap_pages(void* memory, std::size_t bytes) noexcept;

// Calls `before` before every fork, and after it `in_parent` and `in_child`; null: nothing. Returns
// false if there was no memory for that.
bool at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept;

// The bytes of an ordinary file. Errors: kIo, if it cannot be read, is not an ordinary file, or has
// more than `most` bytes.
Result<std::string> read_small_file(const std::string& path, std::size_t most);

}  // namespace windrow::internal

#endif  // WINDROW_BASE_SYSTEM_H_
