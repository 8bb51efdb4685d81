#include "src/execute/run_takes.h"

#include <algorithm>
#include <bit>

#include "src/execute/nest_cursor.h"

namespace windrow::internal {
namespace {

std::size_t width_row(const LoweredPlan& plan) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(plan.row_bytes)));
}

bool has_wide_indices(const LoweredPlan& plan) {
  return plan.axes.front().terms.front().dtype == DType::kInt64;
}

// Elements from one coordinate of an axis to the next.
std::int64_t element_step(const LoweredPlan& plan, const AddressAxis& axis) {
  return static_cast<std::int64_t>(axis.multiplier) * plan.unit / plan.row_bytes;
}

// One index for each element of a dense table.
class Takes {
 public:
  Takes(const LoweredPlan& plan, const KernelTable& kernels) {
    const AddressAxis& axis = plan.axes.front();
    run_.extent = axis.extent;
    run_.wraps = axis.terms.front().wraps;
    run_.stream = plan.stream;
    run_.ahead = plan.ahead;
    const bool wide = has_wide_indices(plan);
    const std::size_t width = width_row(plan);
    if (axis.extent * plan.row_bytes <= kMostLookupBytes)
      take_ = wide ? kernels.look_up_int64[width] : kernels.look_up_int32[width];
    if (take_ == nullptr)
      take_ = wide ? kernels.take_straight_int64[width] : kernels.take_straight_int32[width];
  }

  bool take(const std::byte* table, const std::byte* next_table, const std::byte* indices,
            std::byte* out, std::int64_t count) {
    run_.table = table;
    run_.next_table = next_table;
    run_.indices = indices;
    run_.out = out;
    run_.count = count;
    return take_(run_);
  }

 private:
  TakeRun run_;
  TakeFunction take_ = nullptr;
};

// An index tuple for each, or one index whose coordinates stand apart.
class TupleTakes {
 public:
  TupleTakes(const LoweredPlan& plan, const KernelTable& kernels) {
    run_.length = static_cast<int>(plan.axes.size());
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
      run_.extents[k] = plan.axes[k].extent;
      run_.steps[k] = static_cast<std::uint32_t>(element_step(plan, plan.axes[k]));
    }
    run_.wraps = plan.axes.front().terms.front().wraps;
    run_.stream = plan.stream;
    run_.ahead = plan.ahead > 0;
    const std::size_t width = width_row(plan);
    take_ = has_wide_indices(plan) ? kernels.take_tuples_int64[width]
                                   : kernels.take_tuples_int32[width];
  }

  bool take(const std::byte* table, const std::byte* /*next_table*/, const std::byte* indices,
            std::byte* out, std::int64_t count) {
    run_.table = table;
    run_.indices = indices;
    run_.out = out;
    run_.count = count;
    return take_(run_);
  }

 private:
  TupleRun run_;
  TupleFunction take_ = nullptr;
};

template <class Kernel>
void run_with(Kernel kernel, const LoweredPlan& plan, const RunMemory& memory, const Range& points,
              Outcome& outcome) {
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  const std::byte* indirect = memory.indirect + plan.indirect_first;
  NestCursor cursor(plan.addressed, {});
  cursor.seek(points.low);
  for (std::int64_t left = points.high - points.low; left > 0 && !outcome.stopped();) {
    const std::int64_t count = std::min(left, cursor.run_length());
    const std::byte* table = indirect + cursor.position(kIndirectStream) * plan.unit;
    const std::byte* first = indices + cursor.position(term.stream);
    std::byte* out = memory.direct + cursor.position(kDirectStream);
    cursor.advance(count);
    left -= count;
    const std::byte* next = indirect + cursor.position(kIndirectStream) * plan.unit;
    const bool outside =
        kernel.take(table, left > 0 && next != table ? next : nullptr, first, out, count);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
  }
  if (plan.stream) flush_streams();
}

}  // namespace

void run_takes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
               const Range& points, Outcome& outcome) {
  if (plan.axes.size() == 1 && element_step(plan, plan.axes.front()) == 1) {
    run_with(Takes(plan, kernels), plan, memory, points, outcome);
  } else {
    run_with(TupleTakes(plan, kernels), plan, memory, points, outcome);
  }
}

}  // namespace windrow::internal
