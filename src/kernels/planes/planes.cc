#include <cstring>

#include "src/kernels/registry.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/planes/planes.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/planes/grid-inl.h"
#include "src/kernels/stream-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE void fetch_row(const Plane& plane, std::int64_t row) {
  if (row >= plane.known_rows) return;
  fetch_lines<1>(plane.from + row * plane.from_step, plane.row_bytes);
}

template <class Tag>
void stream_plane(const Plane& plane) {
  for (std::int64_t row = 0; row < plane.rows; ++row) {
    if (plane.ahead > 0) fetch_row(plane, row + plane.ahead);
    stream_copy<Tag>(plane.to + row * plane.to_step, plane.from + row * plane.from_step,
                     plane.row_bytes);
  }
}

// One long row of any alignment. Its whole cache lines are written with non-temporal stores, the
// bytes at its ends are not.
void stream_long_row(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const std::int64_t place = line_offset(to);
  const std::int64_t head = place == 0 ? 0 : kLine - place;
  const std::int64_t lines = (bytes - head) / kLine * kLine;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  stream_copy<WideStream>(to + head, from + head, lines);
  std::memcpy(to + head + lines, from + head + lines,
              static_cast<std::size_t>(bytes - head - lines));
}

// Rows of a few cache lines, for which the C library's copy would need a call each.
template <std::int64_t kBytes>
void copy_short_rows(const Plane& plane) {
  for (std::int64_t row = 0; row < plane.rows; ++row) {
    if (plane.ahead > 0) fetch_row(plane, row + plane.ahead);
    std::memcpy(plane.to + row * plane.to_step, plane.from + row * plane.from_step, kBytes);
  }
}

void copy_plain_rows(const Plane& plane) {
  for (std::int64_t row = 0; row < plane.rows; ++row) {
    if (plane.ahead > 0) fetch_row(plane, row + plane.ahead);
    std::memcpy(plane.to + row * plane.to_step, plane.from + row * plane.from_step,
                static_cast<std::size_t>(plane.row_bytes));
  }
}

void copy_plane(const Plane& plane) noexcept {
  constexpr std::int64_t kLongRow = 64 * kLine;
  if (plane.stream) {
    if (fits_stream<WideStream>(plane.to, plane.to_step, plane.row_bytes))
      return stream_plane<WideStream>(plane);
    if (plane.row_bytes >= kLongRow) {
      for (std::int64_t row = 0; row < plane.rows; ++row)
        stream_long_row(plane.to + row * plane.to_step, plane.from + row * plane.from_step,
                        plane.row_bytes);
      return;
    }
    if (fits_stream<NarrowStream>(plane.to, plane.to_step, plane.row_bytes))
      return stream_plane<NarrowStream>(plane);
  }
  if (plane.row_bytes == kLine) return copy_short_rows<kLine>(plane);
  if (plane.row_bytes == 2 * kLine) return copy_short_rows<2 * kLine>(plane);
  copy_plain_rows(plane);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_planes
#define WINDROW_ROWS "src/kernels/planes/rows.inc"
#include "src/kernels/bind_rows-inl.h"
