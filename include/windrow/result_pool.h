#ifndef WINDROW_RESULT_POOL_H_
#define WINDROW_RESULT_POOL_H_

#include <cstddef>

#include "windrow/export.h"

namespace windrow {

// The pool of results: memory of large tensors that were freed, kept for the next ones. A large
// new allocation costs its page faults, which can take longer than the gather that fills it. The
// pool serves windrow::Tensor and the new arrays of the Python package; never memory that a tensor,
// an array or a view of an array still uses. All functions may be called from any thread.
//
// A block serves allocations of at least four fifths of its size; the smallest block that is large
// enough is taken. Blocks that do not fit under the bound are freed, the longest kept first. All
// blocks are freed before a fork and when an allocation fails. The system may take back the pages
// of a kept block whenever it is short of memory, without writing them anywhere, and fills them
// with zeros when they are used again.

// The size in bytes from which memory of results is kept when it is freed. Smaller memory is not
// returned to the system by glibc's malloc().
inline constexpr std::size_t kLeastPooledBytes = std::size_t{32} << 20;

// The bound unless the environment variable WINDROW_RESULT_POOL, which is read once when the
// library is loaded, has a number of bytes in decimal digits. Any other text is ignored.
inline constexpr std::size_t kDefaultResultPool = std::size_t{256} << 20;

// Sets the largest number of bytes that the pool keeps, and frees blocks until it keeps no more. 0:
// results are allocated and freed as without the pool. Returns the bound before.
WINDROW_EXPORT std::size_t set_result_pool(std::size_t bytes) noexcept;
// The largest number of bytes that the pool keeps.
WINDROW_EXPORT std::size_t result_pool_bound() noexcept;
// The number of bytes that the pool keeps now.
WINDROW_EXPORT std::size_t result_pool_held() noexcept;
// Frees all blocks that the pool keeps. Returns their bytes. The bound stays.
WINDROW_EXPORT std::size_t release_result_pool() noexcept;

// Memory for the elements of a result.
struct ResultMemory {
  void* data = nullptr;      // 64-byte aligned, not initialised; null: there is not enough memory
  std::size_t bytes = 0;     // the size of the block; at least what was asked for
  bool is_recycled = false;  // whether another result used it: its pages have been touched
};

// Memory for callers who keep results in objects of their own, from the pool if it has a block that
// serves.
WINDROW_EXPORT ResultMemory allocate_result(std::size_t bytes) noexcept;
// Frees memory of allocate_result(), or keeps it in the pool. Its `data` may be null.
WINDROW_EXPORT void free_result(const ResultMemory& memory) noexcept;

}  // namespace windrow

#endif  // WINDROW_RESULT_POOL_H_
