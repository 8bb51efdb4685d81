#include "src/operators/dense_copies.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/memory.h"
#include "src/execute/run_plan.h"
#include "src/plan/estimate.h"
#include "src/plan/lower.h"
#include "src/pooling/fold_bags.h"
#include "src/pooling/take_quantised.h"

namespace windrow::internal {
namespace {

// Whether a run reads the elements of an input one by one, so that it could read those of a copy.
bool is_walked(const Operation& operation, std::size_t input) {
  const auto number = static_cast<int>(input);
  if (operation.scatter) {
    if (number == operation.updates_input) return operation.updates_element < 0;
  } else if (number == operation.data_input) {
    return operation.data_element < 0;
  }
  for (const AxisMap& axis : operation.map.axes)
    for (const IndexTerm& term : axis.terms)
      if (term.input == number) return true;
  return false;
}

// Whether the elements of a tensor have gaps or another order than row-major. False for tensors of
// no elements.
bool is_loose(const TensorSpec& spec) {
  if (!spec.strides || spec.dtype == DType::kString || element_count(spec.shape).value_or(0) == 0)
    return false;
  const Strides dense = row_major_strides(spec.shape, dtype_bits(spec.dtype) / 8);
  for (int axis = 0; axis < spec.shape.rank(); ++axis)
    if (spec.shape[axis] != 1 && (*spec.strides)[axis] != dense[axis]) return true;
  return false;
}

// Whether a tensor reads elements several times along one of its axes from `first` on.
bool repeats(const TensorSpec& spec, int first) {
  for (int axis = first; axis < spec.shape.rank(); ++axis)
    if (spec.shape[axis] != 1 && (*spec.strides)[axis] == 0) return true;
  return false;
}

// The number of leading axes that have one element or repeat theirs. Not those after which no axis
// of several elements comes: a copy would change nothing.
int repeated_axes(const TensorSpec& spec) {
  int last = spec.shape.rank() - 1;
  while (last > 0 && spec.shape[last] == 1) --last;
  int axis = 0;
  while (axis < last && (spec.shape[axis] == 1 || (*spec.strides)[axis] == 0)) ++axis;
  return axis;
}

// The copy of one input, which repeats its elements along the first `repeated` axes as the input
// does. Returns nothing if there is none.
std::optional<DenseCopy> lower_dense_copy(const TensorSpec& spec, std::size_t input, int repeated,
                                          const Tuning& tuning) {
  Shape shape = spec.shape;
  for (int axis = 0; axis < repeated; ++axis) shape[axis] = 1;
  Strides dense = row_major_strides(shape, dtype_bits(spec.dtype) / 8);
  for (int axis = 0; axis < repeated; ++axis) dense[axis] = 0;
  Result<LoweredPlan> copy = lower_copy(spec.dtype, shape, dense, *spec.strides, tuning);
  const auto bytes = dense_byte_count(spec.dtype, shape);
  if (!copy || !bytes) return std::nullopt;
  return DenseCopy{input, *bytes, dense, *std::move(copy)};
}

CandidateTime estimate(const LoweredOperation& lowered, const MachineCosts& costs) {
  CandidateTime candidate{{}, estimate_time(lowered.main, costs)};
  for (const DenseCopy& copy : lowered.dense_copies) {
    candidate.copied.push_back(copy.input);
    candidate.nanoseconds +=
        estimate_time(copy.copy, costs) + estimate_new_memory(copy.bytes, costs);
  }
  return candidate;
}

// Lowers with those copies that are `chosen`.
Result<LoweredOperation> lower_with(const std::vector<DenseCopy>& copies,
                                    const std::vector<bool>& chosen, const Operation& operation,
                                    std::span<const TensorSpec> inputs,
                                    const Strides& result_strides, const Tuning& tuning) {
  std::vector<TensorSpec> specs(inputs.begin(), inputs.end());
  std::vector<DenseCopy> made;
  for (std::size_t c = 0; c < copies.size(); ++c) {
    if (!chosen[c]) continue;
    made.push_back(copies[c]);
    specs[copies[c].input].strides = copies[c].strides;
  }
  auto lowered = lower_as_laid_out(operation, specs, result_strides, tuning);
  if (lowered) lowered->dense_copies = std::move(made);
  return lowered;
}

// A copy that repeats elements, and so may be much larger than its input, has at most as many bytes
// as the call moves, or this many.
constexpr std::int64_t kRepeatedBytes = std::int64_t{16} << 20;

// The copy of an input after which a run takes least. One that repeats elements has at most
// `most_repeated` bytes.
std::optional<DenseCopy> best_copy(const Operation& operation, std::span<const TensorSpec> inputs,
                                   std::size_t input, std::int64_t most_repeated,
                                   const Strides& result_strides, const Tuning& tuning) {
  const TensorSpec& spec = inputs[input];
  std::vector<DenseCopy> copies;
  for (int repeated = 0; repeated <= repeated_axes(spec); ++repeated) {
    auto copy = lower_dense_copy(spec, input, repeated, tuning);
    if (copy && (!repeats(spec, repeated) || copy->bytes <= most_repeated))
      copies.push_back(*std::move(copy));
  }
  if (copies.empty()) return std::nullopt;
  if (copies.size() == 1) return std::move(copies.front());
  const auto time = [&](const DenseCopy& copy) {
    const auto lowered = lower_with({copy}, {true}, operation, inputs, result_strides, tuning);
    return lowered ? estimate(*lowered, tuning.costs).nanoseconds
                   : std::numeric_limits<double>::infinity();
  };
  std::vector<double> times;
  std::transform(copies.begin(), copies.end(), std::back_inserter(times), time);
  const auto least = std::min_element(times.begin(), times.end()) - times.begin();
  return std::move(copies[static_cast<std::size_t>(least)]);
}

std::vector<DenseCopy> possible_copies(const Operation& operation,
                                       std::span<const TensorSpec> inputs,
                                       const Strides& result_strides, const Tuning& tuning) {
  std::vector<DenseCopy> copies;
  if (!tuning.dense_copies.value_or(true)) return copies;
  const std::int64_t moved =
      element_count(operation.map.loops).value_or(0) * (dtype_bits(operation.dtype) / 8);
  const std::int64_t most_repeated = std::max(moved, kRepeatedBytes);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_walked(operation, i) || !is_loose(inputs[i])) continue;
    if (auto copy = best_copy(operation, inputs, i, most_repeated, result_strides, tuning))
      copies.push_back(*std::move(copy));
  }
  return copies;
}

