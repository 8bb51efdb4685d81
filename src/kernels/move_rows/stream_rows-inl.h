// Gathers of rows that are written with non-temporal stores. Included once per Highway target.
#if defined(WINDROW_KERNELS_MOVE_ROWS_STREAM_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_MOVE_ROWS_STREAM_ROWS_INL_H_
#undef WINDROW_KERNELS_MOVE_ROWS_STREAM_ROWS_INL_H_
#else
#define WINDROW_KERNELS_MOVE_ROWS_STREAM_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "src/base/memory.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/registry.h"
#include "src/kernels/stream-inl.h"
#include "src/kernels/walk_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

template <class Tag>
struct StreamedRow {
  static constexpr std::int64_t kPerLine = 1;
  std::int64_t bytes;
  HWY_INLINE void move(std::byte* direct, const std::byte* indirect) const {
    stream_copy<Tag>(direct, indirect, bytes);
  }
  HWY_INLINE void clear(std::byte* direct) const { stream_zeros<Tag>(direct, bytes); }
};

// Writes a whole line: the `tail` bytes before `end`, then the first ones of `from`. Both belong to
// rows of at least a line, so that whole lines of both can be read. Masked loads would also wait
// for the lines that they leave out, and nothing has fetched those.
HWY_INLINE void stream_joint(std::byte* line, const std::byte* end, const std::byte* from,
                             std::int64_t tail) {
  alignas(kLine) std::byte joint[3 * kLine];
  std::memcpy(joint + tail, end - kLine, kLine);
  std::memcpy(joint + kLine + tail, from, kLine);
  stream_copy<WideStream>(line, joint + kLine, kLine);
}

// Contiguous rows of at least a cache line, wherever they begin. A row's last bytes wait for the
// next row's first bytes, so that every line, except the first and last of the block, is written in
// one go. A half-written line would be flushed in parts if reads took its buffer.
struct JoinedRows {
  const Block block;

  template <class M>
  HWY_INLINE void run() const {
    alignas(kLine) static constexpr std::byte kZeros[kLine] = {};
    const auto* offsets = static_cast<const typename M::Offset*>(block.offsets);
    const std::int64_t fetched = block.ahead > 0 ? block.known - block.ahead : 0;
    // The bytes of the previous row that wait for the rest of this line, and where that row ends.
    std::int64_t tail = line_offset(block.direct);
    const std::byte* end = nullptr;
    std::byte* line = block.direct - tail;
    for (std::int64_t j = 0; j < block.count; ++j) {
      if (j < fetched) fetch_row<Gather, M>(block, offsets, j + block.ahead);
      const bool outside = M::kMasked && offsets[j] == kOutside<typename M::Offset>;
      const std::byte* from = outside ? kZeros : indirect_row<M>(block, offsets[j]);
      std::int64_t head = 0;
      if (tail > 0) {
        head = kLine - tail;
        if (end != nullptr) {
          stream_joint(line, end, from, tail);
        } else {
          std::memcpy(line + tail, from, static_cast<std::size_t>(head));
        }
        line += kLine;
      }
      const std::int64_t lines = (block.row_bytes - head) / kLine * kLine;
      if (outside) {
        stream_zeros<WideStream>(line, lines);
        end = kZeros + kLine;
      } else {
        stream_copy<WideStream>(line, from + head, lines);
        end = from + block.row_bytes;
      }
      line += lines;
      tail = block.row_bytes - head - lines;
    }
    if (end != nullptr) std::memcpy(line, end - tail, static_cast<std::size_t>(tail));
  }
};

// Streams the block if it asks for non-temporal stores and its rows can be written with them.
template <class Direction>
HWY_INLINE bool stream_rows(const Block& block) {
  if constexpr (Direction::kScatter) return false;
  if (!block.stream) return false;
  if (fits_stream<WideStream>(block.direct, block.direct_step, block.row_bytes)) {
    walk_rows<Gather>(block, StreamedRow<WideStream>{block.row_bytes});
    return true;
  }
  if (block.direct_step == block.row_bytes && block.row_bytes >= kLine) {
    with_mode<Gather>(JoinedRows{block});
    return true;
  }
  if (!fits_stream<NarrowStream>(block.direct, block.direct_step, block.row_bytes)) return false;
  walk_rows<Gather>(block, StreamedRow<NarrowStream>{block.row_bytes});
  return true;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_MOVE_ROWS_STREAM_ROWS_INL_H_
