// Moving rows and elements by width: what copy_rows/, take_elements/ and assign/ are made of.
// Included once per Highway target.
#if defined(WINDROW_KERNELS_MOVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_MOVE_INL_H_
#undef WINDROW_KERNELS_MOVE_INL_H_
#else
#define WINDROW_KERNELS_MOVE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "src/kernels/registry.h"
#include "src/kernels/stream-inl.h"

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

// How a block's offsets are read: the loop bodies are instantiated for each combination, outside of
// the loop.
template <class OffsetT, bool kMaskedV, bool kPositionsV>
struct Mode {
  using Offset = OffsetT;
  static constexpr bool kMasked = kMaskedV;
  static constexpr bool kPositions = kPositionsV;
  static constexpr Offset kOutside = ~Offset{0};
};

// Runs the body for its block's mode. Bodies hold the block by value: behind a reference it would
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

// Fetches a cache line into the second level: a core can wait for three times as many lines there
// as in the first level.
template <class Direction>
HWY_INLINE void prefetch_line(const std::byte* line) {
  __builtin_prefetch(line, Direction::kScatter ? 1 : 0, 2);
}

// The first lines of a row; the machine's own prefetcher follows a longer one by itself.
template <class Direction>
HWY_INLINE void prefetch_lines(const std::byte* row, std::int64_t bytes) {
  const std::int64_t end = bytes < 1024 ? bytes : 1024;
  for (std::int64_t at = 0; at < end; at += 64) prefetch_line<Direction>(row + at);
}

template <class Direction, class M>
HWY_INLINE void fetch_row(const Block& block, const typename M::Offset* offsets, std::int64_t j) {
  if (M::kMasked && offsets[j] == M::kOutside) return;
  prefetch_lines<Direction>(indirect_row<M>(block, offsets[j]), block.row_bytes);
}

// Fetches a scatter's updates ahead. They are read in order, but between rows elsewhere, which keep
// the machine's own prefetcher from following them.
class UpdateFetch {
 public:
  explicit HWY_INLINE UpdateFetch(const Block& block) {
    const auto step =
        static_cast<std::uint64_t>(block.direct_step < 0 ? -block.direct_step : block.direct_step);
    if (!block.fetch_updates || step == 0) return;
    bytes_ = std::min(block.row_bytes, kMostBytes);
    // Whole steps, of more than half of kBytesAhead.
    const int spare = std::countl_zero(step) - std::countl_zero(std::uint64_t{kBytesAhead});
    delta_ = block.direct_step * (std::int64_t{1} << std::max(spare, 0));
  }
  HWY_INLINE void fetch(const std::byte* direct) const {
    for (std::int64_t at = 0; at < bytes_; at += kLine)
      __builtin_prefetch(direct + delta_ + at, 0, 2);
  }

 private:
  static constexpr std::int64_t kLine = 64;
  static constexpr std::int64_t kBytesAhead = 4096;
  static constexpr std::int64_t kMostBytes = 1024;
  std::int64_t bytes_ = 0;
  std::int64_t delta_ = 0;
};

// Runs `row.move(direct, indirect)` for every row that is inside, zeroes the direct rows of a
// gather that are outside, and fetches ahead where the block asks for it: of a scatter's updates
// one of Row::kFetchEvery.
template <class Direction, class M, class Row>
HWY_INLINE void for_each_row(const Block block, const Row row) {
  const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
  const std::int64_t ahead = block.ahead;
  const std::int64_t fetched = ahead > 0 ? block.known - ahead : 0;
  [[maybe_unused]] const UpdateFetch update_fetch(block);
  for (std::int64_t j = 0; j < block.count; ++j) {
    if (j < fetched) fetch_row<Direction, M>(block, offsets, j + ahead);
    std::byte* direct = direct_row<M>(block, j);
    if constexpr (Direction::kScatter)
      if (j % Row::kFetchEvery == 0) update_fetch.fetch(direct);
    if (M::kMasked && offsets[j] == M::kOutside) {
      if constexpr (!Direction::kScatter) row.clear(direct);
      continue;
    }
    row.move(direct, indirect_row<M>(block, offsets[j]));
  }
}

template <class Direction>
HWY_INLINE void copy_between(std::byte* direct, std::byte* indirect, std::size_t bytes) {
  if constexpr (Direction::kScatter) {
    std::memcpy(indirect, direct, bytes);
  } else {
    std::memcpy(direct, indirect, bytes);
  }
}

