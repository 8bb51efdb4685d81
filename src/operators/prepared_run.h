#ifndef WINDROW_OPERATORS_PREPARED_RUN_H_
#define WINDROW_OPERATORS_PREPARED_RUN_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/plan_description.h"
#include "windrow/tensor.h"

namespace windrow::internal {

struct PlanState;

// The runs of plans of an operator that is not a loop nest over one addressed access: a recurrence,
// or ragged loops. Its build() makes an Operation without a map, for names, labels and the result's
// shape. The function below, declared in a header that operator_rows.cc includes, makes the rest:
//
//   Result<std::shared_ptr<const PreparedRun>> prepare(const Op& op, const PlanState& plan);
//
// `plan` is complete except for the lowered parts, and outlives the run.
class PreparedRun {
 public:
  PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;
  virtual ~PreparedRun() = default;

  // Same as Plan::run. Types, shapes and memory of the tensors have been checked; strides are
  // arbitrary. The implementation checks the indices, and its result must not depend on the number
  // of threads.
  virtual Status run(std::span<const TensorView> inputs, const MutableTensorView& out,
                     const RunOptions& options) const = 0;

  // For Plan::scratch_bytes.
  virtual std::size_t scratch_bytes(int threads) const noexcept = 0;

  // Adds how the operator runs to the members that every plan's description has.
  virtual void describe(PlanDescription& description) const = 0;
};

using PreparedRunPtr = std::shared_ptr<const PreparedRun>;

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

#endif  // WINDROW_OPERATORS_PREPARED_RUN_H_
