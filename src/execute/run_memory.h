#ifndef WINDROW_EXECUTE_RUN_MEMORY_H_
#define WINDROW_EXECUTE_RUN_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"
#include "src/plan/tuning.h"
#include "windrow/threads.h"

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

  // Whether the run writes with non-temporal stores what the plan or the way would write so.
  bool streams(const LoweredPlan& plan, bool stream) const {
    return stream && (!fresh || plan.stream_fresh);
  }

  // The address of a term's first index.
  const std::byte* first_index(const AddressTerm& term) const {
    return indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  }
};

// What all units of a run share. Everything that it refers to outlives them.
struct RunContext {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  const RunMemory& memory;
  Threads* threads;  // null: the calling thread alone
  Outcome& outcome;
  // The answer of may_have_sorted_cells(), once it has been asked.
  mutable std::optional<bool> sampled_order = {};

  // The cell of the indirect tensor that has offset 0.
  std::byte* cells() const { return memory.indirect + plan.indirect_first; }
  // The kernel for blocks; null for strings.
  BlockFunction kernel() const { return kernels.block(plan.kernel); }
};

// Copies the bytes [range.low, range.high) of the start; with non-temporal stores if `stream`.
void copy_start(const RunContext& run, bool stream, const Range& range);

// Whether a copy of the whole start uses non-temporal stores.
bool streams_start(const RunContext& run);

// Copies the whole start.
void copy_whole_start(const RunContext& run);

// Collects a gather's rows in the first-level cache and writes them in whole cache lines with
// non-temporal stores. For rows that cannot be written so one by one because they are shorter than
// a line or not aligned.
class StagedRows {
 public:
  explicit StagedRows(const KernelTable& kernels) : kernels_(kernels) {}

  // The next rows belong at `to`. Rows that were collected for another place are written there
  // first.
  void begin(std::byte* to);
  // Where the next rows may be put, and the number of bytes that fit.
  std::byte* room() { return stage_ + fill_; }
  static std::int64_t rows_at_once(std::int64_t row_bytes) {
    return row_bytes >= kStageBytes ? 1 : kStageBytes / row_bytes;
  }
  // Accepts `bytes` bytes that were put at room().
  void add(std::int64_t bytes);
  // Writes the remaining rows. Must be called once, after the last rows.
  void finish();

 private:
  void write_lines();

  const KernelTable& kernels_;
  std::byte* line_ = nullptr;  // destination of stage_; aligned to a cache line
  std::int64_t fill_ = 0;      // bytes of stage_ in use
  std::int64_t skip_ = 0;      // bytes of the first line that belong to others
  alignas(64) std::byte stage_[2 * kStageBytes + kMostStagedRowBytes];
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_MEMORY_H_