// Lowers for bags, with the copies without which the gather has other points than the samples, or
// other rows than those of data.
Result<LoweredOperation> lower_bags(const Operation& operation, std::span<const TensorSpec> inputs,
                                    const Strides& result_strides, const Tuning& tuning) {
  auto lowered = lower_as_laid_out(operation, inputs, result_strides, tuning);
  if (!lowered || has_bag_rows(operation, lowered->main)) return lowered;
  const int indices = operation.map.axes.front().terms.front().input;
  std::vector<DenseCopy> copies;
  for (const int input : {indices, operation.data_input}) {
    const TensorSpec& spec = inputs[static_cast<std::size_t>(input)];
    if (!spec.strides) continue;
    auto copy = lower_dense_copy(spec, static_cast<std::size_t>(input), 0, tuning);
    if (copy) copies.push_back(*std::move(copy));
  }
  // One of them if that suffices, the indices rather than the table.
  for (std::size_t c = 0; copies.size() > 1 && c < copies.size(); ++c) {
    std::vector<bool> chosen(copies.size(), false);
    chosen[c] = true;
    lowered = lower_with(copies, chosen, operation, inputs, result_strides, tuning);
    if (!lowered || has_bag_rows(operation, lowered->main)) return lowered;
  }
  const std::vector<bool> all(copies.size(), true);
  return lower_with(copies, all, operation, inputs, result_strides, tuning);
}

// The layout of the table, its scales and the result is seen by a run.
Result<LoweredOperation> lower_quantised(const Operation& operation,
                                         std::span<const TensorSpec> inputs, const Tuning& tuning) {
  auto rows = lower_row_numbers(operation, inputs, tuning);
  if (!rows) return too_large(operation, rows.error());
  LoweredOperation lowered;
  lowered.main = *std::move(rows);
  return lowered;
}

}  // namespace

Result<LoweredOperation> lower_operation(const Operation& operation,
                                         std::span<const TensorSpec> inputs,
                                         const Strides& result_strides, const Tuning& tuning) {
  if (operation.beams) return LoweredOperation();
  if (operation.dequantise) return lower_quantised(operation, inputs, tuning);
  if (operation.bags) return lower_bags(operation, inputs, result_strides, tuning);
  auto best = lower_as_laid_out(operation, inputs, result_strides, tuning);
  if (!best || best->main.points == 0) return best;
  const std::vector<DenseCopy> copies = possible_copies(operation, inputs, result_strides, tuning);
  if (copies.empty()) return best;
  std::vector<bool> chosen(copies.size(), true);
  if (tuning.dense_copies)
    return lower_with(copies, chosen, operation, inputs, result_strides, tuning);
  std::vector<CandidateTime> candidates{estimate(*best, tuning.costs)};
  // The first of `candidates` is that of `best`. Nothing is compared twice with it.
  const auto is_better = [&](const std::vector<bool>& choice) {
    auto lowered = lower_with(copies, choice, operation, inputs, result_strides, tuning);
    if (!lowered) return false;
    CandidateTime candidate = estimate(*lowered, tuning.costs);
    const bool better = candidate.nanoseconds < candidates.front().nanoseconds;
    candidates.insert(better ? candidates.begin() : candidates.end(), std::move(candidate));
    if (better) best = std::move(lowered);
    return better;
  };
  // All or none, and then without or with each one: not every set of many index tensors.
  if (!is_better(chosen)) chosen.assign(copies.size(), false);
  for (std::size_t c = 0; copies.size() > 1 && c < copies.size(); ++c) {
    chosen[c] = !chosen[c];
    if (!is_better(chosen)) chosen[c] = !chosen[c];
  }
  best->candidates = std::move(candidates);
  return best;
}

std::int64_t dense_copy_bytes(const LoweredOperation& lowered) {
  std::int64_t bytes = 0;
  for (const DenseCopy& copy : lowered.dense_copies) bytes += whole_lines(copy.bytes);
  return bytes;
}

RunOutcome make_dense_copies(const LoweredOperation& lowered, const KernelTable& kernels,
                             std::byte* scratch, Threads* threads, Interruption* interruption,
                             std::span<TensorView> inputs) {
  for (const DenseCopy& copy : lowered.dense_copies) {
    TensorView& input = inputs[copy.input];
    RunMemory memory{scratch, static_cast<std::byte*>(const_cast<void*>(input.data)), {}};
    memory.interruption = interruption;
    const RunOutcome outcome = run_plan(copy.copy, kernels, memory, threads, {});
    if (outcome != RunOutcome::kDone) return outcome;
    input = TensorView(input.dtype, input.shape, copy.strides, scratch);
    scratch += whole_lines(copy.bytes);
  }
  return RunOutcome::kDone;
}

}  // namespace windrow::internal
