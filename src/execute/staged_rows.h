#ifndef WINDROW_EXECUTE_STAGED_ROWS_H_
#define WINDROW_EXECUTE_STAGED_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/registry.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {

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

#endif  // WINDROW_EXECUTE_STAGED_ROWS_H_
