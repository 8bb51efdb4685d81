#include <algorithm>
#include <cstdint>

#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

// The loop of a way by its number: those around the grids first, then the rows and the elements.
const NestLoop& loop_of(const GridCopies& way, std::size_t number) {
  if (number < way.around.size()) return way.around[number];
  return number == way.around.size() ? way.rows : way.elements;
}

}  // namespace

Partition Runner<GridCopies>::cut(const LoweredPlan& /*plan*/, int tasks) const {
  // The elements are divided last: two tasks then write to the same cache lines in every row.
  const std::size_t elements = way_.around.size() + 1;
  std::size_t longest = 0;
  for (std::size_t l = 0; l <= elements; ++l) {
    const bool enough = loop_of(way_, longest).extent >= tasks;
    if (l == elements && enough) break;
    if (loop_of(way_, l).extent > loop_of(way_, longest).extent) longest = l;
  }
  const std::int64_t most = std::min<std::int64_t>(tasks, loop_of(way_, longest).extent);
  return {.cut = Cut::kLoop, .tasks = static_cast<int>(most), .loop = static_cast<int>(longest)};
}

void Runner<GridCopies>::run_task(const Task& task) const {
  Box around;
  Range rows{0, way_.rows.extent};
  Range elements{0, way_.elements.extent};
  if (task.partition.cut == Cut::kLoop) {
    const auto loop = static_cast<std::size_t>(task.partition.loop);
    if (loop < way_.around.size()) {
      const Range share = task.share(way_.around[loop].extent);
      around = {task.partition.loop, share.low, share.high};
    } else if (loop == way_.around.size()) {
      rows = task.share(rows.high);
    } else {
      elements =
          task.share(elements.high, std::max<std::int64_t>(kLine / task.run.plan.row_bytes, 1));
    }
  }
  copy_grids(task, around, rows, elements);
}

void Runner<GridCopies>::copy_grids(const Task& task, const Box& around, const Range& rows,
                                    const Range& elements) const {
  const LoweredPlan& plan = task.run.plan;
  const GridFunction copy = task.run.kernels.get<Family::kCopyGrid>(way_.copy);
  const std::int64_t most_elements = rows_between_looks(plan.row_bytes);
  Grid grid;
  grid.to_row = way_.rows.strides[kDirectTrack];
  grid.from_row = way_.rows.strides[kIndirectTrack] * plan.unit;
  grid.to_step = way_.elements.strides[kDirectTrack];
  grid.from_step = way_.elements.strides[kIndirectTrack] * plan.unit;
  std::byte* const to = task.run.memory.direct;
  const std::byte* const from =
      task.run.cells() + static_cast<std::int64_t>(plan.start) * plan.unit;
  NestCursor cursor(way_.around, around);
  for (std::int64_t left = cursor.points(); left > 0; --left, cursor.advance(1)) {
    for (std::int64_t j = elements.low; j < elements.high; j += grid.count) {
      grid.count = std::min(elements.high - j, most_elements);
      const std::int64_t most_rows = std::max<std::int64_t>(most_elements / grid.count, 1);
      for (std::int64_t i = rows.low; i < rows.high; i += grid.rows) {
        grid.rows = std::min(rows.high - i, most_rows);
        grid.to = to + cursor.position(kDirectTrack) + i * grid.to_row + j * grid.to_step;
        grid.from = from + cursor.position(kIndirectTrack) * plan.unit + i * grid.from_row +
                    j * grid.from_step;
        copy(grid);
        if (task.run.outcome.stopped_after(grid.rows * grid.count * plan.row_bytes)) return;
      }
    }
  }
}

}  // namespace windrow::internal
