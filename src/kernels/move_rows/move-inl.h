// Moving rows and elements by width: gathers of rows and elements, and scatters that assign.
// Included once per Highway target.
#if defined(WINDROW_KERNELS_MOVE_ROWS_MOVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_MOVE_ROWS_MOVE_INL_H_
#undef WINDROW_KERNELS_MOVE_ROWS_MOVE_INL_H_
#else
#define WINDROW_KERNELS_MOVE_ROWS_MOVE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/move_rows/stream_rows-inl.h"
#include "src/kernels/registry.h"
#include "src/kernels/walk_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

template <class Direction>
HWY_INLINE void copy_between(std::byte* direct, std::byte* indirect, std::size_t bytes) {
  if constexpr (Direction::kScatter) {
    std::memcpy(indirect, direct, bytes);
  } else {
    std::memcpy(direct, indirect, bytes);
  }
}

// Rows of kChunk to 2 * kChunk bytes: one chunk from the front and one from the back.
template <class Direction, int kChunk>
struct ShortRow {
  static constexpr std::int64_t kPerLine = 1;
  std::int64_t tail;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    // Both chunks are read before either is written. Gathers and scatters never overlap rows, and
    // the compiler can then keep both chunks in registers.
    const std::byte* from = Direction::kScatter ? direct : indirect;
    std::byte* to = Direction::kScatter ? indirect : direct;
    std::byte front[kChunk];
    std::byte back[kChunk];
    std::memcpy(front, from, kChunk);
    std::memcpy(back, from + tail, kChunk);
    std::memcpy(to, front, kChunk);
    std::memcpy(to + tail, back, kChunk);
  }
  HWY_INLINE void clear(std::byte* direct) const {
    std::memset(direct, 0, kChunk);
    std::memset(direct + tail, 0, kChunk);
  }
};

template <class Direction, int kChunk>
void move_short_rows(const Block& block) noexcept {
  if (stream_rows<Direction>(block)) return;
  walk_rows<Direction>(block, ShortRow<Direction, kChunk>{block.row_bytes - kChunk});
}

template <class Direction>
struct LongRow {
  static constexpr std::int64_t kPerLine = 1;
  // From this length on, rows are written from line to line: a store that crosses a line takes as
  // long as two. For shorter rows the copy of the first line costs more.
  static constexpr std::int64_t kAlignedBytes = 512;
  std::int64_t bytes;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    // The C library's copy is faster where its start-up cost is spread over a long row.
    if (bytes >= 2048) {
      copy_between<Direction>(direct, indirect, static_cast<std::size_t>(bytes));
      return;
    }
    std::int64_t at = 0;
    if (bytes >= kAlignedBytes) {
      copy_between<Direction>(direct, indirect, kLine);
      at = kLine - line_offset(Direction::kScatter ? indirect : direct);
    }
    for (; at + kLine <= bytes; at += kLine)
      copy_between<Direction>(direct + at, indirect + at, kLine);
    if (at < bytes)
      copy_between<Direction>(direct + bytes - kLine, indirect + bytes - kLine, kLine);
  }
  HWY_INLINE void clear(std::byte* direct) const {
    std::memset(direct, 0, static_cast<std::size_t>(bytes));
  }
};

template <class Direction>
void move_long_rows(const Block& block) noexcept {
  if (stream_rows<Direction>(block)) return;
  walk_rows<Direction>(block, LongRow<Direction>{block.row_bytes});
}

template <class Direction, int kWidth>
struct Element {
  static constexpr std::int64_t kPerLine = 64 / kWidth;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    copy_between<Direction>(direct, indirect, kWidth);
  }
  HWY_INLINE void clear(std::byte* direct) const { std::memset(direct, 0, kWidth); }
};

template <class Direction, int kWidth>
struct Elements {
  const Block block;

  // Fetches the elements that come `ahead`, as far as they are known, and returns the number of
  // those that it moved.
  template <class M, int kLevel>
  HWY_INLINE std::int64_t run_fetched(const std::int64_t unit) const {
    const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
    const std::int64_t fetched = std::min(block.count, block.known - block.ahead);
    std::int64_t j = 0;
    for (; j < fetched; ++j) {
      fetch_line<kLevel, Direction::kScatter>(place<M>(offsets[j + block.ahead], unit));
      copy_between<Direction>(block.direct + j * kWidth, place<M>(offsets[j], unit), kWidth);
    }
    return j;
  }

  // The usual case, with constants where the general one has variables.
  template <class M>
  HWY_INLINE void run_dense(const std::int64_t unit) const {
    const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
    std::int64_t j = 0;
    if (block.ahead > 0 && !ascends_closely(offsets, block.count, unit))
      j = Direction::kScatter && block.near_cells ? run_fetched<M, 1>(unit)
                                                  : run_fetched<M, 2>(unit);
#pragma GCC unroll 4
    for (; j < block.count; ++j)
      copy_between<Direction>(block.direct + j * kWidth, place<M>(offsets[j], unit), kWidth);
  }

  template <class M>
  HWY_INLINE std::byte* place(typename M::Offset offset, std::int64_t unit) const {
    return block.indirect + std::size_t{offset} * static_cast<std::size_t>(unit);
  }

  template <class M>
  HWY_INLINE void run() const {
    if constexpr (!M::kMasked && !M::kPositions) {
      if (block.direct_step == kWidth)
        return block.unit == kWidth ? run_dense<M>(kWidth) : run_dense<M>(block.unit);
    }
    for_each_row<Direction, M>(block, Element<Direction, kWidth>{});
  }
};

template <class Direction, int kWidth>
void move_elements(const Block& block) noexcept {
  with_mode<Direction>(Elements<Direction, kWidth>{block});
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_MOVE_ROWS_MOVE_INL_H_
