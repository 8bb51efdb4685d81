#ifndef WINDROW_BASE_RESULT_POOL_H_
#define WINDROW_BASE_RESULT_POOL_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>

#include "windrow/result_pool.h"

namespace windrow::internal {

// Memory of allocate_elements() that nobody uses.
struct FreeBlock {
  void* data = nullptr;
  std::size_t bytes = 0;
};

// Keeps free blocks up to a bound, as windrow/result_pool.h says. Nothing is mapped or freed while
// its lock is held. Destroying a pool frees nothing: the one of the process outlives every tensor.
class ResultPool {
 public:
  // The largest number of blocks that a pool keeps.
  static constexpr std::size_t kMostBlocks = 64;
  // Whether a block is large enough for `bytes`, and at most a fifth of it would be unused.
  static constexpr bool serves(std::size_t block_bytes, std::size_t bytes) noexcept {
    return block_bytes >= bytes && block_bytes - bytes <= bytes / 4;
  }

  explicit constexpr ResultPool(std::size_t bound) noexcept : bound_(bound) {}
  ResultPool(const ResultPool&) = delete;
  ResultPool& operator=(const ResultPool&) = delete;
  ~ResultPool() = default;

  // Takes the smallest block that serves `bytes`, of several the one that was kept last. Its data
  // is null if there is none.
  FreeBlock take(std::size_t bytes) noexcept;
  // Keeps a block, or frees it if it is larger than the bound. Frees the blocks for which there is
  // no room beside it, the longest kept first.
  void give(const FreeBlock& block) noexcept;
  // Returns the bound before.
  std::size_t set_bound(std::size_t bytes) noexcept;
  std::size_t bound() const noexcept { return bound_.load(std::memory_order_relaxed); }
  // Sum of the bytes of all blocks.
  std::size_t held() noexcept;
  // Frees all blocks and returns their bytes.
  std::size_t release() noexcept;

  // For the handlers of a fork: a child finds the pool unlocked and consistent.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  struct Blocks {
    std::array<FreeBlock, kMostBlocks + 1> all;
    std::size_t count = 0;

    void append(const FreeBlock& block) noexcept { all[count++] = block; }
    void free() const noexcept;
  };

  // Moves the longest kept blocks to `dropped` until there are at most `most_blocks`, of at most
  // `most_bytes`.
  void drop(std::size_t most_blocks, std::size_t most_bytes, Blocks& dropped) noexcept;

  std::mutex mutex_;
  std::atomic<std::size_t> bound_;             // written under the mutex
  std::array<FreeBlock, kMostBlocks> kept_{};  // the longest kept first
  std::size_t count_ = 0;
  std::size_t held_ = 0;
};

// Same as allocate_result() and free_result(), also for memory of less than kLeastPooledBytes.
ResultMemory allocate_pooled(std::size_t bytes) noexcept;
void free_pooled(const ResultMemory& memory) noexcept;

// The bytes that WINDROW_RESULT_POOL names: decimal digits alone, of a number that fits. Nothing
// for any other text.
std::optional<std::size_t> parse_pool_bound(std::string_view text) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_RESULT_POOL_H_
