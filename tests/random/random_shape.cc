#include "tests/random/random_shape.h"

#include <algorithm>
#include <numeric>

namespace windrow::tests {
namespace {

std::int64_t random_extent(Rng& rng, std::int64_t most, std::int64_t long_extent) {
  const int kind = rng.small(0, 99);
  if (kind < 20) return 1;
  if (kind < 75) return rng.between(1, std::min<std::int64_t>(most, 6));
  if (kind < 92) return rng.between(1, std::min(most, long_extent));
  return rng.between(1, most);
}

}  // namespace

Scale random_scale(Rng& rng) {
  const int kind = rng.small(0, 99);
  if (kind < 70) return {400, 12};
  if (kind < 88) return {6000, 300};
  return {80000, 6000};
}

int random_rank(Rng& rng, int low, int high) {
  const int most = std::min(high, 6);
  if (high > most && rng.chance(4)) return rng.small(most, high);
  if (rng.chance(60)) return rng.small(low, std::max(low, std::min(most, 3)));
  return rng.small(low, std::max(low, most));
}

Shape random_shape(Rng& rng, int rank, const Scale& scale) {
  Shape shape = Shape::filled(rank, 1);
  if (rank == 0) return shape;
  std::vector<int> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  rng.shuffle(axes);
  std::int64_t left = scale.elements;
  for (const int axis : axes) {
    const std::int64_t most = rank > 6 ? std::min<std::int64_t>(left, 2) : left;
    shape[axis] = random_extent(rng, std::max<std::int64_t>(most, 1), scale.long_extent);
    left = std::max<std::int64_t>(left / shape[axis], 1);
  }
  if (rng.chance(4)) shape[rng.small(0, rank - 1)] = 0;
  return shape;
}

Shape random_subshape(Rng& rng, const Shape& bounds) {
  Shape shape = bounds;
  for (std::int64_t& extent : shape) {
    if (rng.chance(25)) extent = rng.between(std::min<std::int64_t>(extent, 1), extent);
    if (rng.chance(1)) extent = 0;
  }
  return shape;
}

std::int64_t random_axis_form(Rng& rng, int axis, int rank) {
  return rng.chance(35) ? axis - rank : axis;
}

Layout random_layout(Rng& rng, int rank, bool written) {
  Layout layout = dense_layout(rank);
  if (rng.chance(40)) return layout;
  if (rng.chance(40)) rng.shuffle(layout.axes);
  layout.gap_bytes = rng.chance(50) ? 16 : rng.between(1, 9);
  const int gaps = rng.small(0, 40);
  const int reversals = rng.chance(50) ? 0 : 30;
  const int repeats = written || rng.chance(80) ? 0 : 30;
  for (Layout::Axis& axis : layout.axes) {
    axis.gap = rng.chance(gaps) ? rng.between(1, 3) : 0;
    axis.reversed = rng.chance(reversals);
    axis.repeated = rng.chance(repeats);
  }
  if (rng.chance(40)) layout.base = rng.between(1, 63);
  return layout;
}

}  // namespace windrow::tests
