#ifndef WINDROW_EXECUTE_RUN_MEMORY_H_
#define WINDROW_EXECUTE_RUN_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/execute/interruption.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// The largest number of inputs of any operator.
inline constexpr std::size_t kMostInputs = 8;

// The memory of one run: the first element of each tensor, index tensors by the operator's inputs.
struct RunMemory {
  std::byte* direct = nullptr;
  std::byte* indirect = nullptr;
  std::span<const std::byte* const> indices;
  // Scatters: the initial value of the indirect tensor, which the run copies; both are row-major
  // without gaps. Null: the indirect tensor already holds it.
  const std::byte* start = nullptr;
  std::int64_t start_bytes = 0;
  // The memory that the run writes to has never been touched. Its pages are zeroed, and thereby
  // brought into a cache, when they are first written.
  bool fresh = false;
  Interruption* interruption = nullptr;  // null: the run cannot be interrupted

  // Whether a result, `is_large` by the plan's limit, is written with non-temporal stores.
  bool streams(const LoweredPlan& plan, bool is_large) const {
    const bool forced = plan.stream_from == 0;
    return is_large && (!fresh || forced);
  }
  bool streams(const LoweredPlan& plan, std::int64_t bytes) const {
    return streams(plan, bytes >= plan.stream_from);
  }

  // The address of a term's first index.
  const std::byte* first_index(const AddressTerm& term) const {
    return indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  }
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_MEMORY_H_
