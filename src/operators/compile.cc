#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/dialects/known_inputs.h"
#include "src/operators/chosen_tuning.h"
#include "src/operators/operator_call.h"
#include "src/operators/packed.h"
#include "src/operators/plan_cache.h"
#include "src/operators/plan_key.h"
#include "src/operators/plan_state.h"

namespace windrow {
namespace internal {

namespace {

// Chooses the operation that is lowered for packed types.
void choose_bytes(PlanState& state) {
  if (!is_packed(state.operation.dtype)) return;
  const bool moves =
      state.operation.combine == Combine::kAssign && !state.operation.updates_broadcast;
  if (moves) state.unpacked_operation = as_bytes(state.operation);
  if (state.unpacked_operation) return;
  state.unpacked_operation = state.operation;
  state.unpacked_operation->dtype = unpacked_type(state.operation.dtype);
  state.unpacks = true;
}

// Lowers for the inputs and the row-major result of compile.
Status lower_plan(PlanState& state) {
  choose_bytes(state);
  note_usual_tensors(state);
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < state.inputs.size(); ++i) specs.push_back(byte_spec(state, i));
  const Operation& bytes = state.byte_operation();
  auto lowered = lower_operation(bytes, specs,
                                 row_major_strides(bytes.result_shape, dtype_bits(bytes.dtype) / 8),
                                 state.tuning);
  if (!lowered) return lowered.error();
  state.lowered = *std::move(lowered);
  return {};
}

Result<Plan> make_plan(const OperatorCall& call, std::span<const TensorSpec> inputs,
                       const CallOptions& options, std::string_view kernels) {
  const OperatorRow& row = call.row;
  Result<Tuning> tuning = check_call(row, inputs, options, kernels);
  if (!tuning) return tuning.error();
  Result<Operation> built = row.build(row, call.op, inputs, options);
  if (!built) return built.error();
  auto state = std::make_shared<PlanState>();
  Operation& operation = state->operation = *std::move(built);
  const int moved = operation.scatter ? operation.updates_input : operation.data_input;
  operation.dtype = inputs[static_cast<std::size_t>(moved)].dtype;
  operation.operator_name = row.operator_name();
  for (const InputSchema& input : row.inputs) operation.input_names.emplace_back(input.name);
  if (!dense_byte_count(operation.dtype, operation.result_shape))
    return row.broken(
        ErrorCode::kShape, "CALL-I2",
        "the result has shape " + to_string(operation.result_shape) + ": more than 2^63-1 bytes");
  state->inputs.assign(inputs.begin(), inputs.end());
  state->inputs.resize(row.inputs.size());
  state->result.dtype = operation.dtype;
  state->result.shape = operation.result_shape;
  state->tuning = *std::move(tuning);
  state->kernels = find_kernel_set(state->tuning.kernel_set);
  if (row.prepare != nullptr) {
    auto prepared = row.prepare(row, call.op, *state);
    if (!prepared) return prepared.error();
    state->own_run = *std::move(prepared);
  } else if (Status status = lower_plan(*state); !status) {
    return status;
  }
  return Plan(std::move(state));
}

// Makes a plan for a call whose key matches none.
Result<Plan> make_and_keep(const PlanKey& key, const OperatorCall& call,
                           std::span<const TensorSpec> inputs, const CallOptions& options,
                           std::string_view kernels) {
  Result<Plan> plan = make_plan(call, inputs, options, kernels);
  if (plan) kept_plans.keep(key, *plan);
  return plan;
}

// The inputs with private copies of their values: the owner of the caller's values may change them
// while they are read, and they may lie in memory that only the caller knows.
Result<std::vector<TensorSpec>> with_own_values(std::span<const TensorSpec> inputs) {
  std::vector<TensorSpec> own(inputs.begin(), inputs.end());
  for (TensorSpec& spec : own) {
    if (spec.value == nullptr) continue;
    Result<Tensor> copy = spec.value->clone();
    if (!copy) return copy.error();
    spec.value = std::make_shared<const Tensor>(*std::move(copy));
  }
  return own;
}

// Same as compile_call(). `are_own`: whether the values of the inputs belong to this call only.
Result<Plan> find_or_make(const OperatorCall& call, std::span<const TensorSpec> inputs,
                          const CallOptions& options, bool are_own) {
  const std::string_view kernels = chosen_kernels(options);
  PlanKey key(call, options, kernels);
  for (const TensorSpec& input : inputs) {
    if (!are_own && input.value != nullptr) {
      const Result<std::vector<TensorSpec>> specs = with_own_values(inputs);
      return specs ? find_or_make(call, *specs, options, true) : specs.error();
    }
    key.add_input(input);
  }
  if (std::optional<Plan> known = kept_plans.find(key)) return *std::move(known);
  return make_and_keep(key, call, inputs, options, kernels);
}

// The known elements by input. A call with more inputs than any operator has gets no plan.
using KnownElements = std::array<KnownElement, KnownInputs::kMost>;

KnownElements read_elements(const OperatorRow& row, std::span<const TensorView> inputs) {
  KnownElements elements;
  for (std::size_t i = 0; i < inputs.size() && i < row.inputs.size(); ++i)
    if (is_fixed(row.inputs[i].group)) elements[i] = read_element(inputs[i]);
  return elements;
}

// The specs of a call's inputs, with the values that were read.
Result<std::vector<TensorSpec>> specs_with(std::span<const TensorView> inputs,
                                           const KnownElements& values) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    specs.push_back(inputs[i].spec());
    if (i >= values.size() || values[i].size == 0) continue;
    Result<Tensor> value =
        Tensor::copy_of({inputs[i].dtype, inputs[i].shape, values[i].bytes.data()});
    if (!value) return value.error();
    specs.back().value = std::make_shared<const Tensor>(*std::move(value));
  }
  return specs;
}

}  // namespace

Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs) {
  return specs_with(inputs, read_elements(row, inputs));
}

