#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/access/uniform_axes.h"
#include "src/operators/chosen_tuning.h"
#include "src/operators/operator_row.h"
#include "src/operators/packed.h"
#include "src/operators/plan_cache.h"
#include "src/operators/plan_state.h"
#include "src/plan/broadcast_strides.h"
#include "src/plan/lower.h"
#include "src/plan/split_strides.h"

namespace windrow {
namespace internal {

TensorSpec byte_spec(const PlanState& state, std::size_t input) {
  TensorSpec spec = state.inputs[input];
  if (!is_packed(spec.dtype)) return spec;
  spec.strides.reset();
  if (unpacks_input(state, input)) {
    spec.dtype = unpacked_type(spec.dtype);
  } else {
    spec.shape.back() /= 8 / dtype_bits(spec.dtype);
    spec.dtype = DType::kUint8;
  }
  return spec;
}

bool unpacks_input(const PlanState& state, std::size_t input) {
  if (!is_packed(state.inputs[input].dtype)) return false;
  const auto number = static_cast<int>(input);
  const Operation& operation = state.operation;
  const bool moved =
      number == operation.data_input || (operation.scatter && number == operation.updates_input);
  return !moved || state.unpacks;
}

namespace {

// Lowering fails only where a call's sizes are beyond any memory.
Status too_large(const Operation& operation, const Status& reason) {
  ErrorInfo info = reason.info();
  info.operator_name = operation.operator_name;
  info.constraint = "CALL-I2";
  info.message = operation.operator_name + " [CALL-I2]: " + info.message;
  return Status(std::move(info));
}

// The passes of a reduction besides the folding: both walk the same addresses with one value for
// all points.
Status lower_passes(const Operation& operation, const Layout& layout, const Tuning& tuning,
                    LoweredOperation& lowered) {
  Layout one_value = layout;
  one_value.direct = Dims::filled(operation.map.loops.rank(), 0);
  Operation pass = operation;
  if (!operation.from_data && operation.data_input >= 0) {
    pass.combine = Combine::kAssign;
    Result<LoweredPlan> fill = lower(pass, one_value, tuning);
    if (!fill) return too_large(operation, fill.error());
    lowered.fill = *std::move(fill);
  }
  if (operation.combine == Combine::kMean) {
    pass.combine = Combine::kAdd;
    pass.dtype = count_type(operation);
    pass.map = without_uniform_axes(operation.map, layout.inputs);
    lowered.counts = indirect_shape(pass.map);
    one_value.indirect = row_major_strides(lowered.counts, dtype_bits(pass.dtype) / 8);
    Result<LoweredPlan> count = lower(pass, one_value, tuning);
    if (!count) return too_large(operation, count.error());
    lowered.count = *std::move(count);
  }
  return {};
}

}  // namespace

DType count_type(const Operation& operation) {
  const std::int64_t points = element_count(operation.map.loops).value_or(0);
  return points <= std::numeric_limits<std::uint32_t>::max() ? DType::kUint32 : DType::kUint64;
}

Result<LoweredOperation> lower_operation(const Operation& operation,
                                         std::span<const TensorSpec> inputs,
                                         const Strides& result_strides, const Tuning& tuning) {
  const auto strides_of = [&](int input) {
    const TensorSpec& spec = inputs[static_cast<std::size_t>(input)];
    return spec.strides ? *spec.strides
                        : row_major_strides(spec.shape, dtype_bits(operation.dtype) / 8);
  };
  const bool one_start = operation.data_input < 0 || operation.data_element >= 0;
  const Strides data =
      one_start ? Dims::filled(operation.result_shape.rank(), 0) : strides_of(operation.data_input);
  Layout layout;
  layout.inputs = inputs;
  if (operation.scatter && operation.updates_element >= 0) {
    layout.direct = Dims::filled(operation.map.loops.rank(), 0);
    layout.indirect = result_strides;
  } else if (operation.scatter) {
    const auto updates = static_cast<std::size_t>(operation.updates_input);
    const auto spread = operation.updates_broadcast ? &broadcast_strides : &split_strides;
    layout.direct =
        spread(inputs[updates].shape, strides_of(operation.updates_input), operation.map.loops);
    layout.indirect = result_strides;
  } else {
    layout.direct = split_strides(operation.result_shape, result_strides, operation.map.loops);
    layout.indirect = data;
  }
  LoweredOperation lowered;
  Result<LoweredPlan> main = lower(operation, layout, tuning);
  if (!main) return too_large(operation, main.error());
  lowered.main = *std::move(main);
  if (!operation.scatter) return lowered;
  Result<LoweredPlan> copy =
      lower_copy(operation.dtype, operation.result_shape, result_strides, data, tuning);
  if (!copy) return too_large(operation, copy.error());
  lowered.copy = *std::move(copy);
  if (Status status = lower_passes(operation, layout, tuning, lowered); !status) return status;
  return lowered;
}

namespace {

void choose_bytes(PlanState& state) {
  state.byte_operation = state.operation;
  if (!is_packed(state.operation.dtype)) return;
  const bool moves =
      state.operation.combine == Combine::kAssign && !state.operation.updates_broadcast;
  if (auto bytes = moves ? as_bytes(state.operation) : std::nullopt) {
    state.byte_operation = *std::move(bytes);
    return;
  }
  state.byte_operation.dtype = unpacked_type(state.operation.dtype);
  state.unpacks = true;
}

Result<Plan> make_plan(const OperatorRow& row, Operation operation,
                       std::span<const TensorSpec> inputs, const CallOptions& options) {
  const int moved = operation.scatter ? operation.updates_input : operation.data_input;
  operation.dtype = inputs[static_cast<std::size_t>(moved)].dtype;
  operation.operator_name = row.operator_name();
  for (const InputSchema& input : row.inputs) operation.input_names.emplace_back(input.name);
  if (!dense_byte_count(operation.dtype, operation.result_shape))
    return row.broken(
        ErrorCode::kShape, "CALL-I2",
        "the result has shape " + to_string(operation.result_shape) + ": more than 2^63-1 bytes");
  auto state = std::make_shared<PlanState>();
  state->inputs.assign(inputs.begin(), inputs.end());
  state->inputs.resize(row.inputs.size());
  state->result.dtype = operation.dtype;
  state->result.shape = operation.result_shape;
  // What the caller's options hold was checked with them.
  state->tuning = chosen_tuning(options).value();
  state->kernels = find_kernel_set(state->tuning.kernel_set);
  state->operation = std::move(operation);
  choose_bytes(*state);
  note_usual_tensors(*state);
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < state->inputs.size(); ++i) specs.push_back(byte_spec(*state, i));
  const Operation& bytes = state->byte_operation;
  auto lowered = lower_operation(bytes, specs,
                                 row_major_strides(bytes.result_shape, dtype_bits(bytes.dtype) / 8),
                                 state->tuning);
  if (!lowered) return lowered.error();
  state->lowered = *std::move(lowered);
  return Plan(std::move(state));
}

Result<Plan> compile_row(const OperatorRow& row, const Attributes& attributes,
                         std::span<const TensorSpec> inputs, const CallOptions& options) {
  if (Status status = check_input_count(row, inputs); !status) return status;
  Result<Operation> operation = row.build(row, attributes, inputs, options);
  if (!operation) return operation.error();
  return make_plan(row, *std::move(operation), inputs, options);
}

// The inputs with values of their own: whoever owns those of the caller may change them while they
// are read, and would else keep memory that only the caller knows.
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

// As compile(), with values that belong to nobody else. The row is looked for if there is no plan.
Result<Plan> find_or_compile(const OperatorId& id, const Attributes& attributes,
                             std::span<const TensorSpec> inputs, const CallOptions& options) {
  const PlanKey key(id, attributes, inputs, options);
  if (std::optional<Plan> known = find_plan(key)) return *std::move(known);
  const auto row = find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  Result<Plan> plan = compile_row(**row, attributes, inputs, options);
  if (plan) keep_plan(key, *plan);
  return plan;
}

// The specs of a call's inputs, with the values that the plan depends on.
Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs) {
  std::vector<TensorSpec> specs;
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  if (Status status = add_known_values(row, inputs, specs); !status) return status;
  return specs;
}

}  // namespace
}  // namespace internal

