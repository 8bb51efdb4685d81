#ifndef WINDROW_PLAN_WAYS_H_
#define WINDROW_PLAN_WAYS_H_

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "src/plan/loop_nest.h"

// The ways to run a plan, each with the parameters that no other way needs. Only choose_ways.cc
// makes them; docs/design/execution.md says what each does and when it serves a run.
namespace windrow::internal {

struct LoweredPlan;

// There are no points: only the start of a scatter is copied.
struct NoPoints {};

// Point number p of the addressed nest has its direct row at p * direct_step, its index of axis a
// at p * index_steps[a] bytes from the term's first one, and without its indices offsets[p].
struct EvenPoints {
  std::int64_t direct_step = 0;
  std::vector<std::int64_t> index_steps;
  std::vector<std::uint32_t> offsets;
};

// All points as one block on the calling thread, without walking the loops.
struct SmallBlock {
  EvenPoints points;
};

// Runs `rows`, which moves all lanes of an index row as one row; its index tensor is dense and
// holds one index for each index row of this plan. `nest` has the points of the index rows in this
// plan's own streams.
struct ConstantRows {
  std::shared_ptr<const LoweredPlan> rows;
  LoopNest nest;
};

// The offsets of up to `chunk` points at a time, for all points of the shared loops. What the next
// of these addresses, `fetched` bytes, is fetched meanwhile; 0: it is not.
struct SharedOffsets {
  std::int64_t chunk = 0;
  std::int64_t fetched = 0;
};

// Tiles of `tile` lanes of the innermost loop, each through all outer loops, with the cells that
// the tile may address copied side by side to scratch. `around` has the loops outside of rows and
// lanes, at least one.
struct PackedLanes {
  std::int64_t tile = 0;
  LoopNest around;
};

// Single elements straight from their plain indices, one or a tuple for each. `gathers`: with
// gather instructions, where the kernel set has them.
struct StraightTakes {
  bool gathers = false;
};

// The same along the plan's flat runs, each of which has a table of its own.
struct FlatTakes {
  bool gathers = false;
};

// The cells of each counter of the first loop lie in a piece of `bytes` of the output. About
// `at_once` pieces are copied, then scattered into.
struct Pieces {
  std::int64_t bytes = 0;
  std::int64_t at_once = 1;
};

// Ranges of the points, cut between two cells, for updates in the order of their cells.
struct SortedRanges {};

// The updates put side by side by buckets of at most `bytes` of the output. `forced`: whatever the
// number of tasks, and although a loop or a row could be cut.
struct Buckets {
  std::int64_t bytes = 0;
  bool forced = false;
};

// Parts of the addressed nest, block by block.
struct Boxes {};

using Way = std::variant<NoPoints, SmallBlock, ConstantRows, SharedOffsets, PackedLanes,
                         StraightTakes, FlatTakes, Pieces, SortedRanges, Buckets, Boxes>;

// The first way of a type among candidates; null if there is none.
template <class OneWay>
const OneWay* find_way(const std::vector<Way>& ways) {
  for (const Way& way : ways)
    if (const auto* found = std::get_if<OneWay>(&way)) return found;
  return nullptr;
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_WAYS_H_
