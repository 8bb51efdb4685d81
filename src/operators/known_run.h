#ifndef WINDROW_OPERATORS_KNOWN_RUN_H_
#define WINDROW_OPERATORS_KNOWN_RUN_H_

#include <cstddef>
#include <optional>
#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

struct PlanState;

// Runs of a plan for a caller that keeps tensors between them. Exported for windrow::models.

// Access to a plan's state for the library's own code: one object for all copies.
struct PlanAccess {
  static const PlanState& state(const Plan& plan) noexcept { return *plan.state_; }
};

struct RunKnowledge {
  // Nobody sees the output if the run fails, so that an in-place scatter need not check all indices
  // before it writes. Its writes are checked as always.
  bool output_may_be_lost = false;
  // A run of the plan has succeeded with these index tensors, and their elements have not changed
  // since: checks that precede all writes need not be repeated.
  bool indices_are_checked = false;
};

// Same as Plan::run.
WINDROW_EXPORT Status run_known(const Plan& plan, std::span<const TensorView> inputs,
                                const MutableTensorView& out, const RunKnowledge& knowledge,
                                const RunOptions& options);

// The input that a scatter may overwrite with its result, in place. Returns nothing for other
// plans.
WINDROW_EXPORT std::optional<std::size_t> in_place_input(const Plan& plan) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_KNOWN_RUN_H_
