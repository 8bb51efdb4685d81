#ifndef WINDROW_KERNELS_REDUCE_MEAN_H_
#define WINDROW_KERNELS_REDUCE_MEAN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/kernels/registry.h"
#include "windrow/dtype.h"

// What a reduction needs before the first update and after the last one. Compiled once: it is the
// same arithmetic on every instruction set.
namespace windrow::internal {

// The neutral value of a fold in its first bytes: 0 (add, sub), 1 (mul), the largest (min) and the
// lowest (max) finite value. For numbers and bool.
using CellBytes = std::array<std::byte, 16>;
CellBytes neutral_cell(Fold fold, DType dtype) noexcept;

// What a fold of no updates gives: the same, but for min and max of floats infinity, where the type
// has one. The cell of int4 and uint4 is a byte.
CellBytes identity_cell(Fold fold, DType dtype) noexcept;

// Cells, `step` bytes apart, and how many updates each took: u32, or u64 if `wide`; one number for
// all if `same_updates`.
struct MeanRun {
  std::byte* cells = nullptr;
  std::int64_t step = 0;
  std::int64_t count = 0;
  const void* updates = nullptr;
  bool wide = false;
  bool same_updates = false;
  std::int64_t extra = 0;  // summands besides the updates
};

// Divides each cell that took updates by the number of its summands: integers toward minus
// infinity, floats rounded to nearest even. Cells of int4 and uint4 are bytes whose low half
// counts.
using MeanFunction = void (*)(const MeanRun& run) noexcept;
MeanFunction find_mean(DType dtype) noexcept;  // null: the type has no mean

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_REDUCE_MEAN_H_
