// Copies of elements that are evenly spaced in two directions. Included once per Highway target.
#if defined(WINDROW_KERNELS_PLANES_GRID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_PLANES_GRID_INL_H_
#undef WINDROW_KERNELS_PLANES_GRID_INL_H_
#else
#define WINDROW_KERNELS_PLANES_GRID_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "src/kernels/jobs.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// Rows and elements of a tile. The cache lines that a tile reads and writes stay in the first-level
// cache, also where they fall into few of its sets.
constexpr std::int64_t kTileRows = 64;
constexpr std::int64_t kTileElements = 8;

// Copies from the first element of a row on, by vectors, where every other element is read. Returns
// the number of elements that were copied; the bytes behind the last element of a row are not read.
template <int kWidth>
HWY_INLINE std::int64_t copy_alternate(std::byte* to, const std::byte* from, std::int64_t count) {
  using Lane = hwy::UnsignedFromSize<kWidth>;
  const hwy::HWY_NAMESPACE::ScalableTag<Lane> tag;
  const auto lanes = static_cast<std::int64_t>(hwy::HWY_NAMESPACE::Lanes(tag));
  std::int64_t done = 0;
  for (; done + lanes < count; done += lanes) {
    hwy::HWY_NAMESPACE::VFromD<decltype(tag)> kept;
    hwy::HWY_NAMESPACE::VFromD<decltype(tag)> left;
    hwy::HWY_NAMESPACE::LoadInterleaved2(
        tag, reinterpret_cast<const Lane*>(from + done * 2 * kWidth), kept, left);
    hwy::HWY_NAMESPACE::StoreU(kept, tag, reinterpret_cast<Lane*>(to + done * kWidth));
  }
  return done;
}

// `kDense`: the written elements of a row stand side by side.
template <int kWidth, bool kDense>
HWY_INLINE void copy_elements(std::byte* to, std::int64_t to_step, const std::byte* from,
                              std::int64_t from_step, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j)
    std::memcpy(to + j * (kDense ? kWidth : to_step), from + j * from_step, kWidth);
}

template <int kWidth, bool kDense>
HWY_INLINE void copy_row(const Grid& grid, std::int64_t row) {
  std::byte* to = grid.to + row * grid.to_row;
  const std::byte* from = grid.from + row * grid.from_row;
  std::int64_t done = 0;
  if constexpr (kDense && kWidth <= 8)
    if (grid.from_step == 2 * kWidth) done = copy_alternate<kWidth>(to, from, grid.count);
  copy_elements<kWidth, kDense>(to + done * grid.to_step, grid.to_step,
                                from + done * grid.from_step, grid.from_step, grid.count - done);
}

// Tile by tile: the rows of a tile read neighbours.
template <int kWidth, bool kDense>
void copy_tiles(const Grid& grid) {
  for (std::int64_t row = 0; row < grid.rows; row += kTileRows) {
    const std::int64_t rows = std::min(kTileRows, grid.rows - row);
    for (std::int64_t first = 0; first < grid.count; first += kTileElements) {
      const std::int64_t count = std::min(kTileElements, grid.count - first);
      std::byte* to = grid.to + row * grid.to_row + first * grid.to_step;
      const std::byte* from = grid.from + row * grid.from_row + first * grid.from_step;
      for (std::int64_t i = 0; i < rows; ++i, to += grid.to_row, from += grid.from_row) {
        if (count == kTileElements) {
          copy_elements<kWidth, kDense>(to, grid.to_step, from, grid.from_step, kTileElements);
        } else {
          copy_elements<kWidth, kDense>(to, grid.to_step, from, grid.from_step, count);
        }
      }
    }
  }
}

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

// Squares of elements as wide as a vector of 16 bytes, and squares of these as wide as a cache
// line.
template <int kWidth>
constexpr std::int64_t kSquare = 16 / kWidth;
template <int kWidth>
constexpr std::int64_t kLineSquare = 64 / kWidth;

