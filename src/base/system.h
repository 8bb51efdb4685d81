#ifndef WINDROW_BASE_SYSTEM_H_
#define WINDROW_BASE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "windrow/status.h"

// All that the core library asks of the operating system. system_posix.cc is the only source of the
// core that calls POSIX; a port to another system replaces that file.
namespace windrow::internal {

// Bytes of the second-level cache of a core; 0 if the system does not say.
std::int64_t reported_second_level_cache() noexcept;

// The processor's architecture, like "x86_64"; empty if the system does not say.
std::string architecture_name();

// Asks for huge pages for `bytes` bytes of memory. The system may refuse, which changes nothing.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

// Allows the system to take back the pages of `bytes` bytes of memory. A page that it takes reads
// as zeros afterwards. The permission for a page ends when the page is written. The system may
// refuse.
void offer_pages(void* memory, std::size_t bytes) noexcept;

// The size of a page in bytes.
std::size_t page_bytes() noexcept;

// Maps zeroed pages, which the allocator does not manage. bytes: a multiple of page_bytes(), not 0.
// Returns null if there is not enough memory.
void* map_pages(std::size_t bytes) noexcept;

// Frees all `bytes` bytes of a map_pages() call.
void unmap_pages(void* memory, std::size_t bytes) noexcept;

// Registers functions that run at every fork: `before` before it, `in_parent` and `in_child` after
// it. Each may be null. Returns false if there is not enough memory to register them.
bool at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept;

// Reads an ordinary file of at most `most` bytes. Errors: kIo if the file cannot be read, is not an
// ordinary file, or is longer.
Result<std::string> read_small_file(const std::string& path, std::size_t most);

}  // namespace windrow::internal

#endif  // WINDROW_BASE_SYSTEM_H_
