#ifndef WINDROW_EXECUTE_RUN_PLAN_H_
#define WINDROW_EXECUTE_RUN_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

class Interruption;

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
};

enum class RunOutcome {
  kDone,
  // Some index is out of its legal range, or the indices changed during the run in a way that it
  // could not go on with: the contents of the written side are unspecified.
  kBadIndex,
  kInterrupted,  // by the caller: the contents of the written side are unspecified
  kOutOfMemory,  // scratch or a string could not be allocated
};

// Bytes of scratch that a run on so many threads uses.
std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept;

// Runs a lowered plan. `threads` may be null; the result does not depend on it. `scratch` has
// scratch_bytes() bytes, or is empty: then the run allocates what it needs.
RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_PLAN_H_
