#ifndef WINDROW_EXECUTE_OUTCOME_H_
#define WINDROW_EXECUTE_OUTCOME_H_

#include <atomic>
#include <cstdint>

#include "src/execute/interruption.h"

namespace windrow::internal {

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
