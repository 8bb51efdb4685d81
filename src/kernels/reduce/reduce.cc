#include <algorithm>
#include <cstring>

#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/reduce/reduce.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lane_set-inl.h"
#include "src/kernels/lanes-inl.h"
#include "src/kernels/reduce/arithmetic-inl.h"
#include "src/kernels/walk_rows-inl.h"

// Folds rows of updates into cells, in the order of the block.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// One update for the cells at a place.
struct OneUpdate {
  template <class Ops, class Fold, std::size_t kCount>
  HWY_INLINE void fold(const std::byte* HWY_RESTRICT direct,
                       std::byte* HWY_RESTRICT indirect) const {
    fold_cells<Ops, Fold, kCount>(direct, indirect);
  }
};

// Several in turn for the same cells, which stay in registers: an update need not wait until the
// one before it is in memory.
struct UpdateRun {
  std::int64_t step;  // bytes
  std::int64_t count;
  template <class Ops, class Fold, std::size_t kCount>
  HWY_INLINE void fold(const std::byte* HWY_RESTRICT direct,
                       std::byte* HWY_RESTRICT indirect) const {
    constexpr std::size_t kAtOnce = std::min(kCount, kMostHeldCells<Ops>);
    for (std::size_t at = 0; at < kCount * sizeof(typename Ops::Cell);
         at += kAtOnce * sizeof(typename Ops::Cell)) {
      HeldCells<Ops, Fold, kAtOnce> cells(indirect + at);
      for (std::int64_t j = 0; j < count; ++j) cells.fold(direct + at + j * step);
      cells.store(indirect + at);
    }
  }
};

// One cell per row, without an inner loop: the common case of element scatters.
template <class Ops, class Fold>
struct ReduceCell {
  using Cell = typename Ops::Cell;
  static constexpr auto kPerLine = static_cast<std::int64_t>(64 / sizeof(Cell));
  template <class Updates = OneUpdate>
  HWY_INLINE void move(const std::byte* direct, std::byte* indirect,
                       const Updates updates = {}) const {
    updates.template fold<Ops, Fold, 1>(direct, indirect);
  }
};

// The cells of a row, as many bytes at a time as are left, and few at its end: rows are often
// short.
template <class Ops, class Fold>
struct ReduceRow {
  static constexpr std::int64_t kPerLine = 1;
  using Cell = typename Ops::Cell;
  std::int64_t bytes;
  template <class Updates = OneUpdate>
  HWY_INLINE void move(const std::byte* HWY_RESTRICT direct, std::byte* HWY_RESTRICT indirect,
                       const Updates updates = {}) const {
    std::int64_t at = 0;
    for (; at + kMostBytes <= bytes; at += kMostBytes)
      fold<kMostBytes>(direct + at, indirect + at, updates);
    finish<kMostBytes / 2>(direct + at, indirect + at, updates);
  }

 private:
  static constexpr std::int64_t kMostBytes = 32;
  template <std::int64_t kBytes, class Updates>
  static HWY_INLINE void fold(const std::byte* HWY_RESTRICT direct,
                              std::byte* HWY_RESTRICT indirect, const Updates updates) {
    updates.template fold<Ops, Fold, kBytes / sizeof(Cell)>(direct, indirect);
  }
  // The last bytes, less than twice kBytes.
  template <std::int64_t kBytes, class Updates>
  HWY_INLINE void finish(const std::byte* HWY_RESTRICT direct, std::byte* HWY_RESTRICT indirect,
                         const Updates updates) const {
    if constexpr (kBytes >= static_cast<std::int64_t>(sizeof(Cell))) {
      const std::int64_t done = bytes & kBytes;
      if (done != 0) fold<kBytes>(direct, indirect, updates);
      finish<kBytes / 2>(direct + done, indirect + done, updates);
    }
  }
};

// ---- Runs of updates for the same cells

// The longest rows of which runs are held: the folds of longer rows overlap those of the row
// before.
constexpr std::int64_t kMostHeldBytes = 128;

// Whether most of a block's first offsets repeat the one before, as sorted ones of few cells do.
// Any answer is right: it chooses between two ways to the same bits.
template <class Offset>
bool often_repeats(const Offset* offsets, std::int64_t count) {
  constexpr std::int64_t kLooked = 16;
  constexpr std::int64_t kLeastRepeated = 12;
  if (count <= kLooked) return false;
  std::int64_t repeated = 0;
  for (std::int64_t j = 0; j < kLooked; ++j) repeated += offsets[j] == offsets[j + 1] ? 1 : 0;
  return repeated >= kLeastRepeated;
}

