#include "src/operators/compile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "src/access/evaluate.h"
#include "src/dialects/rules.h"
#include "src/operators/left_out.h"
#include "src/operators/operator_call.h"
#include "src/operators/packed.h"
#include "src/operators/plan.h"
#include "src/operators/plan_state.h"
#include "src/plan/loops.h"
#include "src/plan/lower.h"

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
  operation.dtype = operation.dequantise ? operation.dequantise->dtype
                                         : inputs[static_cast<std::size_t>(moved)].dtype;
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
  if (Status status = lower_plan(*state); !status) return status;
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

// The values by input. A call with more inputs than any operator has gets no plan.
using ReadValues = std::array<KnownBytes, KnownInputs::kMost>;

ReadValues read_values(const OperatorRow& row, std::span<const TensorView> inputs) {
  ReadValues values;
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    if (!is_fixed(row.inputs[i].group)) continue;
    if (i < inputs.size() && !inputs[i].is_absent()) {
      values[i] = read_value(inputs[i]);
    } else if (const auto count = count_by_last_id(inputs, row.inputs[i].counted_input)) {
      values[i] = read_value(TensorView(DType::kInt64, Shape(), &*count));
    }
  }
  return values;
}

// Calls visit(view, value) for each input, and for those behind the last that have a value.
template <class Visit>
void for_each_read(std::span<const TensorView> inputs, const ReadValues& values, Visit visit) {
  KnownBytes none;
  for (std::size_t i = 0; i < std::max(inputs.size(), values.size()); ++i) {
    const KnownBytes& value = i < values.size() ? values[i] : none;
    if (i < inputs.size() || value.size != 0)
      visit(i < inputs.size() ? inputs[i] : TensorView(), value);
  }
}

// The specs of a call's inputs, with the values that were read.
Result<std::vector<TensorSpec>> specs_with(std::span<const TensorView> inputs,
                                           const ReadValues& values) {
  std::vector<TensorSpec> specs;
  Status status;
  for_each_read(inputs, values, [&](const TensorView& view, const KnownBytes& value) {
    specs.push_back(view.spec());
    if (!status || value.size == 0) return;
    const DType dtype = view.is_absent() ? DType::kInt64 : view.dtype;
    Result<Tensor> copy = Tensor::copy_of({dtype, view.shape, value.bytes.data()});
    if (!copy)
      status = copy.error();
    else
      specs.back().value = std::make_shared<const Tensor>(*std::move(copy));
  });
  if (!status) return status;
  return specs;
}

}  // namespace

Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs) {
  return specs_with(inputs, read_values(row, inputs));
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
  const ReadValues values = read_values(call.row, inputs);
  PlanKey key(call, options, kernels);
  for_each_read(inputs, values, [&](const TensorView& view, const KnownBytes& value) {
    key.add_input(view, value);
  });
  if (const std::optional<Plan> known = kept_plans.find(key)) return known->run(inputs, run);
  const Result<std::vector<TensorSpec>> specs = specs_with(inputs, values);
  if (!specs) return specs.error().with_context(call.row.operator_name());
  const Result<Plan> plan = make_and_keep(key, call, *specs, options, kernels);
  if (!plan) return plan.error();
  return plan->run(inputs, run);
}

}  // namespace internal

Result<std::vector<TensorSpec>> specs_of(const OperatorId& id, std::span<const TensorView> inputs) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  return internal::specs_of(**row, inputs);
}

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

namespace windrow::internal {

TensorSpec byte_spec(const PlanState& state, std::size_t input) {
  TensorSpec spec = state.inputs[input];
  const Operation& operation = state.operation;
  if (operation.segments &&
      operation.map.axes.front().terms.front().input == static_cast<int>(input))
    return {DType::kInt64, {operation.map.loops[0]}, {}, {}};
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

Status too_large(const Operation& operation, const Status& reason) {
  ErrorInfo info = reason.info();
  info.operator_name = operation.operator_name;
  info.constraint = "CALL-I2";
  info.message = operation.operator_name + " [CALL-I2]: " + info.message;
  return Status(std::move(info));
}

namespace {

// Lowers the passes of a reduction besides the folding. They walk the same addresses, with one
// value for all points.
Status lower_passes(const Operation& operation, const Layout& layout, const Tuning& tuning,
                    LoweredOperation& lowered) {
  const bool fills = operation.data_input >= 0 ? !operation.from_data
                                               : operation.untouched != UntouchedCell::kIdentity;
  if (!fills && operation.combine != Combine::kMean) return {};
  Layout one_value = layout;
  one_value.direct = Dims::filled(operation.map.loops.rank(), 0);
  Operation pass = operation;
  if (fills) {
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

Result<LoweredOperation> lower_as_laid_out(const Operation& operation,
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
    // The rows that bags add up are nowhere written: any layout of them serves.
    layout.direct =
        operation.bags ? row_major_strides(operation.map.loops, dtype_bits(operation.dtype) / 8)
                       : split_strides(operation.result_shape, result_strides, operation.map.loops);
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

std::shared_ptr<const LaidOut> LatestLayout::find(std::span<const TensorView> inputs,
                                                  const MutableTensorView& out) const noexcept {
  if (!mutex_.try_lock()) return nullptr;
  const std::lock_guard lock(mutex_, std::adopt_lock);
  if (latest_ == nullptr || latest_->out != out.strides) return nullptr;
  const auto is_same = [](const TensorView& input, const Strides& strides) {
    return input.strides == strides;
  };
  const std::vector<Strides>& of_inputs = latest_->inputs;
  return std::equal(inputs.begin(), inputs.end(), of_inputs.begin(), of_inputs.end(), is_same)
             ? latest_
             : nullptr;
}

void LatestLayout::keep(std::shared_ptr<const LaidOut> latest) noexcept {
  if (!mutex_.try_lock()) return;
  const std::lock_guard lock(mutex_, std::adopt_lock);
  latest_.swap(latest);
}

std::string_view chosen_kernels(const CallOptions& options) noexcept {
  if (!options.kernels.empty()) return options.kernels;
  const char* environment = std::getenv("WINDROW_KERNELS");
  return environment == nullptr ? std::string_view() : environment;
}

}  // namespace windrow::internal