// Rows of kChunk to 2 * kChunk bytes: a chunk from the front and one from the back.
template <class Direction, int kChunk>
struct ShortRow {
  static constexpr std::int64_t kFetchEvery = 1;
  std::int64_t tail;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    // Both chunks are read before either is written: gather and scatter never overlap rows, and the
    // compiler may then keep both in registers.
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
struct ShortRows {
  const Block block;
  template <class M>
  HWY_INLINE void run() const {
    for_each_row<Direction, M>(block, ShortRow<Direction, kChunk>{block.row_bytes - kChunk});
  }
};

// Rows of a gather that are written past the caches.
template <class Tag>
struct StreamedRow {
  std::int64_t bytes;
  HWY_INLINE void move(std::byte* direct, const std::byte* indirect) const {
    stream_copy<Tag>(direct, indirect, bytes);
  }
  HWY_INLINE void clear(std::byte* direct) const { stream_zeros<Tag>(direct, bytes); }
};

template <class Tag>
struct StreamedRows {
  const Block block;
  template <class M>
  HWY_INLINE void run() const {
    for_each_row<Gather, M>(block, StreamedRow<Tag>{block.row_bytes});
  }
};

// Streams the block if it asks for that and is aligned so.
template <class Direction>
HWY_INLINE bool stream_rows(const Block& block) {
  if constexpr (Direction::kScatter) return false;
  if (!block.stream) return false;
  if (fits_stream<WideStream>(block.direct, block.direct_step, block.row_bytes)) {
    with_mode<Gather>(StreamedRows<WideStream>{block});
    return true;
  }
  if (!fits_stream<NarrowStream>(block.direct, block.direct_step, block.row_bytes)) return false;
  with_mode<Gather>(StreamedRows<NarrowStream>{block});
  return true;
}

template <class Direction, int kChunk>
void move_short_rows(const Block& block) noexcept {
  if (stream_rows<Direction>(block)) return;
  with_mode<Direction>(ShortRows<Direction, kChunk>{block});
}

template <class Direction>
struct LongRow {
  static constexpr std::int64_t kFetchEvery = 1;
  std::int64_t bytes;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    // The C library's copy wins where its start-up cost is spread over a long row.
    if (bytes >= 2048) {
      copy_between<Direction>(direct, indirect, static_cast<std::size_t>(bytes));
      return;
    }
    std::int64_t at = 0;
    for (; at + 64 <= bytes; at += 64) copy_between<Direction>(direct + at, indirect + at, 64);
    if (at < bytes) copy_between<Direction>(direct + bytes - 64, indirect + bytes - 64, 64);
  }
  HWY_INLINE void clear(std::byte* direct) const {
    std::memset(direct, 0, static_cast<std::size_t>(bytes));
  }
};

template <class Direction>
struct LongRows {
  const Block block;
  template <class M>
  HWY_INLINE void run() const {
    for_each_row<Direction, M>(block, LongRow<Direction>{block.row_bytes});
  }
};

template <class Direction>
void move_long_rows(const Block& block) noexcept {
  if (stream_rows<Direction>(block)) return;
  with_mode<Direction>(LongRows<Direction>{block});
}

template <class Direction, int kWidth>
struct Element {
  static constexpr std::int64_t kFetchEvery = 64 / kWidth;
  HWY_INLINE void move(std::byte* direct, std::byte* indirect) const {
    copy_between<Direction>(direct, indirect, kWidth);
  }
  HWY_INLINE void clear(std::byte* direct) const { std::memset(direct, 0, kWidth); }
};

template <class Direction, int kWidth>
struct Elements {
  const Block block;

  // The usual case, with constants where the general one has variables.
  template <class M>
  HWY_INLINE void run_dense() const {
    const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
    std::int64_t j = 0;
    if (block.ahead > 0) {
      const std::int64_t fetched = std::min(block.count, block.known - block.ahead);
      for (; j < fetched; ++j) {
        prefetch_line<Direction>(block.indirect + std::size_t{offsets[j + block.ahead]} * kWidth);
        copy_between<Direction>(block.direct + j * kWidth,
                                block.indirect + std::size_t{offsets[j]} * kWidth, kWidth);
      }
    }
    for (; j < block.count; ++j)
      copy_between<Direction>(block.direct + j * kWidth,
                              block.indirect + std::size_t{offsets[j]} * kWidth, kWidth);
  }

  template <class M>
  HWY_INLINE void run() const {
    if constexpr (!M::kMasked && !M::kPositions) {
      if (block.unit == kWidth && block.direct_step == kWidth) return run_dense<M>();
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

#endif  // WINDROW_KERNELS_MOVE_INL_H_
