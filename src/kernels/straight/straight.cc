#include <algorithm>
#include <cstring>

#include "src/base/memory.h"
#include "src/kernels/jobs.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/straight/straight.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/reduce/arithmetic-inl.h"

// Updates near cells in one pass over indices and updates. Where every index is checked by a branch
// that is never taken, a processor runs ahead into the next updates; offsets in a buffer make it
// wait between their two passes.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// What an update does to a cell. kReads: whether the cell is read for it.
template <class Ops>
struct SumOf {
  using Cell = typename Ops::Cell;
  static constexpr bool kReads = true;
  static HWY_INLINE void apply(const std::byte* update, std::byte* cell) {
    fold_cells<Ops, Add, 1>(update, cell);
  }
};
template <class T>
struct CopyOf {
  using Cell = T;
  static constexpr bool kReads = false;
  static HWY_INLINE void apply(const std::byte* update, std::byte* cell) {
    std::memcpy(cell, update, sizeof(T));
  }
};

// Whether not most of the first indices repeat the one before, and few are negative: cells that
// come again and again are better held in registers, and a branch that is taken now and then costs
// more than a pass of its own. Any answer is right.
template <class Index, bool kReads>
bool is_suited(const StraightRun& run) {
  constexpr std::int64_t kLooked = 16;
  constexpr std::int64_t kMostRepeated = 11;
  constexpr std::int64_t kMostNegative = 4;
  if (run.count <= kLooked) return true;
  std::int64_t repeated = 0;
  std::int64_t negative = 0;
  auto before = read_once<Index>(run.indices);
  for (std::int64_t j = 1; j <= kLooked; ++j) {
    const auto index = read_once<Index>(run.indices + j * static_cast<std::int64_t>(sizeof(Index)));
    repeated += kReads && index == before ? 1 : 0;
    negative += index < 0 ? 1 : 0;
    before = index;
  }
  return repeated <= kMostRepeated && negative <= kMostNegative;
}

// kDense: whether the cells stand side by side, in the same place for all updates.
template <class Update, class Index, bool kDense>
HWY_INLINE StraightEnd run_straight(const StraightRun& run) {
  using Cell = typename Update::Cell;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Cell));
  const auto extent = static_cast<std::uint64_t>(run.extent);
  const std::uint64_t wrap = run.wraps ? extent : 0;
  const std::byte* HWY_RESTRICT indices = run.indices;
  const std::byte* HWY_RESTRICT updates = run.updates;
  std::byte* HWY_RESTRICT cells = run.cells;
  const auto index_step =
      kDense ? std::uint64_t{sizeof(Cell)} : static_cast<std::uint64_t>(run.index_step);
  const std::int64_t lane_step = kDense ? 0 : run.lane_step;
  const std::int64_t count = run.count;
#pragma GCC unroll 4
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t index =
        read_once<Index>(indices + j * static_cast<std::int64_t>(sizeof(Index)));
    auto coordinate = static_cast<std::uint64_t>(index);
    if (HWY_UNLIKELY(coordinate >= extent)) {
      coordinate += wrap;
      if (coordinate >= extent) return StraightEnd::kBadIndex;
    }
    Update::apply(updates + j * kBytes, cells + coordinate * index_step + j * lane_step);
  }
  return StraightEnd::kDone;
}

template <class Update, class Index>
HWY_INLINE StraightEnd run_indices(const StraightRun& run) {
  if (run.looks && !is_suited<Index, Update::kReads>(run)) return StraightEnd::kUnsuited;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename Update::Cell));
  return run.index_step == kBytes && run.lane_step == 0 ? run_straight<Update, Index, true>(run)
                                                        : run_straight<Update, Index, false>(run);
}

template <class Update>
StraightEnd scatter_straight(const StraightRun& run) noexcept {
  return run.wide_indices ? run_indices<Update, std::int64_t>(run)
                          : run_indices<Update, std::int32_t>(run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_straight
#define WINDROW_ROWS "src/kernels/straight/rows.inc"
#include "src/kernels/bind_rows-inl.h"
