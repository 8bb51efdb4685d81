// Walks over a block's rows, with prefetching where the block asks for it. Included once per
// Highway target.
#if defined(WINDROW_KERNELS_WALK_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_WALK_ROWS_INL_H_
#undef WINDROW_KERNELS_WALK_ROWS_INL_H_
#else
#define WINDROW_KERNELS_WALK_ROWS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/registry.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// Which side is written. Offsets always belong to the indirect side.
struct Gather {
  static constexpr bool kScatter = false;
};
struct Scatter {
  static constexpr bool kScatter = true;
};

// How a block's offsets are read. Loop bodies are instantiated for each combination, so that the
// choice is made outside of the loop.
template <class OffsetT, bool kMaskedV, bool kPositionsV>
struct Mode {
  using Offset = OffsetT;
  static constexpr bool kMasked = kMaskedV;
  static constexpr bool kPositions = kPositionsV;
};

// Runs the body for its block's mode. Bodies hold the block by value: through a reference it would
// be read again after every write, since bytes may alias anything.
template <class Direction, class Body>
HWY_INLINE void with_mode(const Body body) {
  const Block block = body.block;
  if constexpr (Direction::kScatter) {
    if (block.positions != nullptr) {
      // Offsets outside have been dropped when the positions were chosen.
      if (block.wide_offsets) return body.template run<Mode<std::uint64_t, false, true>>();
      return body.template run<Mode<std::uint32_t, false, true>>();
    }
  }
  if (block.wide_offsets) {
    if (block.any_outside) return body.template run<Mode<std::uint64_t, true, false>>();
    return body.template run<Mode<std::uint64_t, false, false>>();
  }
  if (block.any_outside) return body.template run<Mode<std::uint32_t, true, false>>();
  return body.template run<Mode<std::uint32_t, false, false>>();
}

template <class M>
HWY_INLINE std::byte* direct_row(const Block& block, std::int64_t j) {
  if constexpr (M::kPositions) return block.direct + block.direct_step * block.positions[j];
  return block.direct + block.direct_step * j;
}

template <class M>
HWY_INLINE std::byte* indirect_row(const Block& block, typename M::Offset offset) {
  return block.indirect + static_cast<std::int64_t>(offset) * block.unit;
}

// Whether a block's elements seem to ascend on the indirect side, so closely that the processor
// follows them by itself. Any answer is right.
template <class Offset>
HWY_INLINE bool ascends_closely(const Offset* offsets, std::int64_t count, std::int64_t unit) {
  constexpr std::int64_t kLooked = 16;
  const std::int64_t step = count / kLooked;
  if (step == 0) return false;
  bool falls = false;
  for (std::int64_t j = step; j < kLooked * step; j += step)
    falls |= offsets[j] < offsets[j - step];
  const std::uint64_t span = offsets[(kLooked - 1) * step] - offsets[0];
  return !falls &&
         span * static_cast<std::uint64_t>(unit) <= static_cast<std::uint64_t>(count * kLine);
}

// The bytes at the beginning of a row that are prefetched; the hardware prefetcher follows longer
// rows.
constexpr std::int64_t kMostFetchedBytes = 1024;

// kPerLine: for elements, which lie in one line each, the number of elements in a line; 1 for rows.
template <class Direction, class M, std::int64_t kPerLine = 1>
HWY_INLINE void fetch_row(const Block& block, const typename M::Offset* offsets, std::int64_t j) {
  if (M::kMasked && offsets[j] == kOutside<typename M::Offset>) return;
  const std::byte* row = indirect_row<M>(block, offsets[j]);
  const std::int64_t bytes = kPerLine > 1 ? 1 : std::min(block.row_bytes, kMostFetchedBytes);
  if (Direction::kScatter && block.near_cells) {
    fetch_row_lines<1, true>(row, bytes);
  } else {
    fetch_row_lines<2, Direction::kScatter>(row, bytes);
  }
}

// Prefetches the lines of a gather's result that are written soon: a core has room for some dozens
// of stores that wait for their lines, and then stops.
class ResultFetch {
 public:
  explicit HWY_INLINE ResultFetch(const Block& block)
      : bytes_(block.fetch_direct && block.direct_step == block.row_bytes
                   ? std::min(block.row_bytes, kMostFetchedBytes)
                   : 0) {}
  HWY_INLINE void fetch(const std::byte* direct) const {
    for (std::int64_t at = 0; at < bytes_; at += kLine)
      fetch_line<1, true>(direct + kBytesAhead + at);
  }

 private:
  static constexpr std::int64_t kBytesAhead = 512;
  std::int64_t bytes_;
};

// Prefetches a scatter's updates. They are read in order, but between rows in other places, so that
// the hardware prefetcher does not follow them.
class UpdateFetch {
 public:
  explicit HWY_INLINE UpdateFetch(const Block& block) {
    const auto step =
        static_cast<std::uint64_t>(block.direct_step < 0 ? -block.direct_step : block.direct_step);
    if (!block.fetch_direct || step == 0) return;
    bytes_ = std::min(block.row_bytes, kMostFetchedBytes);
    // A whole number of steps, more than half of kBytesAhead.
    const int spare = std::countl_zero(step) - std::countl_zero(std::uint64_t{kBytesAhead});
    delta_ = block.direct_step * (std::int64_t{1} << std::max(spare, 0));
  }
  HWY_INLINE void fetch(const std::byte* direct) const {
    for (std::int64_t at = 0; at < bytes_; at += kLine) fetch_line<2>(direct + delta_ + at);
  }

 private:
  static constexpr std::int64_t kBytesAhead = 4096;
  std::int64_t bytes_ = 0;
  std::int64_t delta_ = 0;
};

// Runs `row.move(direct, indirect)` for every row that is inside, zeroes the direct rows of a
// gather that are outside, and prefetches where the block asks for it.
template <class Direction, class M, class Row>
HWY_INLINE void for_each_row(const Block block, const Row row) {
  const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
  const std::int64_t ahead = block.ahead;
  const std::int64_t fetched = ahead > 0 ? block.known - ahead : 0;
  const std::conditional_t<Direction::kScatter, UpdateFetch, ResultFetch> direct_fetch(block);
  for (std::int64_t j = 0; j < block.count; ++j) {
    if (j < fetched) fetch_row<Direction, M, Row::kPerLine>(block, offsets, j + ahead);
    std::byte* direct = direct_row<M>(block, j);
    if (j % Row::kPerLine == 0) direct_fetch.fetch(direct);
    if (M::kMasked && offsets[j] == kOutside<typename M::Offset>) {
      if constexpr (!Direction::kScatter) row.clear(direct);
      continue;
    }
    row.move(direct, indirect_row<M>(block, offsets[j]));
  }
}

template <class Direction, class Row>
struct WalkedRows {
  const Block block;
  const Row row;
  template <class M>
  HWY_INLINE void run() const {
    for_each_row<Direction, M>(block, row);
  }
};

// Walks over the rows in the block's mode.
template <class Direction, class Row>
HWY_INLINE void walk_rows(const Block& block, const Row& row) {
  with_mode<Direction>(WalkedRows<Direction, Row>{block, row});
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_WALK_ROWS_INL_H_
