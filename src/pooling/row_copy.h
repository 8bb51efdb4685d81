#ifndef WINDROW_POOLING_ROW_COPY_H_
#define WINDROW_POOLING_ROW_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/execute/partition.h"
#include "src/plan/loops.h"
#include "windrow/shape.h"

namespace windrow::internal {

// Copies the cells of a row between two layouts. A stride of 0 on the reading side repeats a cell.
class RowCopy {
 public:
  RowCopy(const Shape& row, const Strides& to, const Strides& from, std::int64_t cell_bytes)
      : bytes_(static_cast<std::size_t>(cell_bytes)), cells_(element_count(row).value_or(0)) {
    for (int axis = 0; axis < row.rank(); ++axis)
      nest_.push_back({row[axis], {to[axis], from[axis]}, false});
    nest_ = merge_loops(nest_);
    if (nest_.empty()) nest_.push_back({1, {0, 0}, false});
  }

  void copy(std::byte* to, const std::byte* from) const {
    if (cells_ == 0) return;
    NestCursor cursor(nest_, std::int64_t{0});
    for_each_block(cursor, cells_, cells_, [&](std::int64_t count) {
      std::byte* target = to + cursor.position(0);
      const std::byte* source = from + cursor.position(1);
      for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(target, source, bytes_);
        target += cursor.step(0);
        source += cursor.step(1);
      }
      return true;
    });
  }

 private:
  std::size_t bytes_;
  std::int64_t cells_;
  LoopNest nest_;
};

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_ROW_COPY_H_
