#include "src/execute/staged_rows.h"

#include <cstring>

#include "src/base/cache_line.h"

namespace windrow::internal {

void StagedRows::begin(std::byte* to) {
  if (line_ != nullptr && line_ + fill_ == to) return;
  finish();
  skip_ = line_offset(to);
  line_ = to - skip_;
  fill_ = skip_;
}

void StagedRows::add(std::int64_t bytes) {
  fill_ += bytes;
  if (fill_ >= kStageBytes) write_lines();
}

void StagedRows::write_lines() {
  const std::int64_t full = fill_ / kLine * kLine;
  std::int64_t done = 0;
  if (skip_ > 0) {
    std::memcpy(line_ + skip_, stage_ + skip_, static_cast<std::size_t>(kLine - skip_));
    skip_ = 0;
    done = kLine;
  }
  Plane lines;
  lines.to = line_ + done;
  lines.from = stage_ + done;
  lines.row_bytes = full - done;
  lines.stream = true;
  kernels_.copy_plane(lines);
  fill_ -= full;
  line_ += full;
  std::memcpy(stage_, stage_ + full, kLine);
}

void StagedRows::finish() {
  if (line_ != nullptr && fill_ >= kLine) write_lines();
  if (line_ != nullptr && fill_ > skip_)
    std::memcpy(line_ + skip_, stage_ + skip_, static_cast<std::size_t>(fill_ - skip_));
  line_ = nullptr;
  fill_ = 0;
  skip_ = 0;
}

}  // namespace windrow::internal
