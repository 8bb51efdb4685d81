#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/reduce/reduce.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/move-inl.h"
#include "src/kernels/reduce/arithmetic-inl.h"

// Folds rows of updates into cells, in the order of the block.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// One cell per row: the usual case of element scatters, without an inner loop.
template <class Ops, class Fold>
struct ReduceCell {
  using Cell = typename Ops::Cell;
  HWY_INLINE void move(const std::byte* direct, std::byte* indirect) const {
    Cell cell;
    Cell update;
    std::memcpy(&cell, indirect, sizeof cell);
    std::memcpy(&update, direct, sizeof update);
    cell = Fold::template apply<Ops>(cell, update);
    std::memcpy(indirect, &cell, sizeof cell);
  }
};

template <class Ops, class Fold>
struct ReduceRow {
  using Cell = typename Ops::Cell;
  std::int64_t bytes;
  HWY_INLINE void move(const std::byte* HWY_RESTRICT direct, std::byte* HWY_RESTRICT indirect) const {
    const ReduceCell<Ops, Fold> one;
    for (std::int64_t at = 0; at < bytes; at += static_cast<std::int64_t>(sizeof(Cell)))
      one.move(direct + at, indirect + at);
  }
};

template <class Ops, class Fold>
struct Reduce {
  const Block& block;
  template <class M>
  HWY_INLINE void run() const {
    if (block.row_bytes == static_cast<std::int64_t>(sizeof(typename Ops::Cell))) {
      for_each_row<Scatter, M>(block, ReduceCell<Ops, Fold>{});
    } else {
      for_each_row<Scatter, M>(block, ReduceRow<Ops, Fold>{block.row_bytes});
    }
  }
};

template <class Ops, class Fold>
void reduce(const Block& block) noexcept {
  with_mode<Scatter>(block, Reduce<Ops, Fold>{block});
}

}  // namespace

void bind_reduce_target(KernelTable& table) {
#define WINDROW_BLOCK_KERNEL(name, family, low, high, dtype, fold, function) \
  table.block[static_cast<std::size_t>(BlockKernel::name)] = &function;
#include "src/kernels/reduce/rows.inc"
#undef WINDROW_BLOCK_KERNEL
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_reduce_target);

void bind_reduce(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_reduce_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
