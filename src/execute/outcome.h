#ifndef WINDROW_EXECUTE_OUTCOME_H_
#define WINDROW_EXECUTE_OUTCOME_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "windrow/interrupt.h"

namespace windrow::internal {

// Work between two checks for an interruption moves at most this number of bytes, unless a single
// row is longer.
inline constexpr std::int64_t kBytesBetweenLooks = std::int64_t{16} << 20;

// The number of rows of `row_bytes` that kBytesBetweenLooks holds; at least one.
inline std::int64_t rows_between_looks(std::int64_t row_bytes) noexcept {
  return std::max<std::int64_t>(kBytesBetweenLooks / std::max<std::int64_t>(row_bytes, 1), 1);
}

// Whether the caller has ended a run. The calling thread asks the caller; all threads see the
// answer.
class Interruption {
 public:
  // The object belongs to the thread that constructs it.
  explicit Interruption(Interrupt& interrupt) noexcept : interrupt_(interrupt) {}

  // Called between two pieces of work, of which the last took about as long as moving `bytes` bytes
  // of memory. Asks the caller once per kBytesBetweenLooks.
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
  std::int64_t left_ = kBytesBetweenLooks;  // bytes until the next question
  std::atomic<bool> requested_{false};
};

// interruption->requested(bytes); false if `interruption` is null.
inline bool is_interrupted(Interruption* interruption, std::int64_t bytes) noexcept {
  return interruption != nullptr && interruption->requested(bytes);
}

enum class RunOutcome {
  kDone,
  // Some index is out of its legal range, or the indices changed during the run so that it could
  // not continue. The contents of the written side are unspecified.
  kBadIndex,
  kInterrupted,  // by the caller: the contents of the written side are unspecified
  kOutOfMemory,  // scratch or a string could not be allocated
  kNoWay,        // none of the plan's ways serves the run: nothing was written
};

// How a run ends. All tasks of the run share it: the first failure, or the caller's interruption,
// stops the others.
class Outcome {
 public:
  // `interruption` may be null.
  explicit Outcome(Interruption* interruption = nullptr) : interruption_(interruption) {}

  bool stopped() const { return value_.load(std::memory_order_relaxed) != RunOutcome::kDone; }
  // stopped(), or an interruption by the caller. Called between two pieces of work, of which the
  // last moved `bytes` bytes.
  bool stopped_after(std::int64_t bytes) {
    if (!stopped() && is_interrupted(interruption_, bytes)) stop(RunOutcome::kInterrupted);
    return stopped();
  }
  void stop(RunOutcome outcome) { value_.store(outcome, std::memory_order_relaxed); }
  RunOutcome get() const { return value_.load(); }

 private:
  Interruption* interruption_;
  std::atomic<RunOutcome> value_{RunOutcome::kDone};
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_OUTCOME_H_
