#ifndef WINDROW_EXECUTE_RUN_MEMORY_H_
#define WINDROW_EXECUTE_RUN_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/execute/interruption.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// No operator has more inputs.
inline constexpr std::size_t kMostInputs = 8;

// The memory of one run. Tensors by their first elements, index tensors by the operator's inputs.
struct RunMemory {
  std::byte* direct = nullptr;
  std::byte* indirect = nullptr;
  std::span<const std::byte* const> indices;
  // Scatters: what the indirect tensor starts as, both row-major without gaps, which the run
  // copies; null: it holds that already.
  const std::byte* start = nullptr;
  std::int64_t start_bytes = 0;
  // What the run writes has never been touched: its pages are cleared, and in a cache, when they
  // are first written.
  bool fresh = false;
  Interruption* interruption = nullptr;  // null: the run goes on to its end

  // Whether a result that the plan would write past the caches for its size is.
  bool streams(const LoweredPlan& plan, bool is_large) const {
    const bool forced = plan.stream_from == 0;
    return is_large && (!fresh || forced);
  }
  bool streams(const LoweredPlan& plan, std::int64_t bytes) const {
    return streams(plan, bytes >= plan.stream_from);
  }

  // Where a term's indices begin.
  const std::byte* first_index(const AddressTerm& term) const {
    return indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  }
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_MEMORY_H_
