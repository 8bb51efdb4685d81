#include "src/base/result_pool.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "src/base/memory.h"
#include "src/base/system.h"

#if defined(__SANITIZE_ADDRESS__)
#define WINDROW_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WINDROW_POISONS 1
#endif
#endif
#ifdef WINDROW_POISONS
#include <sanitizer/asan_interface.h>
#endif

namespace windrow::internal {
namespace {

// Address sanitizer reports every access to a kept block.
void poison([[maybe_unused]] const FreeBlock& block) noexcept {
#ifdef WINDROW_POISONS
  ASAN_POISON_MEMORY_REGION(block.data, block.bytes);
#endif
}

void unpoison([[maybe_unused]] const FreeBlock& block) noexcept {
#ifdef WINDROW_POISONS
  ASAN_UNPOISON_MEMORY_REGION(block.data, block.bytes);
#endif
}

// Lets the system take the pages of a kept block back. Only whole huge pages: a huge page of which
// a part is offered is split.
void offer_block(const FreeBlock& block) noexcept {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(block.data);
  const std::uintptr_t low = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t high = (begin + block.bytes) / kHugePage * kHugePage;
  std::byte* const first = static_cast<std::byte*>(block.data) + (low - begin);
  if (low < high) offer_pages(first, high - low);
}

void free_block(const FreeBlock& block) noexcept {
  unpoison(block);
  free_elements(block.data, block.bytes);
}

}  // namespace

void ResultPool::Blocks::free() const noexcept {
  std::for_each(all.begin(), all.begin() + count, free_block);
}

void ResultPool::drop(std::size_t most_blocks, std::size_t most_bytes, Blocks& dropped) noexcept {
  std::size_t first = 0;
  for (; count_ - first > most_blocks || held_ > most_bytes; ++first) {
    held_ -= kept_[first].bytes;
    dropped.append(kept_[first]);
  }
  std::move(kept_.begin() + first, kept_.begin() + count_, kept_.begin());
  count_ -= first;
}

FreeBlock ResultPool::take(std::size_t bytes) noexcept {
  FreeBlock best;
  {
    const std::lock_guard lock(mutex_);
    std::size_t place = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (serves(kept_[i].bytes, bytes) &&
          (place == count_ || kept_[i].bytes <= kept_[place].bytes))
        place = i;
    }
    if (place == count_) return best;
    best = kept_[place];
    std::move(kept_.begin() + place + 1, kept_.begin() + count_, kept_.begin() + place);
    --count_;
    held_ -= best.bytes;
  }
  unpoison(best);
  return best;
}

void ResultPool::give(const FreeBlock& block) noexcept {
  if (block.bytes > bound()) return free_block(block);
  offer_block(block);
  poison(block);
  Blocks dropped;
  {
    const std::lock_guard lock(mutex_);
    if (block.bytes <= bound()) {
      drop(kMostBlocks - 1, bound() - block.bytes, dropped);
      kept_[count_++] = block;
      held_ += block.bytes;
    } else {
      dropped.append(block);
    }
  }
  dropped.free();
}

std::size_t ResultPool::set_bound(std::size_t bytes) noexcept {
  Blocks dropped;
  std::size_t before = 0;
  {
    const std::lock_guard lock(mutex_);
    before = bound_.exchange(bytes, std::memory_order_relaxed);
    drop(kMostBlocks, bytes, dropped);
  }
  dropped.free();
  return before;
}

std::size_t ResultPool::held() noexcept {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::size_t ResultPool::release() noexcept {
  Blocks dropped;
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    bytes = held_;
    drop(0, 0, dropped);
  }
  dropped.free();
  return bytes;
}

std::optional<std::size_t> parse_pool_bound(std::string_view text) noexcept {
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return bytes;
}

namespace {

constinit ResultPool pool(kDefaultResultPool);

void read_environment() noexcept {
  const char* const text = std::getenv("WINDROW_RESULT_POOL");
  if (text == nullptr) return;
  if (const auto bytes = parse_pool_bound(text)) pool.set_bound(*bytes);
}

// Parent and child would copy every page of a kept block that they use again.
void prepare_fork() {
  pool.release();
  pool.lock();
}

void end_fork() { pool.unlock(); }

[[maybe_unused]] const bool kLoaded = [] {
  read_environment();
  return at_fork(prepare_fork, end_fork, end_fork);
}();

}  // namespace

namespace {

// Memory that no result has used. What the pool holds is freed if there is not enough.
ResultMemory allocate_new(std::size_t bytes) noexcept {
  void* data = allocate_elements(bytes);
  if (data == nullptr && pool.release() > 0) data = allocate_elements(bytes);
  return {data, bytes, false};
}

}  // namespace

ResultMemory allocate_pooled(std::size_t bytes) noexcept {
  const FreeBlock kept = pool.take(bytes);
  return kept.data != nullptr ? ResultMemory{kept.data, kept.bytes, true} : allocate_new(bytes);
}

void free_pooled(const ResultMemory& memory) noexcept {
  if (memory.data != nullptr) pool.give({memory.data, memory.bytes});
}

}  // namespace windrow::internal

namespace windrow {

std::size_t set_result_pool(std::size_t bytes) noexcept { return internal::pool.set_bound(bytes); }

std::size_t result_pool_bound() noexcept { return internal::pool.bound(); }

std::size_t result_pool_held() noexcept { return internal::pool.held(); }

std::size_t release_result_pool() noexcept { return internal::pool.release(); }

ResultMemory allocate_result(std::size_t bytes) noexcept {
  return bytes >= kLeastPooledBytes ? internal::allocate_pooled(bytes)
                                    : internal::allocate_new(bytes);
}

void free_result(const ResultMemory& memory) noexcept {
  if (memory.bytes < kLeastPooledBytes) return internal::free_elements(memory.data, memory.bytes);
  internal::free_pooled(memory);
}

}  // namespace windrow