// A square whose lines become its columns. Interleaving the first half of its lines with the second
// puts the elements of each column next to each other after as many steps as halves it has.
template <int kWidth>
HWY_INLINE void turn_square(std::byte* to, std::int64_t to_row, const std::byte* from,
                            std::int64_t from_step) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Lane = hwy::UnsignedFromSize<kWidth>;
  constexpr std::size_t kLines = kSquare<kWidth>;
  const hn::FixedTag<Lane, kLines> tag;
  hn::VFromD<decltype(tag)> lines[kLines];
  hn::VFromD<decltype(tag)> mixed[kLines];
  for (std::size_t j = 0; j < kLines; ++j)
    lines[j] = hn::LoadU(
        tag, reinterpret_cast<const Lane*>(from + static_cast<std::int64_t>(j) * from_step));
  for (std::size_t step = 1; step < kLines; step *= 2) {
    for (std::size_t j = 0; j < kLines / 2; ++j) {
      mixed[2 * j] = hn::InterleaveLower(tag, lines[j], lines[j + kLines / 2]);
      mixed[2 * j + 1] = hn::InterleaveUpper(tag, lines[j], lines[j + kLines / 2]);
    }
    for (std::size_t j = 0; j < kLines; ++j) lines[j] = mixed[j];
  }
  for (std::size_t i = 0; i < kLines; ++i)
    hn::StoreU(lines[i], tag, reinterpret_cast<Lane*>(to + static_cast<std::int64_t>(i) * to_row));
}

// The part of a grid from an element on, whose size is given.
inline Grid part_of(const Grid& grid, std::int64_t row, std::int64_t rows, std::int64_t first,
                    std::int64_t count) {
  Grid part = grid;
  part.to += row * grid.to_row + first * grid.to_step;
  part.from += row * grid.from_row + first * grid.from_step;
  part.rows = rows;
  part.count = count;
  return part;
}

// Whole squares, line square by line square, so that the lines of both sides stay in the
// first-level cache until all of their elements are moved.
template <int kWidth>
void turn_squares(const Grid& grid) {
  constexpr std::int64_t kTile = kLineSquare<kWidth>;
  for (std::int64_t row = 0; row < grid.rows; row += kTile) {
    for (std::int64_t first = 0; first < grid.count; first += kTile) {
      const Grid tile = part_of(grid, row, std::min(kTile, grid.rows - row), first,
                                std::min(kTile, grid.count - first));
      for (std::int64_t i = 0; i < tile.rows; i += kSquare<kWidth>)
        for (std::int64_t j = 0; j < tile.count; j += kSquare<kWidth>)
          turn_square<kWidth>(tile.to + i * tile.to_row + j * kWidth, tile.to_row,
                              tile.from + i * kWidth + j * tile.from_step, tile.from_step);
    }
  }
}

// A grid whose rows are written side by side and whose columns are read so.
template <int kWidth>
void copy_turned(const Grid& grid) {
  const std::int64_t rows = grid.rows - grid.rows % kSquare<kWidth>;
  const std::int64_t count = grid.count - grid.count % kSquare<kWidth>;
  turn_squares<kWidth>(part_of(grid, 0, rows, 0, count));
  copy_tiles<kWidth, true>(part_of(grid, 0, rows, count, grid.count - count));
  copy_tiles<kWidth, true>(part_of(grid, rows, grid.rows - rows, 0, grid.count));
}

#else

template <int kWidth>
void copy_turned(const Grid& grid) {
  copy_tiles<kWidth, true>(grid);
}

#endif

template <int kWidth, bool kDense>
void copy_in_order(const Grid& grid) {
  if (grid.rows > 1 && std::abs(grid.from_row) < std::abs(grid.from_step)) {
    if constexpr (kDense && kWidth < 16)
      if (grid.from_row == kWidth) return copy_turned<kWidth>(grid);
    return copy_tiles<kWidth, kDense>(grid);
  }
  for (std::int64_t row = 0; row < grid.rows; ++row) copy_row<kWidth, kDense>(grid, row);
}

template <int kWidth>
void copy_grid(const Grid& grid) noexcept {
  Grid turned = grid;
  if (grid.count < kTileElements && grid.count < grid.rows) {
    std::swap(turned.rows, turned.count);
    std::swap(turned.to_row, turned.to_step);
    std::swap(turned.from_row, turned.from_step);
  }
  if (turned.to_step == kWidth) return copy_in_order<kWidth, true>(turned);
  copy_in_order<kWidth, false>(turned);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif
