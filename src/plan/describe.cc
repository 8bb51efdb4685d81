#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {
namespace {

std::vector<std::int64_t> extents_of(const LoopNest& nest) {
  std::vector<std::int64_t> extents;
  for (const NestLoop& loop : nest) extents.push_back(loop.extent);
  return extents;
}

DescribedAxis describe_axis(const AddressAxis& axis) {
  DescribedAxis result{axis.extent, axis.policy, {}, axis.fused};
  for (const AddressTerm& term : axis.terms) result.indices.push_back({term.dtype, term.wraps});
  return result;
}

void describe_writes(const LoweredPlan& plan, PlanDescription& description) {
  if (!plan.scatter) {
    description.streams = plan.stream;
  } else if (find_way<Pieces>(plan.ways) == nullptr &&
             plan.stream_start_from != std::numeric_limits<std::int64_t>::max()) {
    description.stream_from = plan.stream_start_from;
    description.stream_ascending_from = plan.stream_sorted_start_from;
  }
}

// The bytes of the index tensors that the points read, each counted once.
double index_bytes(const LoweredPlan& plan) {
  double bytes = 0;
  for (const AddressAxis& axis : plan.axes) {
    for (const AddressTerm& term : axis.terms) {
      auto elements = static_cast<double>(term.element_bytes);
      for (const NestLoop& loop : plan.addressed)
        if (loop.strides[term.stream] != 0) elements *= static_cast<double>(loop.extent);
      bytes += elements;
    }
  }
  return bytes;
}

}  // namespace

std::string kernel_name(const LoweredPlan& plan) {
  if (plan.kernel == Kernel::kCount) return "strings";
  return std::string(kKernelRows[static_cast<std::size_t>(plan.kernel)].name);
}

void describe(const LoweredPlan& plan, PlanDescription& description) {
  description.empty = plan.points == 0;
  if (description.empty) return;
  description.shared_loops = extents_of(plan.shared);
  description.loops = extents_of(plan.addressed);
  description.innermost_as_one = plan.flat.has_value();
  description.row_bytes = plan.row_bytes;
  for (const AddressAxis& axis : plan.axes) description.index_axes.push_back(describe_axis(axis));
  description.offset_bits = plan.wide_offsets ? 64 : 32;
  description.offset_unit = plan.unit;
  description.kernel = kernel_name(plan);
  description.prefetch_rows = plan.ahead;
  description.prefetches_updates = plan.fetch_updates;
  describe_writes(plan, description);
  description.moved_bytes = static_cast<std::int64_t>(static_cast<double>(plan.shared_points) *
                                                      static_cast<double>(plan.points) *
                                                      static_cast<double>(plan.row_bytes));
  description.index_bytes = static_cast<std::int64_t>(index_bytes(plan));
}

}  // namespace windrow::internal
