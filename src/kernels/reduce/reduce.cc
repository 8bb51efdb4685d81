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

// One cell per row, without an inner loop: the common case of element scatters.
template <class Ops, class Fold>
struct ReduceCell {
  using Cell = typename Ops::Cell;
  static constexpr auto kPerLine = static_cast<std::int64_t>(64 / sizeof(Cell));
  HWY_INLINE void move(const std::byte* direct, std::byte* indirect) const {
    fold_cells<Ops, Fold, 1>(direct, indirect);
  }
};

// The cells of a row, as many bytes at a time as are left, and few at its end: rows are often
// short.
template <class Ops, class Fold>
struct ReduceRow {
  static constexpr std::int64_t kPerLine = 1;
  using Cell = typename Ops::Cell;
  std::int64_t bytes;
  HWY_INLINE void move(const std::byte* HWY_RESTRICT direct,
                       std::byte* HWY_RESTRICT indirect) const {
    std::int64_t at = 0;
    for (; at + kMostBytes <= bytes; at += kMostBytes) fold<kMostBytes>(direct + at, indirect + at);
    finish<kMostBytes / 2>(direct + at, indirect + at);
  }

 private:
  static constexpr std::int64_t kMostBytes = 32;
  template <std::int64_t kBytes>
  static HWY_INLINE void fold(const std::byte* HWY_RESTRICT direct,
                              std::byte* HWY_RESTRICT indirect) {
    fold_cells<Ops, Fold, kBytes / sizeof(Cell)>(direct, indirect);
  }
  // The last bytes, less than twice kBytes.
  template <std::int64_t kBytes>
  HWY_INLINE void finish(const std::byte* HWY_RESTRICT direct,
                         std::byte* HWY_RESTRICT indirect) const {
    if constexpr (kBytes >= static_cast<std::int64_t>(sizeof(Cell))) {
      const std::int64_t done = bytes & kBytes;
      if (done != 0) fold<kBytes>(direct, indirect);
      finish<kBytes / 2>(direct + done, indirect + done);
    }
  }
};

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
template <class Row>
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
    for_each_row<Scatter, Mode<std::uint64_t, false, true>>(piece, row);
  }
}

// Whether single cells stand side by side, and so do the updates, and no cell is prefetched.
template <class Cell>
bool is_plain(const Block& block) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Cell));
  return block.unit == kBytes && block.direct_step == kBytes && block.ahead == 0;
}

// Such a block with offsets of 32 bits, all inside: a histogram, say. A cache line of updates at a
// time.
template <class Ops, class Fold>
void reduce_plain(const Block& block) {
  using Cell = typename Ops::Cell;
  const ReduceCell<Ops, Fold> cell;
  constexpr std::int64_t kAtOnce = ReduceCell<Ops, Fold>::kPerLine;
  const auto* offsets = static_cast<const std::uint32_t*>(block.offsets);
  const std::byte* direct = block.direct;
  std::byte* const indirect = block.indirect;
  const UpdateFetch update_fetch(block);
  const std::byte* next = block.next;
  const std::int64_t next_bytes = block.next_bytes * kAtOnce;
  const auto move = [&](std::int64_t j) {
    cell.move(direct + j * static_cast<std::int64_t>(sizeof(Cell)),
              indirect + std::size_t{offsets[j]} * sizeof(Cell));
  };
  std::int64_t j = 0;
  for (; j + kAtOnce <= block.count; j += kAtOnce) {
    update_fetch.fetch(direct + j * static_cast<std::int64_t>(sizeof(Cell)));
    for (std::int64_t at = 0; at < next_bytes; at += kLine) fetch_line<2>(next + at);
    next += next_bytes;
#pragma GCC unroll 4
    for (std::int64_t k = j; k < j + kAtOnce; ++k) move(k);
  }
  for (; j < block.count; ++j) move(j);
}

template <class Ops, class Fold>
void reduce(const Block& block) noexcept {
  const ReduceCell<Ops, Fold> cell;
  if (block.row_bytes != static_cast<std::int64_t>(sizeof(typename Ops::Cell))) {
    reduce_placed(block, ReduceRow<Ops, Fold>{block.row_bytes});
  } else if (block.any_outside || block.positions != nullptr) {
    reduce_placed(block, cell);
  } else if (!block.wide_offsets && is_plain<typename Ops::Cell>(block)) {
    reduce_plain<Ops, Fold>(block);
  } else if (block.wide_offsets) {
    for_each_row<Scatter, Mode<std::uint64_t, false, false>>(block, cell);
  } else {
    for_each_row<Scatter, Mode<std::uint32_t, false, false>>(block, cell);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_reduce
#define WINDROW_ROWS "src/kernels/reduce/rows.inc"
#include "src/kernels/bind_rows-inl.h"
