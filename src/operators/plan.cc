#include "windrow/plan.h"

#include "src/access/print.h"
#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/run_plan.h"
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

const TensorSpec& Plan::result() const noexcept { return state_->result; }

std::size_t Plan::scratch_bytes(int threads) const noexcept {
  return internal::scratch_bytes(state_->lowered.main, threads);
}

std::string Plan::describe() const {
  const internal::PlanState& state = *state_;
  std::string text = state.operation.operator_name + ": " +
                     std::string(dtype_name(state.result.dtype)) + to_string(state.result.shape) +
                     "\n";
  text += internal::equation(state.operation) + "\n";
  if (state.unpacks) text += "packed elements are unpacked to bytes, and packed again\n";
  if (state.operation.data_input < 0 || state.operation.data_element >= 0) {
    text += "starts with one value everywhere\n";
  } else if (state.operation.scatter) {
    text += "starts with a copy of the data unless it runs in place\n";
  }
  if (state.lowered.fill) text += "then writes the neutral value to the cells it reaches\n";
  text += internal::describe(state.lowered.main);
  if (state.lowered.main.points > 0) text += internal::describe_tasks(state.lowered.main);
  if (state.lowered.count) text += "then counts the updates of each cell and divides\n";
  return text + "kernel set: " + std::string(state.kernels->name) + "\n";
}

std::span<const std::string> Plan::notes() const noexcept { return state_->operation.notes; }

std::string_view Plan::operator_name() const noexcept { return state_->operation.operator_name; }

std::string_view Plan::kernel_set() const noexcept { return state_->kernels->name; }

}  // namespace windrow
