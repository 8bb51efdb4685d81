#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "src/access/evaluate.h"
#include "src/base/checked.h"
#include "src/operators/plan_state.h"

namespace windrow::internal {
namespace {

Status refuse(const PlanState& state, ErrorCode code, const std::string& text) {
  ErrorInfo info;
  info.code = code;
  info.operator_name = state.operation.operator_name;
  info.message = info.operator_name + ": " + text;
  return Status(std::move(info));
}

// The bytes that a tensor's elements lie in: [low, high) as addresses; empty for a tensor without
// elements.
struct Extent {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};

Extent extent_of(const TensorView& view) {
  if (element_count(view.shape).value_or(0) == 0) return {};
  const auto first = reinterpret_cast<std::uintptr_t>(view.data);
  if (is_packed(view.dtype))
    return {first, first + static_cast<std::uintptr_t>(*dense_byte_count(view.dtype, view.shape))};
  Extent extent{first, first + static_cast<std::uintptr_t>(dtype_bits(view.dtype) / 8)};
  for (int axis = 0; axis < view.shape.rank(); ++axis) {
    const std::int64_t reach = (view.shape[axis] - 1) * view.strides[axis];
    (reach < 0 ? extent.low : extent.high) += static_cast<std::uintptr_t>(reach);
  }
  return extent;
}

bool overlap(const Extent& a, const Extent& b) { return a.low < b.high && b.low < a.high; }

std::string input_name(const PlanState& state, std::size_t input) {
  return state.operation.input_names[input];
}

Status check_tensor(const PlanState& state, const std::string& name, const TensorSpec& spec,
                    const TensorView& view) {
  if (view.dtype != spec.dtype)
    return refuse(state, ErrorCode::kType,
                  name + " has type " + std::string(dtype_name(view.dtype)) +
                      ", the plan was compiled for " + std::string(dtype_name(spec.dtype)));
  if (!(view.shape == spec.shape))
    return refuse(state, ErrorCode::kShape,
                  name + " has shape " + to_string(view.shape) + ", the plan was compiled for " +
                      to_string(spec.shape));
  if (view.is_absent() || element_count(view.shape).value_or(0) == 0) return {};
  if (view.data == nullptr)
    return refuse(state, ErrorCode::kInvalidArgument, name + " has elements but no memory");
  if (is_packed(view.dtype)) return {};
  if (view.strides.rank() != view.shape.rank())
    return refuse(state, ErrorCode::kInvalidArgument,
                  name + " has " + std::to_string(view.strides.rank()) + " strides for rank " +
                      std::to_string(view.shape.rank()));
  std::int64_t span = 0;
  for (int axis = 0; axis < view.shape.rank(); ++axis) {
    const auto reach = checked_mul(view.shape[axis] - 1, view.strides[axis]);
    const auto sum =
        reach && *reach != INT64_MIN ? checked_add(span, std::abs(*reach)) : std::nullopt;
    if (!sum)
      return refuse(state, ErrorCode::kInvalidArgument,
                    name + " has strides " + to_string(view.strides) + " that exceed 2^63-1 bytes");
    span = *sum;
  }
  if (view.dtype != DType::kString) return {};
  auto misaligned = reinterpret_cast<std::uintptr_t>(view.data) % alignof(std::string);
  for (int axis = 0; axis < view.shape.rank(); ++axis)
    if (view.shape[axis] > 1)
      misaligned |= static_cast<std::uintptr_t>(view.strides[axis]) % alignof(std::string);
  if (misaligned == 0) return {};
  return refuse(state, ErrorCode::kInvalidArgument, name + " has strings that are not aligned");
}

// No two elements of an output share a byte. Sufficient, and necessary for all views that slices
// and permutations of a dense tensor make: taken by rising stride, each axis steps over all that
// the ones before reach.
Status check_disjoint(const PlanState& state, const MutableTensorView& out) {
  if (is_packed(out.dtype) || element_count(out.shape).value_or(0) == 0) return {};
  std::array<std::pair<std::int64_t, std::int64_t>, kMaxRank> axes;  // |stride|, extent
  std::size_t count = 0;
  for (int axis = 0; axis < out.shape.rank(); ++axis)
    if (out.shape[axis] > 1) axes[count++] = {std::abs(out.strides[axis]), out.shape[axis]};
  std::sort(axes.begin(), axes.begin() + count);
  std::int64_t span = dtype_bits(out.dtype) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [stride, extent] = axes[i];
    if (stride < span)
      return refuse(state, ErrorCode::kInvalidArgument,
                    "the output has strides " + to_string(out.strides) + " for shape " +
                        to_string(out.shape) + ": its elements overlap");
    span += stride * (extent - 1);
  }
  return {};
}

bool is_same_view(const TensorView& a, const MutableTensorView& b) {
  if (a.data != b.data || !(a.shape == b.shape)) return false;
  if (is_packed(a.dtype)) return true;
  for (int axis = 0; axis < a.shape.rank(); ++axis)
    if (a.shape[axis] > 1 && a.strides[axis] != b.strides[axis]) return false;
  return true;
}

// That an input which the addresses depend on has the value of compile.
Status check_fixed(const PlanState& state, std::size_t input, const TensorView& view) {
  const TensorSpec& spec = state.inputs[input];
  const std::int64_t wanted = read_index(spec.dtype, spec.value->data());
  const std::int64_t found = read_index(view.dtype, view.data);
  if (found == wanted) return {};
  return refuse(state, ErrorCode::kInvalidArgument,
                input_name(state, input) + " is " + std::to_string(found) +
                    ", the plan was compiled for " + std::to_string(wanted));
}

}  // namespace

Status check_run(const PlanState& state, std::span<const TensorView> inputs,
                 const MutableTensorView& out, bool& in_place) {
  const std::size_t count = state.inputs.size();
  if (inputs.size() > count)
    return refuse(state, ErrorCode::kInvalidArgument,
                  std::to_string(inputs.size()) + " inputs given, takes " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const TensorView absent = {};
    const TensorView& view = i < inputs.size() ? inputs[i] : absent;
    if (Status status = check_tensor(state, input_name(state, i), state.inputs[i], view); !status)
      return status;
  }
  for (const int fixed : state.operation.fixed_inputs) {
    const auto input = static_cast<std::size_t>(fixed);
    if (Status status = check_fixed(state, input, inputs[input]); !status) return status;
  }
  if (Status status = check_tensor(state, "the output", state.result, out); !status) return status;
  if (Status status = check_disjoint(state, out); !status) return status;
  const auto data = static_cast<std::size_t>(state.operation.data_input);
  in_place = state.operation.scatter && state.operation.data_input >= 0 &&
             state.operation.data_element < 0 && is_same_view(inputs[data], out);
  const Extent written = extent_of(out);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_absent() || (in_place && i == data)) continue;
    if (overlap(extent_of(inputs[i]), written))
      return refuse(state, ErrorCode::kInvalidArgument,
                    "the output overlaps " + input_name(state, i) + " in memory");
  }
  return {};
}

}  // namespace windrow::internal
