#include "src/execute/copy_start.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/interruption.h"
#include "src/execute/sorted_cells.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

struct Copy {
  const KernelTable& kernels;
  const RunMemory& memory;
  bool stream = false;
  int tasks = 1;

  static void run_task(void* context, int index) {
    const Copy& copy = *static_cast<const Copy*>(context);
    copy_start(copy.kernels, copy.memory, copy.stream,
               task_range(copy.memory.start_bytes, copy.tasks, index, kLine));
  }
};

}  // namespace

bool copies_in_pieces(const LoweredPlan& plan, const RunMemory& memory) {
  return memory.start != nullptr && plan.piece_bytes > 0 &&
         plan.addressed.front().extent <= memory.start_bytes / plan.piece_bytes;
}

bool fills_all_cells(const LoweredPlan& plan, const RunMemory& memory) {
  std::int64_t cells = plan.axes.front().extent * plan.addressed.back().extent;
  for (std::size_t l = 0; l + 2 < plan.addressed.size(); ++l) {
    const NestLoop& outer = plan.addressed[l];
    if (!outer.injective || outer.strides[kIndirectStream] == 0) return false;
    cells *= outer.extent;
  }
  return cells * plan.row_bytes == memory.start_bytes;
}

bool streams_start(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory) {
  const std::int64_t bytes = memory.start_bytes;
  return memory.streams(plan, bytes >= plan.stream_sorted_start_from) &&
         (bytes >= plan.stream_start_from || may_have_sorted_cells(plan, kernels, memory));
}

void copy_start(const KernelTable& kernels, const RunMemory& memory, bool stream,
                const Range& range) {
  if (range.low >= range.high) return;
  Plane plane;
  plane.stream = stream;
  for (std::int64_t low = range.low; low < range.high; low += plane.row_bytes) {
    plane.to = memory.indirect + low;
    plane.from = memory.start + low;
    plane.row_bytes = std::min(range.high - low, kBytesBetweenLooks);
    kernels.copy_plane(plane);
    if (is_interrupted(memory.interruption, plane.row_bytes)) break;
  }
  if (stream) flush_streams();
}

void copy_whole_start(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                      Threads* threads) {
  Copy copy{kernels, memory, streams_start(plan, kernels, memory),
            useful_tasks(memory.start_bytes, kLeastCopyTaskBytes, threads)};
  run_tasks(copy.tasks, &Copy::run_task, &copy, threads);
}

}  // namespace windrow::internal
