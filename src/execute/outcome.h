#ifndef WINDROW_EXECUTE_OUTCOME_H_
#define WINDROW_EXECUTE_OUTCOME_H_

#include <atomic>

#include "src/execute/run_plan.h"

namespace windrow::internal {

// How a run ends, shared by its tasks: the first that fails stops the others.
class Outcome {
 public:
  bool stopped() const { return value_.load(std::memory_order_relaxed) != RunOutcome::kDone; }
  void stop(RunOutcome outcome) { value_.store(outcome, std::memory_order_relaxed); }
  RunOutcome get() const { return value_.load(); }

 private:
  std::atomic<RunOutcome> value_{RunOutcome::kDone};
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_OUTCOME_H_
