#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/dialects/openvino/schema.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"

// SliceScatter, whose slices are NumPy's.
namespace windrow::internal {
namespace {

constexpr std::size_t kUpdates = 1;
constexpr std::size_t kStart = 2;
constexpr std::size_t kStop = 3;
constexpr std::size_t kStep = 4;
constexpr std::size_t kAxes = 5;
constexpr std::array kVectors = {kStart, kStop, kStep, kAxes};

// The positions of an axis that a slice takes: first, first + step, .. (`count` of them).
struct Slice {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

// A bound as NumPy reads it: a negative one counts from the end; then it is moved into
// [low, high].
std::int64_t place_bound(std::int64_t bound, std::int64_t extent, std::int64_t low,
                         std::int64_t high) {
  return std::clamp(bound < 0 ? bound + extent : bound, low, high);
}

Slice make_slice(std::int64_t extent, std::int64_t start, std::int64_t stop, std::int64_t step) {
  const std::int64_t low = step < 0 ? -1 : 0;
  const std::int64_t high = step < 0 ? extent - 1 : extent;
  const std::int64_t first = place_bound(start, extent, low, high);
  const std::int64_t end = place_bound(stop, extent, low, high);
  const std::int64_t length = step < 0 ? first - end : end - first;
  if (length <= 0) return {};
  // The step from a single position leads nowhere, and might exceed the addresses.
  if (step <= -length || step >= length) return {first, 1, 1};
  return {first, step, (length - 1) / std::abs(step) + 1};
}

// C2: start, stop, step and axes have rank 1 and the same length, at most the rank of data.
Status check_vectors(const Rules& rules, const KnownInputs& inputs) {
  const KnownInput& data = inputs[0];
  const KnownInput* first = nullptr;
  for (const std::size_t i : kVectors) {
    const KnownInput& vector = inputs[i];
    if (!vector.has_rank()) continue;
    if (vector.rank() != 1) return rules.shape("C2", describe_shape(vector) + ", must have rank 1");
    if (first != nullptr && must_differ((*first)[0], vector[0]))
      return rules.shape("C2", describe_shapes(*first, vector) + "they differ");
    if (data.has_rank() && must_exceed(vector[0], Dim{data.rank(), {}}))
      return rules.shape("C2", describe_shape(vector) + ", must have at most " +
                                   std::to_string(data.rank()) + " elements for " +
                                   with_rank(data));
    if (first == nullptr || !(*first)[0].is_known()) first = &vector;
  }
  for (const std::size_t i : kVectors)
    if (inputs[i].is_compiled && !inputs[i].is_absent && !inputs[i].value)
      return unknown_value(rules, ErrorCode::kShape, "C2", inputs[i]);
  return {};
}

// The axes that are sliced, counted from the front: those of the input, or the first ones if it is
// absent. Nothing where they are not known. A1: they are in [-r, r-1]. A3: none is given twice.
Result<std::optional<std::vector<int>>> check_axes(const Rules& rules, const KnownInputs& inputs) {
  using Axes = std::optional<std::vector<int>>;
  const KnownInput& data = inputs[0];
  const KnownInput& given = inputs[kAxes];
  const KnownInput& start = inputs[kStart];
  if (!data.has_rank()) return Axes();
  std::vector<int> axes;
  if (given.is_absent && start.has_rank() && start[0].is_known()) {
    for (std::int64_t i = 0; i < start[0].value; ++i) axes.push_back(static_cast<int>(i));
    return Axes(std::move(axes));
  }
  if (!given.value) return Axes();
  for (const std::int64_t axis : *given.value) {
    const auto normal = check_axis(rules, axis, data);
    if (!normal) return normal.error();
    const auto place = static_cast<int>(normal->value());
    if (std::find(axes.begin(), axes.end(), place) != axes.end())
      return rules.invalid("A3", "axes name axis " + std::to_string(place) + " twice");
    axes.push_back(place);
  }
  return Axes(std::move(axes));
}

// A4.
Status check_steps(const Rules& rules, const KnownInput& step) {
  if (!step.value) return {};
  const auto zero = std::find(step.value->begin(), step.value->end(), 0);
  if (zero == step.value->end()) return {};
  return rules.invalid(
      "A4", "step[" + std::to_string(zero - step.value->begin()) + "] is 0, must not be 0");
}

// The shape of the slice, as far as it is known.
SymbolicDims slice_shape(const KnownInputs& inputs, const std::vector<int>& axes) {
  SymbolicDims dims = *inputs[0].dims;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Dim& dim = dims[static_cast<std::size_t>(axes[i])];
    const auto number = [&](std::size_t input) {
      const KnownValue& value = inputs[input].value;
      return value && i < value->size() ? std::optional((*value)[i]) : std::nullopt;
    };
    const auto start = number(kStart);
    const auto stop = number(kStop);
    const auto step = number(kStep);
    const bool is_known = dim.is_known() && start && stop && step;
    dim = is_known ? Dim{make_slice(dim.value, *start, *stop, *step).count, {}} : Dim();
  }
  return dims;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::SliceScatter& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (Status status = check_vectors(rules, inputs); !status) return status;
  const auto axes = check_axes(rules, inputs);
  if (!axes) return axes.error();
  if (Status status = check_steps(rules, inputs[kStep]); !status) return status;
  if (data.has_rank()) {
    const SymbolicDims slice =
        *axes ? slice_shape(inputs, **axes) : SymbolicDims(data.dims->size());
    if (Status status = check_shape(rules, "C3", inputs[kUpdates], slice); !status) return status;
  }
  return data.shape();
}

Operation build(const Rules& rules, const openvino::SliceScatter& /*op*/,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  AccessMap map;
  map.loops = inputs[kUpdates].shape;
  for (int axis = 0; axis < data.rank(); ++axis) map.axes.push_back(loop_axis(data[axis], axis));
  const std::vector<std::int64_t> start = fixed_values(inputs[kStart]);
  const std::vector<std::int64_t> stop = fixed_values(inputs[kStop]);
  const std::vector<std::int64_t> step = fixed_values(inputs[kStep]);
  const bool has_axes = inputs.size() > kAxes && !inputs[kAxes].is_absent();
  const std::vector<std::int64_t> axes =
      has_axes ? fixed_values(inputs[kAxes]) : std::vector<std::int64_t>();
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto place = has_axes ? normal_axis(axes[i], data.rank()) : static_cast<int>(i);
    const Slice slice = make_slice(data[place], start[i], stop[i], step[i]);
    AxisMap& axis = map.axes[static_cast<std::size_t>(place)];
    axis.base = slice.first;
    axis.loops.front().coefficient = slice.step;
  }
  Operation operation = cache_operation(rules, std::move(map), options, "C3");
  operation.refuse_duplicates = false;  // a slice has no position twice
  operation.fixed_inputs = {kStart, kStop, kStep};
  if (has_axes) operation.fixed_inputs.push_back(kAxes);
  return operation;
}

}  // namespace windrow::internal
