#ifndef WINDROW_EXECUTE_PARTITION_H_
#define WINDROW_EXECUTE_PARTITION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "src/plan/lower.h"
#include "src/plan/ways.h"
#include "windrow/shape.h"
#include "windrow/threads.h"

namespace windrow::internal {

// How the points of a plan are divided into tasks that may run at the same time.
enum class Cut : std::uint8_t {
  kPoints,  // ranges of the addressed points
  kShared,  // ranges of the shared points
  kLoop,    // ranges of one loop of the addressed nest; scatters need it injective
  kRow,     // slices of every row
  kCells,   // ranges of the cells
};

// Law: no two tasks write to the same cell, and within a task the updates of a cell keep their
// order. The result therefore does not depend on the number of tasks.
struct Partition {
  Cut cut = Cut::kPoints;
  int tasks = 1;
  int loop = -1;  // kLoop
};

// The largest number of tasks that the work of a plan justifies on a given number of threads.
int most_tasks(const LoweredPlan& plan, int threads);

// The number of tasks for `total` units of work, with at least `least` units each. Returns 1 if
// `threads` is null.
int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads);

// Divides every row into slices of at least kLeastSliceBytes, less what a cache line takes of the
// first one.
Partition cut_rows(const LoweredPlan& plan, int tasks);

// The range of task number `task` of `tasks` over [0, total). The ranges are contiguous and in
// order; their sizes differ by at most one `grain`.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain = 1);

// Same as task_range(), for counters of which a cache line holds `per_line`: tasks meet at cache
// line boundaries of the written side. `written` is the address of the first counter's cell.
Range line_range(std::int64_t total, int tasks, int task, std::int64_t per_line,
                 const std::byte* written);

// Cut::kLoop: the number of counters of the loop whose cells share a cache line of the written
// side; at least 1.
std::int64_t loop_grain(const LoweredPlan& plan, int loop);

// Cut::kRow: the bytes of every row that belong to the task. `rows` is the written side; slices
// meet at its cache line boundaries if its elements do.
Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task);

// The distance in bytes, on the indirect side, between two counters of a loop of the addressed
// nest.
std::int64_t cell_step(const LoweredPlan& plan, int loop);

// Calls body(index) for each index in [0, tasks) on the threads. A single task runs on the calling
// thread; `threads` may then be null.
template <class Body>
void parallel_for(int tasks, Threads* threads, const Body& body) {
  if (tasks == 1) return body(0);
  const auto run = [](void* opaque, int index) { (*static_cast<const Body*>(opaque))(index); };
  threads->parallel(tasks, run, const_cast<Body*>(&body));
}

// A part of a nest: the counters [low, high) of one loop, and all counters of the others. loop < 0:
// the whole nest.
struct Box {
  int loop = -1;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Walks the points of a box in row-major order, one run of the innermost loop at a time, and tracks
// the position of every track. Does not allocate. The nest must outlive the cursor and have 1 to
// kMaxRank loops.
class NestCursor {
 public:
  // Starts at the first point of the box.
  NestCursor(const LoopNest& nest, const Box& box) : nest_(nest) {
    tracks_ = nest.front().strides.size();
    for (std::size_t l = 0; l < nest.size(); ++l) {
      extents_[l] = nest[l].extent;
      counters_[l] = 0;
    }
    std::fill_n(positions_.begin(), tracks_, 0);
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

  std::int64_t position(std::size_t track) const { return positions_[track]; }
  // The amount by which a track changes from one point of the run to the next.
  std::int64_t step(std::size_t track) const { return nest_.back().strides[track]; }

 private:
  std::size_t inner() const { return nest_.size() - 1; }
  void move(std::size_t loop, std::int64_t steps) {
    const std::vector<std::int64_t>& strides = nest_[loop].strides;
    for (std::size_t s = 0; s < tracks_; ++s) positions_[s] += steps * strides[s];
  }

  const LoopNest& nest_;
  std::size_t tracks_ = 0;
  // Only the entries for the nest's own loops and tracks are ever set.
  std::array<std::int64_t, kMaxRank> extents_;
  std::array<std::int64_t, kMaxRank> counters_;
  // One entry for each track: direct, indirect, and for each axis at most an index term and the
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

#endif  // WINDROW_EXECUTE_PARTITION_H_
