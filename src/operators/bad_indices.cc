#include "src/operators/bad_indices.h"

#include <array>
#include <cstddef>
#include <optional>

#include "src/execute/interruption.h"
#include "src/execute/scan_indices.h"
#include "src/operators/packed.h"
#include "src/operators/plan_state.h"
#include "src/operators/run_failures.h"

namespace windrow::internal {
namespace {

std::array<bool, kMostInputs> inputs_with_indices(const Operation& operation) {
  std::array<bool, kMostInputs> has_indices{};
  for (const AxisMap& axis : operation.map.axes)
    for (const IndexTerm& term : axis.terms)
      has_indices[static_cast<std::size_t>(term.input)] = true;
  return has_indices;
}

}  // namespace

Result<BadIndices> list_bad_indices(const PlanState& state, std::span<const TensorView> inputs,
                                    const RunOptions& options) {
  const Operation& operation = state.byte_operation();
  const std::array<bool, kMostInputs> has_indices = inputs_with_indices(operation);
  std::array<TensorView, kMostInputs> views;
  std::array<Tensor, kMostInputs> unpacked;
  for (std::size_t i = 0; i < state.inputs.size(); ++i) {
    if (!has_indices[i]) continue;
    views[i] = i < inputs.size() ? inputs[i] : TensorView();
    if (Status status = check_input(state, i, views[i]); !status) return status;
    if (!is_packed(views[i].dtype)) continue;
    auto bytes = unpack(views[i]);
    if (!bytes) return out_of_memory(state);
    unpacked[i] = *std::move(bytes);
    views[i] = unpacked[i].view();
  }
  std::optional<Interruption> interruption;
  if (options.interrupt != nullptr) interruption.emplace(*options.interrupt);
  const Status status =
      describe_illegal_indices(operation, {views.data(), state.inputs.size()},
                               interruption ? &*interruption : nullptr, options.listed_indices);
  if (interruption && interruption->was_requested()) return interrupted(state);
  return status ? BadIndices{} : status.index_fault()->listed;
}

}  // namespace windrow::internal