Result<Plan> compile_call(const OperatorCall& call, std::span<const TensorSpec> inputs,
                          const CallOptions& options) {
  return find_or_make(call, inputs, options, false);
}

Result<Plan> compile_row(const OperatorRow& row, const Attributes& attributes,
                         std::span<const TensorSpec> inputs, const CallOptions& options) {
  if (Status status = check_input_count(row, inputs); !status) return status;
  OperatorBox op;
  if (Status status = row.parse(row, attributes, op); !status) return status;
  return find_or_make({row, op.get()}, inputs, options, false);
}

Result<Tensor> run_call(const OperatorCall& call, std::span<const TensorView> inputs,
                        const CallOptions& options, const RunOptions& run) {
  const std::string_view kernels = chosen_kernels(options);
  const KnownElements values = read_elements(call.row, inputs);
  PlanKey key(call, options, kernels);
  for (std::size_t i = 0; i < inputs.size(); ++i) key.add_input(inputs[i], values[i]);
  if (const std::optional<Plan> known = kept_plans.find(key)) return known->run(inputs, run);
  const Result<std::vector<TensorSpec>> specs = specs_with(inputs, values);
  if (!specs) return specs.error().with_context(call.row.operator_name());
  const Result<Plan> plan = make_and_keep(key, call, *specs, options, kernels);
  if (!plan) return plan.error();
  return plan->run(inputs, run);
}

}  // namespace internal

Result<Plan> compile(const OperatorId& id, const Attributes& attributes,
                     std::span<const TensorSpec> inputs, const CallOptions& options) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  return internal::compile_row(**row, attributes, inputs, options);
}

Result<Tensor> call(const OperatorId& id, const Attributes& attributes,
                    std::span<const TensorView> inputs, const CallOptions& options,
                    const RunOptions& run) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  if (Status status = internal::check_input_count(**row, inputs); !status) return status;
  internal::OperatorBox op;
  if (Status status = (*row)->parse(**row, attributes, op); !status) return status;
  return internal::run_call({**row, op.get()}, inputs, options, run);
}

Result<Tensor> call_reference(const OperatorId& id, const Attributes& attributes,
                              std::span<const TensorView> inputs, const CallOptions& options) {
  const auto found = internal::find_row(id.dialect, id.name, id.version);
  if (!found) return found.error();
  const internal::OperatorRow& row = **found;
  if (Status status = internal::check_input_count(row, inputs); !status) return status;
  internal::OperatorBox op;
  if (Status status = row.parse(row, attributes, op); !status) return status;
  std::vector<TensorSpec> specs;
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  const auto checked = internal::check_call(row, specs, options, internal::chosen_kernels(options));
  if (!checked) return checked.error();
  return row.reference(row, op.get(), inputs, options);
}

std::vector<KernelSet> list_kernel_sets() {
  std::vector<KernelSet> sets;
  for (const internal::KernelSetEntry& set : internal::kernel_sets())
    sets.push_back({std::string(set.name), set.supported});
  return sets;
}

}  // namespace windrow
