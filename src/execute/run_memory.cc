#include "src/execute/run_memory.h"

#include <algorithm>
#include <cstring>

#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/sorted_cells.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

bool streams_start(const RunContext& run) {
  const std::int64_t bytes = run.memory.start_bytes;
  return run.memory.streams(run.plan, bytes >= run.plan.stream_sorted_start_from) &&
         (bytes >= run.plan.stream_start_from || may_have_sorted_cells(run));
}

void copy_start(const RunContext& run, bool stream, const Range& range) {
  if (range.low >= range.high) return;
  Plane plane;
  plane.stream = stream;
  for (std::int64_t low = range.low; low < range.high; low += plane.row_bytes) {
    plane.to = run.memory.indirect + low;
    plane.from = run.memory.start + low;
    plane.row_bytes = std::min(range.high - low, kBytesBetweenLooks);
    run.kernels.copy_plane(plane);
    if (is_interrupted(run.memory.interruption, plane.row_bytes)) break;
  }
  if (stream) flush_streams();
}

void copy_whole_start(const RunContext& run) {
  const std::int64_t bytes = run.memory.start_bytes;
  const bool stream = streams_start(run);
  const int tasks = useful_tasks(bytes, least_copy_task_bytes(), run.threads);
  parallel_for(tasks, run.threads,
               [&](int task) { copy_start(run, stream, task_range(bytes, tasks, task, kLine)); });
}

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
