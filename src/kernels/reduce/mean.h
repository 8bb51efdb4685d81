#ifndef WINDROW_KERNELS_REDUCE_MEAN_H_
#define WINDROW_KERNELS_REDUCE_MEAN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/kernels/registry.h"
#include "windrow/dtype.h"

// What a reduction needs before the first update and after the last one. Compiled once, because the
// arithmetic is the same on every instruction set.
namespace windrow::internal {

// The bytes of a cell; those beyond the cell's size are unspecified. neutral_cell() gives the
// neutral value of a fold: 0 (add, sub), 1 (mul), the largest (min) or the lowest (max) finite
// value. For numbers and bool.
using CellBytes = std::array<std::byte, 16>;
CellBytes neutral_cell(Fold fold, DType dtype) noexcept;

// The result of a fold without updates: the neutral value, but infinity for min and max of floats
// whose type has one. The cell of int4 and uint4 is a byte.
CellBytes identity_cell(Fold fold, DType dtype) noexcept;

// Cells, `step` bytes apart, and the number of updates of each: u32, or u64 if `wide`. If
// `same_updates`, one number is for all cells.
struct MeanRun {
  std::byte* cells = nullptr;
  std::int64_t step = 0;
  std::int64_t count = 0;
  const void* updates = nullptr;
  bool wide = false;
  bool same_updates = false;
  std::int64_t extra = 0;  // summands besides the updates
};

// Divides each updated cell by the number of its summands. Integers round toward minus infinity,
// floats to nearest even. Cells of int4 and uint4 are bytes of which only the low half counts.
using MeanFunction = void (*)(const MeanRun& run) noexcept;
MeanFunction find_mean(DType dtype) noexcept;  // null if the type has no mean

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_REDUCE_MEAN_H_
