#include "src/execute/mean.h"

#include <algorithm>

#include "src/execute/partition.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Dividing a cell takes about as long as copying this number of bytes.
constexpr std::int64_t kCellBytes = 16;
constexpr std::int64_t kDivisionsPerLook = 16;

struct Division {
  const MeanSums& sums;
  Interruption* interruption;
  MeanFunction divide = nullptr;
  std::int64_t cells = 0;

  // Byte strides over the cells; 0 along axes on which the numbers of updates are broadcast.
  Strides update_strides() const {
    const Shape& shape = sums.updates->shape();
    Strides strides = row_major_strides(shape, sums.updates->dtype() == DType::kUint64 ? 8 : 4);
    for (int axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis] == 1) strides[axis] = 0;
    return strides;
  }

  // Divides the cells [low, high), counted in row-major order, row by row.
  void run(std::int64_t low, std::int64_t high) const {
    const MutableTensorView& view = sums.cells;
    const int last = view.shape.rank() - 1;
    const std::int64_t row = last < 0 ? 1 : view.shape[last];
    const bool wide = sums.updates->dtype() == DType::kUint64;
    const Strides steps = update_strides();
    const auto* updates = static_cast<const std::byte*>(sums.updates->data());
    while (low < high) {
      const std::int64_t column = low % row;
      std::int64_t rest = low / row;
      std::int64_t offset = last < 0 ? 0 : column * view.strides[last];
      std::int64_t update = last < 0 ? 0 : column * steps[last];
      for (int axis = last - 1; axis >= 0; --axis) {
        const std::int64_t position = rest % view.shape[axis];
        offset += position * view.strides[axis];
        update += position * steps[axis];
        rest /= view.shape[axis];
      }
      MeanRun part;
      part.cells = static_cast<std::byte*>(view.data) + offset;
      part.step = last < 0 ? 0 : view.strides[last];
      part.count =
          std::min({row - column, high - low, rows_between_looks(kDivisionsPerLook * kCellBytes)});
      part.updates = updates + update;
      part.same_updates = last >= 0 && steps[last] == 0;
      part.wide = wide;
      part.extra = sums.extra;
      divide(part);
      low += part.count;
      if (is_interrupted(interruption, part.count * kCellBytes)) return;
    }
  }
};

}  // namespace

void divide_sums(const MeanSums& sums, Threads* threads, Interruption* interruption) noexcept {
  Division division{sums, interruption, find_mean(sums.dtype),
                    element_count(sums.cells.shape).value_or(0)};
  if (division.divide == nullptr || division.cells == 0) return;
  const int tasks = useful_tasks(division.cells, least_task_indices(), threads);
  parallel_for(tasks, threads, [&](int task) {
    const Range range = task_range(division.cells, tasks, task);
    division.run(range.low, range.high);
  });
}

}  // namespace windrow::internal
