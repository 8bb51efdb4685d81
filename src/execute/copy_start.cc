#include "src/execute/copy_start.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/parallel_for.h"
#include "src/execute/sorted_cells.h"
#include "src/plan/thresholds.h"

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
  const int tasks = useful_tasks(bytes, kLeastCopyTaskBytes, run.threads);
  parallel_for(tasks, run.threads,
               [&](int task) { copy_start(run, stream, task_range(bytes, tasks, task, kLine)); });
}

}  // namespace windrow::internal
