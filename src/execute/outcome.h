#ifndef WINDROW_EXECUTE_OUTCOME_H_
#define WINDROW_EXECUTE_OUTCOME_H_

#include <atomic>
#include <cstdint>

#include "src/execute/interruption.h"
#include "src/execute/run_plan.h"

namespace windrow::internal {

// How a run ends, shared by its tasks: the first that fails, and the caller's interruption, stops
// the others.
class Outcome {
 public:
  // `interruption` may be null.
  explicit Outcome(Interruption* interruption = nullptr) : interruption_(interruption) {}

  bool stopped() const { return value_.load(std::memory_order_relaxed) != RunOutcome::kDone; }
  // The same, between two pieces of work of which the last moved so many bytes.
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
