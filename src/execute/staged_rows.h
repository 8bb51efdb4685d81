#ifndef WINDROW_EXECUTE_STAGED_ROWS_H_
#define WINDROW_EXECUTE_STAGED_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/registry.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {

// Collects a gather's rows in a first-level cache and writes them past the caches in whole cache
// lines. For rows that cannot be streamed one by one: shorter than a line, or of odd alignment.
class StagedRows {
 public:
  explicit StagedRows(const KernelTable& kernels) : kernels_(kernels) {}

  // The next rows belong to `to`. What was collected for another place is written there first.
  void begin(std::byte* to);
  // Where the next rows may be put, and how many of them.
  std::byte* room() { return stage_ + fill_; }
  static std::int64_t rows_at_once(std::int64_t row_bytes) {
    return row_bytes >= kStageBytes ? 1 : kStageBytes / row_bytes;
  }
  // Takes `bytes` bytes that were put at room().
  void add(std::int64_t bytes);
  // Writes what is left. Must be called once after the last rows.
  void finish();

 private:
  void write_lines();

  const KernelTable& kernels_;
  std::byte* line_ = nullptr;  // where stage_ belongs; at a cache line's start
  std::int64_t fill_ = 0;      // bytes of stage_ in use
  std::int64_t skip_ = 0;      // bytes of the first line that are not ours
  alignas(64) std::byte stage_[2 * kStageBytes + kMostStagedRowBytes];
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_STAGED_ROWS_H_
