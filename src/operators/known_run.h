#ifndef WINDROW_OPERATORS_KNOWN_RUN_H_
#define WINDROW_OPERATORS_KNOWN_RUN_H_

#include <cstddef>
#include <optional>
#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

// Runs of a plan by a caller who keeps tensors between them. Exported for windrow::models.
namespace windrow::internal {

// What the library's own code sees of a plan: one object for all copies.
struct PlanAccess {
  static const PlanState& state(const Plan& plan) noexcept { return *plan.state_; }
};

struct RunKnowledge {
  // Nobody sees the output if the run fails, so that an in-place scatter need not look at all
  // indices before it writes. What it writes to is checked as ever.
  bool output_may_be_lost = false;
  // A run of the plan has succeeded with these index tensors, and their elements are the same
  // still: what is checked before anything is written need not be checked again.
  bool indices_are_checked = false;
};

// As Plan::run.
WINDROW_EXPORT Status run_known(const Plan& plan, std::span<const TensorView> inputs,
                                const MutableTensorView& out, const RunKnowledge& knowledge,
                                const RunOptions& options);

// The input over which a scatter may write its result, in place; nothing for other plans.
WINDROW_EXPORT std::optional<std::size_t> in_place_input(const Plan& plan) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_KNOWN_RUN_H_
