#include "src/execute/run_pieces.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/run_box.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

std::int64_t counters_at_once(const LoweredPlan& plan) {
  const std::int64_t fitting = std::max<std::int64_t>(kPieceBytes / plan.piece_bytes, 1);
  return std::min(fitting, plan.addressed.front().extent);
}

Plane one_row(std::byte* to, const std::byte* from, std::int64_t bytes, bool stream) {
  Plane plane;
  plane.to = to;
  plane.from = from;
  plane.row_bytes = bytes;
  plane.stream = stream;
  return plane;
}

}  // namespace

std::size_t pieces_scratch_bytes(const LoweredPlan& plan) {
  return static_cast<std::size_t>(whole_lines(counters_at_once(plan) * plan.piece_bytes));
}

void run_pieces(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                const Range& counters, std::byte* scratch, Outcome& outcome) {
  const bool stream = memory.streams(plan, memory.start_bytes >= plan.stream_from);
  for (std::int64_t low = counters.low, bytes = 0;
       low < counters.high && !outcome.stopped_after(bytes);) {
    const std::int64_t high = std::min(low + counters_at_once(plan), counters.high);
    const std::int64_t first = low * plan.piece_bytes;
    bytes = (high - low) * plan.piece_bytes;
    std::byte* piece = stream ? scratch : memory.indirect + first;
    kernels.copy_plane(one_row(piece, memory.start + first, bytes, false));
    RunMemory piece_memory = memory;
    piece_memory.indirect = piece - first;
    BoxRunner runner(plan, kernels, piece_memory, outcome);
    runner.run({0, low, high}, {0, -1});
    runner.finish();
    if (stream) kernels.copy_plane(one_row(memory.indirect + first, piece, bytes, true));
    low = high;
  }
  if (stream) flush_streams();
}

}  // namespace windrow::internal
