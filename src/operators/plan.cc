#include "windrow/plan.h"

#include "src/access/print.h"
#include "src/base/memory.h"
#include "src/execute/run_plan.h"
#include "src/operators/bad_indices.h"
#include "src/operators/known_run.h"
#include "src/operators/plan_state.h"

namespace windrow {

Status internal::run_known(const Plan& plan, std::span<const TensorView> inputs,
                           const MutableTensorView& out, const RunKnowledge& knowledge,
                           const RunOptions& options) {
  const PlanState& state = PlanAccess::state(plan);
  RunFacts facts;
  facts.knowledge = knowledge;
  if (Status status = check_run(state, inputs, out, facts); !status) return status;
  return run_checked(state, inputs, out, facts, options);
}

std::optional<std::size_t> internal::in_place_input(const Plan& plan) noexcept {
  const Operation& operation = PlanAccess::state(plan).operation;
  if (!starts_as_data(operation)) return std::nullopt;
  return static_cast<std::size_t>(operation.data_input);
}

Status Plan::run(std::span<const TensorView> inputs, const MutableTensorView& out,
                 const RunOptions& options) const {
  return internal::run_known(*this, inputs, out, {}, options);
}

Result<Tensor> Plan::run(std::span<const TensorView> inputs, const RunOptions& options) const {
  Result<Tensor> out = Tensor::allocate(state_->result.dtype, state_->result.shape);
  if (!out) return out.error().with_context(operator_name());
  RunOptions into_new = options;
  into_new.fresh_output = out->byte_count() >= internal::kFreshBytes;
  if (Status status = run(inputs, out->mutable_view(), into_new); !status) return status;
  return out;
}

Result<BadIndices> Plan::bad_indices(std::span<const TensorView> inputs,
                                     const RunOptions& options) const {
  return internal::list_bad_indices(*state_, inputs, options);
}

const TensorSpec& Plan::result() const noexcept { return state_->result; }

std::size_t Plan::scratch_bytes(int threads) const noexcept {
  if (state_->own_run) return state_->own_run->scratch_bytes(threads);
  return internal::scratch_bytes(state_->lowered.main, threads);
}

PlanDescription Plan::description() const {
  const internal::PlanState& state = *state_;
  const internal::Operation& operation = state.operation;
  PlanDescription description;
  description.operator_name = operation.operator_name;
  description.dtype = state.result.dtype;
  description.shape = state.result.shape;
  description.kernel_set = state.kernels->name;
  if (state.own_run) {
    state.own_run->describe(description);
    return description;
  }
  description.equation = internal::equation(operation);
  description.unpacks = state.unpacks;
  if (operation.data_input < 0 || operation.data_element >= 0) {
    description.starts_with = "one value";
  } else if (operation.scatter) {
    description.starts_with = "data";
  }
  description.writes_neutral = state.lowered.fill.has_value();
  description.divides = state.lowered.count.has_value();
  internal::describe(state.lowered.main, description);
  if (!description.empty) internal::describe_ways(state.lowered.main, description);
  return description;
}

std::string Plan::describe() const { return to_string(description()); }

std::span<const std::string> Plan::notes() const noexcept { return state_->operation.notes; }

std::string_view Plan::operator_name() const noexcept { return state_->operation.operator_name; }

std::string_view Plan::kernel_set() const noexcept { return state_->kernels->name; }

}  // namespace windrow
