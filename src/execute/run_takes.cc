#include "src/execute/run_takes.h"

#include <algorithm>
#include <bit>

#include "src/execute/nest_cursor.h"

namespace windrow::internal {

TakeFunction find_take(const LoweredPlan& plan, const KernelTable& kernels) {
  if (!plan.takes_straight) return nullptr;
  const AddressAxis& axis = plan.axes.front();
  const auto width =
      static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(plan.row_bytes)));
  const bool wide = axis.terms.front().dtype == DType::kInt64;
  TakeFunction take = nullptr;
  if (axis.extent * plan.row_bytes <= kMostLookupBytes)
    take = wide ? kernels.look_up_int64[width] : kernels.look_up_int32[width];
  if (take != nullptr) return take;
  return wide ? kernels.take_straight_int64[width] : kernels.take_straight_int32[width];
}

void run_takes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
               const Range& points, Outcome& outcome) {
  const TakeFunction take = find_take(plan, kernels);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  const std::byte* indirect = memory.indirect + plan.indirect_first;
  NestCursor cursor(plan.addressed, {});
  cursor.seek(points.low);
  TakeRun run;
  run.extent = axis.extent;
  run.wraps = term.wraps;
  run.stream = plan.stream;
  run.ahead = plan.ahead;
  for (std::int64_t left = points.high - points.low; left > 0 && !outcome.stopped();) {
    run.count = std::min(left, cursor.run_length());
    run.table = indirect + cursor.position(kIndirectStream) * plan.unit;
    run.indices = indices + cursor.position(term.stream);
    run.out = memory.direct + cursor.position(kDirectStream);
    cursor.advance(run.count);
    left -= run.count;
    const std::byte* next = indirect + cursor.position(kIndirectStream) * plan.unit;
    run.next_table = left > 0 && next != run.table ? next : nullptr;
    if (take(run) && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
  }
  if (plan.stream) flush_streams();
}

}  // namespace windrow::internal
