#ifndef WINDROW_EXECUTE_NEST_CURSOR_H_
#define WINDROW_EXECUTE_NEST_CURSOR_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "src/plan/loop_nest.h"
#include "windrow/shape.h"

namespace windrow::internal {

// A part of a nest: the counters [low, high) of one loop, and all counters of the others. loop < 0:
// the whole nest.
struct Box {
  int loop = -1;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Walks the points of a box in row-major order, one run of the innermost loop at a time, and tracks
// the position of every stream. Does not allocate. The nest must outlive the cursor and have 1 to
// kMaxRank loops.
class NestCursor {
 public:
  // Starts at the first point of the box.
  NestCursor(const LoopNest& nest, const Box& box) : nest_(nest) {
    streams_ = nest.front().strides.size();
    for (std::size_t l = 0; l < nest.size(); ++l) {
      extents_[l] = nest[l].extent;
      counters_[l] = 0;
    }
    std::fill_n(positions_.begin(), streams_, 0);
    if (box.loop < 0) return;
    const auto cut = static_cast<std::size_t>(box.loop);
    extents_[cut] = box.high - box.low;
    move(cut, box.low);
  }
  // Starts at point number `point` of the whole nest.
  NestCursor(const LoopNest& nest, std::int64_t point) : NestCursor(nest, Box()) { seek(point); }

  std::int64_t points() const {
    std::int64_t product = 1;
    for (std::size_t l = 0; l < nest_.size(); ++l) product *= extents_[l];
    return product;
  }

  // Moves from the first point of the box to its point number `flat`. May only be called once,
  // before any other move.
  void seek(std::int64_t flat) {
    if (flat == 0) return;
    for (std::size_t l = nest_.size(); l-- > 0;) {
      counters_[l] = flat % extents_[l];
      flat /= extents_[l];
      move(l, counters_[l]);
    }
  }

  // The number of points from here to the end of the innermost loop.
  std::int64_t run_length() const { return extents_[inner()] - counters_[inner()]; }

  // The number of points of the innermost loop between the beginning of the box and here.
  std::int64_t run_position() const { return counters_[inner()]; }

  // Moves on by `count` points, at most run_length(). After the last point the cursor starts over.
  void advance(std::int64_t count) {
    std::size_t l = inner();
    counters_[l] += count;
    move(l, count);
    while (counters_[l] == extents_[l]) {
      move(l, -extents_[l]);
      counters_[l] = 0;
      if (l == 0) return;
      --l;
      ++counters_[l];
      move(l, 1);
    }
  }

  std::int64_t position(std::size_t stream) const { return positions_[stream]; }
  // The amount by which a stream changes from one point of the run to the next.
  std::int64_t step(std::size_t stream) const { return nest_.back().strides[stream]; }

 private:
  std::size_t inner() const { return nest_.size() - 1; }
  void move(std::size_t loop, std::int64_t steps) {
    const std::vector<std::int64_t>& strides = nest_[loop].strides;
    for (std::size_t s = 0; s < streams_; ++s) positions_[s] += steps * strides[s];
  }

  const LoopNest& nest_;
  std::size_t streams_ = 0;
  // Only the entries for the nest's own loops and streams are ever set.
  std::array<std::int64_t, kMaxRank> extents_;
  std::array<std::int64_t, kMaxRank> counters_;
  // One entry for each stream: direct, indirect, and for each axis at most an index term and the
  // loops' part of the coordinate.
  std::array<std::int64_t, 2 + 2 * kMaxRank> positions_;
};

// Calls block(count) for the next `points` points of a cursor, in pieces of at most `most` points
// of one run of the innermost loop. During a call the cursor stands at the first point of the
// piece. If block() returns false, the walk ends and returns false.
template <class Block>
bool for_each_block(NestCursor& cursor, std::int64_t points, std::int64_t most,
                    const Block& block) {
  while (points > 0) {
    const std::int64_t count = std::min({points, cursor.run_length(), most});
    if (!block(count)) return false;
    cursor.advance(count);
    points -= count;
  }
  return true;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_NEST_CURSOR_H_