Result<Plan> compile(const OperatorId& id, const Attributes& attributes,
                     std::span<const TensorSpec> inputs, const CallOptions& options) {
  const bool has_values = std::any_of(inputs.begin(), inputs.end(),
                                      [](const TensorSpec& spec) { return spec.value != nullptr; });
  if (!has_values) return internal::find_or_compile(id, attributes, inputs, options);
  const Result<std::vector<TensorSpec>> specs = internal::with_own_values(inputs);
  if (!specs) return specs.error();
  return internal::find_or_compile(id, attributes, *specs, options);
}

Result<Tensor> call(const OperatorId& id, const Attributes& attributes,
                    std::span<const TensorView> inputs, const CallOptions& options,
                    const RunOptions& run) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  const auto specs = internal::specs_of(**row, inputs);
  if (!specs) return specs.error();
  const Result<Plan> plan = internal::find_or_compile(id, attributes, *specs, options);
  if (!plan) return plan.error();
  return plan->run(inputs, run);
}

Result<Tensor> call_reference(const OperatorId& id, const Attributes& attributes,
                              std::span<const TensorView> inputs, const CallOptions& options) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  std::vector<TensorSpec> specs;
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  if (Status status = internal::check_input_count(**row, specs); !status) return status;
  return (*row)->reference(**row, attributes, inputs, options);
}

std::vector<KernelSet> list_kernel_sets() {
  std::vector<KernelSet> sets;
  for (const internal::KernelSetEntry& set : internal::kernel_sets())
    sets.push_back({std::string(set.name), set.supported});
  return sets;
}

}  // namespace windrow
