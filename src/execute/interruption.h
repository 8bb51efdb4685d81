#ifndef WINDROW_EXECUTE_INTERRUPTION_H_
#define WINDROW_EXECUTE_INTERRUPTION_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "windrow/interrupt.h"

namespace windrow::internal {

// Work between two looks at an interruption is cut so that it moves no more bytes than this, where
// a row is not longer.
inline constexpr std::int64_t kBytesBetweenLooks = std::int64_t{16} << 20;

// As many rows, but at least one.
inline std::int64_t rows_between_looks(std::int64_t row_bytes) noexcept {
  return std::max<std::int64_t>(kBytesBetweenLooks / std::max<std::int64_t>(row_bytes, 1), 1);
}

// Whether the caller has ended a run: asked on the calling thread, seen by all.
class Interruption {
 public:
  // Belongs to the thread that makes it.
  explicit Interruption(Interrupt& interrupt) noexcept : interrupt_(interrupt) {}

  // Called between two pieces of work, of which the last took about as long as moving `bytes`
  // bytes of memory. Asks the caller when enough of them have come together.
  bool requested(std::int64_t bytes) noexcept {
    if (was_requested()) return true;
    if (std::this_thread::get_id() != caller_) return false;
    left_ -= bytes;
    return left_ < 0 && ask();
  }

  bool was_requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  bool ask() noexcept {
    left_ = kBytesBetweenLooks;
    const bool requested = interrupt_.requested();
    if (requested) requested_.store(true, std::memory_order_relaxed);
    return requested;
  }

  Interrupt& interrupt_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::int64_t left_ = kBytesBetweenLooks;  // of the calling thread alone
  std::atomic<bool> requested_{false};
};

// The same where there may be none.
inline bool is_interrupted(Interruption* interruption, std::int64_t bytes) noexcept {
  return interruption != nullptr && interruption->requested(bytes);
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_INTERRUPTION_H_