// Blocks without prefetching, none of whose rows is outside. A run ends where positions leave
// updates out.
template <class M, class Row>
HWY_INLINE void for_each_run(const Block block, const Row row) {
  const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
  for (std::int64_t j = 0; j < block.count;) {
    std::int64_t end = j + 1;
    const auto goes_on = [&] {
      if (M::kPositions && block.positions[end] != block.positions[j] + (end - j)) return false;
      return offsets[end] == offsets[j];
    };
    while (end < block.count && goes_on()) ++end;
    row.move(direct_row<M>(block, j), indirect_row<M>(block, offsets[j]),
             UpdateRun{block.direct_step, end - j});
    j = end;
  }
}

// The places of a block's rows. Less common kinds of block are converted to these, so that each
// fold is compiled for few kinds.
struct Places {
  static constexpr std::int64_t kMost = 256;
  // Whole vectors are written.
  static constexpr std::int64_t kRoom =
      kMost + kMostAhead + std::max<std::int64_t>(16, hn::MaxLanes(SetLanes()));
  std::int64_t count = 0;
  std::uint64_t offsets[kRoom];
  std::uint32_t positions[kRoom];
};

#if HWY_MAX_BYTES >= 32

// Adds those of the rows [low, high) whose offsets of 32 bits are inside, as far as whole vectors
// reach. Returns the first row after these.
std::int64_t place_inside(const std::uint32_t* HWY_RESTRICT offsets, std::int64_t low,
                          std::int64_t high, Places& places) {
  const SetLanes d;
  const hn::Half<SetLanes> half;
  const hn::ScalableTag<std::uint64_t> wide;
  const std::int64_t lanes = lane_count(d);
  auto rows = hn::Iota(d, static_cast<std::uint32_t>(low));
  std::int64_t count = places.count;
  for (; low + lanes <= high; low += lanes) {
    const auto vector = hn::LoadU(d, offsets + low);
    const LaneSet inside(hn::Ne(vector, hn::Set(d, kOutside<std::uint32_t>)));
    const auto kept = compress(vector, inside);
    std::uint64_t* const to = places.offsets + count;
    hn::StoreU(hn::PromoteTo(wide, hn::LowerHalf(half, kept)), wide, to);
    hn::StoreU(hn::PromoteTo(wide, hn::UpperHalf(half, kept)), wide, to + lanes / 2);
    hn::StoreU(compress(rows, inside), d, places.positions + count);
    rows = hn::Add(rows, hn::Set(d, static_cast<std::uint32_t>(lanes)));
    count += count_lanes(inside);
  }
  places.count = count;
  return low;
}

#endif

// Adds those of the rows [low, high) of the block that are not outside.
template <class Offset>
void place_rows(const Block& block, std::int64_t low, std::int64_t high, Places& places) {
  const auto* offsets = static_cast<const Offset*>(block.offsets);
  if (!block.any_outside && block.positions == nullptr) {
    for (std::int64_t j = low; j < high; ++j) {
      places.offsets[places.count + j - low] = offsets[j];
      places.positions[places.count + j - low] = static_cast<std::uint32_t>(j);
    }
    places.count += high - low;
    return;
  }
#if HWY_MAX_BYTES >= 32
  if constexpr (sizeof(Offset) == sizeof(std::uint32_t))
    if (block.positions == nullptr) low = place_inside(offsets, low, high, places);
#endif
  for (std::int64_t j = low; j < high; ++j) {
    places.offsets[places.count] = offsets[j];
    places.positions[places.count] = block.positions != nullptr && j < block.count
                                         ? block.positions[j]
                                         : static_cast<std::uint32_t>(j);
    places.count += block.any_outside && offsets[j] == Offset(~Offset{0}) ? 0 : 1;
  }
}

// Not inlined, since every fold calls it.
HWY_NOINLINE void place_rows(const Block& block, std::int64_t low, std::int64_t high,
                             Places& places) {
  if (block.wide_offsets) {
    place_rows<std::uint64_t>(block, low, high, places);
  } else {
    place_rows<std::uint32_t>(block, low, high, places);
  }
}

