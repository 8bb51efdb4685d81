#include <limits>
#include <utility>

#include "src/access/uniform_axes.h"
#include "src/operators/packed.h"
#include "src/operators/plan_state.h"
#include "src/plan/broadcast_strides.h"
#include "src/plan/lower.h"
#include "src/plan/split_strides.h"

namespace windrow::internal {

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

// Lowering only fails if a call's sizes exceed any memory.
Status too_large(const Operation& operation, const Status& reason) {
  ErrorInfo info = reason.info();
  info.operator_name = operation.operator_name;
  info.constraint = "CALL-I2";
  info.message = operation.operator_name + " [CALL-I2]: " + info.message;
  return Status(std::move(info));
}

// Lowers the passes of a reduction besides the folding. They walk the same addresses, with one
// value for all points.
Status lower_passes(const Operation& operation, const Layout& layout, const Tuning& tuning,
                    LoweredOperation& lowered) {
  const bool fills = !operation.from_data && operation.data_input >= 0;
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

}  // namespace windrow::internal
