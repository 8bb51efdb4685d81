// Prefetching of cache lines. Included once per Highway target.
#if defined(WINDROW_KERNELS_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_LINES_INL_H_
#undef WINDROW_KERNELS_LINES_INL_H_
#else
#define WINDROW_KERNELS_LINES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "src/base/memory.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// Level 1 is the first level of cache. A core can wait for three times as many lines of the second
// level.
template <int kLevel, bool kWrites = false>
HWY_INLINE void fetch_line(const std::byte* line) {
  __builtin_prefetch(line, kWrites ? 1 : 0, 4 - kLevel);
}

// Fetches every line that holds any of the bytes, at least one. NumPy's arrays begin between lines;
// without its last line, a row of 64 bytes arrives as late as without any prefetch.
template <int kLevel, bool kWrites = false>
HWY_INLINE void fetch_lines(const std::byte* from, std::int64_t bytes) {
  const std::byte* line = from - line_offset(from);
  do {
    fetch_line<kLevel, kWrites>(line);
    line += kLine;
  } while (line < from + bytes);
}

// Fetches every line that holds any of the bytes, at least one, in a number of steps that does not
// depend on where in a line they begin. For rows: each begins at another place, and a loop that
// ends now sooner, now later costs more than a line that is fetched twice.
template <int kLevel, bool kWrites = false>
HWY_INLINE void fetch_row_lines(const std::byte* row, std::int64_t bytes) {
  const std::int64_t last = bytes - 1;
  for (std::int64_t at = 0; at < last; at += kLine) fetch_line<kLevel, kWrites>(row + at);
  fetch_line<kLevel, kWrites>(row + last);
}

// Prefetches memory that is read in order, one line for every line that is used: far ahead into the
// second level, and from there into the first.
HWY_INLINE void fetch_stream(const std::byte* now) {
  constexpr std::int64_t kFar = 4096;
  constexpr std::int64_t kNear = 512;
  fetch_line<2>(now + kFar);
  fetch_line<1>(now + kNear);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_LINES_INL_H_