// Any block, in pieces whose places are computed first.
template <bool kHolds, class Row>
void reduce_placed(const Block& block, const Row& row) {
  Places places;
  Block piece = block;
  piece.offsets = places.offsets;
  piece.positions = places.positions;
  for (std::int64_t low = 0; low < block.count; low += Places::kMost) {
    const std::int64_t high = std::min(block.count, low + Places::kMost);
    places.count = 0;
    place_rows(block, low, high, places);
    piece.count = places.count;
    place_rows(block, high, std::min(block.known, high + block.ahead), places);
    piece.known = places.count;
    if constexpr (kHolds) {
      if (block.row_bytes <= kMostHeldBytes && often_repeats(places.offsets, piece.count)) {
        for_each_run<Mode<std::uint64_t, false, true>>(piece, row);
        continue;
      }
    }
    for_each_row<Scatter, Mode<std::uint64_t, false, true>>(piece, row);
  }
}

// Single cells with offsets of 32 bits, all inside: a histogram, say. A cache line of updates at a
// time, in a loop as short as may be: cells come `unit` bytes apart and updates `step`, and the
// cells that come `ahead` are fetched unless kLevel is 0.
template <class Ops, class Fold, int kLevel>
HWY_INLINE void reduce_cells(const Block& block, const std::int64_t first, const std::int64_t end,
                             const std::int64_t unit, const std::int64_t step) {
  const ReduceCell<Ops, Fold> cell;
  constexpr std::int64_t kAtOnce = ReduceCell<Ops, Fold>::kPerLine;
  const auto* offsets = static_cast<const std::uint32_t*>(block.offsets);
  const std::byte* const direct = block.direct;
  std::byte* const indirect = block.indirect;
  const std::int64_t ahead = block.ahead;
  const UpdateFetch update_fetch(block);
  const std::int64_t next_bytes = block.next_bytes * kAtOnce;
  const std::byte* next = block.next + first * block.next_bytes;
  const auto place = [&](std::int64_t j) {
    return indirect + std::size_t{offsets[j]} * static_cast<std::size_t>(unit);
  };
  const auto move = [&](std::int64_t j) {
    if constexpr (kLevel != 0) fetch_line<kLevel, true>(place(j + ahead));
    cell.move(direct + j * step, place(j));
  };
  std::int64_t j = first;
  for (; j + kAtOnce <= end; j += kAtOnce) {
    update_fetch.fetch(direct + j * step);
    for (std::int64_t at = 0; at < next_bytes; at += kLine) fetch_line<2>(next + at);
    next += next_bytes;
#pragma GCC unroll 4
    for (std::int64_t k = j; k < j + kAtOnce; ++k) move(k);
  }
  for (; j < end; ++j) move(j);
}

template <class Ops, class Fold>
void reduce_cells(const Block& block) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename Ops::Cell));
  const auto* offsets = static_cast<const std::uint32_t*>(block.offsets);
  if constexpr (kHoldsCells<Ops, Fold>) {
    if (often_repeats(offsets, block.count))
      return for_each_run<Mode<std::uint32_t, false, false>>(block, ReduceCell<Ops, Fold>());
  }
  std::int64_t fetched = 0;
  if (block.ahead > 0 && !ascends_closely(offsets, block.count, block.unit))
    fetched = std::clamp<std::int64_t>(block.known - block.ahead, 0, block.count);
  if (fetched == 0 && block.unit == kBytes && block.direct_step == kBytes)
    return reduce_cells<Ops, Fold, 0>(block, 0, block.count, kBytes, kBytes);
  if (block.near_cells) {
    reduce_cells<Ops, Fold, 1>(block, 0, fetched, block.unit, block.direct_step);
  } else {
    reduce_cells<Ops, Fold, 2>(block, 0, fetched, block.unit, block.direct_step);
  }
  reduce_cells<Ops, Fold, 0>(block, fetched, block.count, block.unit, block.direct_step);
}

template <class Ops, class Fold>
void reduce(const Block& block) noexcept {
  constexpr bool kHolds = kHoldsCells<Ops, Fold>;
  const ReduceCell<Ops, Fold> cell;
  if (block.row_bytes != static_cast<std::int64_t>(sizeof(typename Ops::Cell))) {
    reduce_placed<kHolds>(block, ReduceRow<Ops, Fold>{block.row_bytes});
  } else if (block.any_outside || block.positions != nullptr) {
    reduce_placed<kHolds>(block, cell);
  } else if (!block.wide_offsets) {
    reduce_cells<Ops, Fold>(block);
  } else {
    for_each_row<Scatter, Mode<std::uint64_t, false, false>>(block, cell);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_reduce
#define WINDROW_ROWS "src/kernels/reduce/rows.inc"
#include "src/kernels/bind_rows-inl.h"
