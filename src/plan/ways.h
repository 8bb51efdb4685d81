#ifndef WINDROW_PLAN_WAYS_H_
#define WINDROW_PLAN_WAYS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {

// One loop of a nest. `strides[s]` is the change of track s from one counter to the next.
struct NestLoop {
  std::int64_t extent = 1;
  std::vector<std::int64_t> strides;
  // Whether different counters of this loop always address different cells of the indirect tensor,
  // whatever the other counters and the indices are. Scatters may be divided along such a loop.
  bool injective = false;
};

// Loops, outermost first, that drive several linear functions of their counters ("tracks"): byte
// positions in the direct, indirect and index tensors, and coordinates.
using LoopNest = std::vector<NestLoop>;

// The tracks with which every nest of a plan begins.
inline constexpr std::size_t kDirectTrack = 0;
inline constexpr std::size_t kIndirectTrack = 1;
inline constexpr std::size_t kFirstAddressTrack = 2;

// Whether a loop is part of no address: neither an index nor a coordinate with a policy varies with
// it.
inline bool is_unaddressed(const NestLoop& loop) {
  for (std::size_t s = kFirstAddressTrack; s < loop.strides.size(); ++s)
    if (loop.strides[s] != 0) return false;
  return true;
}

// Whether a track continues evenly from the end of `inner` to the next counter of `outer`, the
// loop around it.
inline bool goes_on(const NestLoop& outer, const NestLoop& inner, std::size_t track) {
  std::int64_t end = 0;
  return !__builtin_mul_overflow(inner.strides[track], inner.extent, &end) &&
         outer.strides[track] == end;
}

// The change of a track from each point of a nest to the next. The nest has at least one loop.
// Returns nothing if the changes differ.
inline std::optional<std::int64_t> even_step(const LoopNest& nest, std::size_t track) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (!goes_on(nest[l], nest[l + 1], track)) return std::nullopt;
  return nest.back().strides[track];
}

// The number of points. The product of the extents must fit in 63 bits.
inline std::int64_t point_count(const LoopNest& nest) {
  std::int64_t points = 1;
  for (const NestLoop& loop : nest) points *= loop.extent;
  return points;
}

// The ways to run a plan, each with the parameters that no other way needs. Only choose_ways.cc
// makes them; docs/design/execution.md describes each and when it serves a run.

struct LoweredPlan;

// There are no points; only the start of a scatter is copied.
struct NoPoints {};

// The direct row of point number p of the addressed nest is at p * direct_step, and its index of
// axis a is p * index_steps[a] bytes after the term's first one. offsets[p] is its offset without
// its indices.
struct EvenPoints {
  std::int64_t direct_step = 0;
  std::vector<std::int64_t> index_steps;
  std::vector<std::uint32_t> offsets;
};

// All points as one block on the calling thread, without walking the loops.
struct SmallBlock {
  EvenPoints points;
};

// Runs `rows`, which moves all lanes of an index row as one row. Its index tensor is dense and
// holds one index for each index row of this plan. `nest` has the points of the index rows in this
// plan's own tracks.
struct ConstantRows {
  std::shared_ptr<const LoweredPlan> rows;
  LoopNest nest;
};

// Computes the offsets of up to `chunk` points at a time and uses them for all points of the shared
// loops. `fetched`: the bytes that the next shared point addresses and that are prefetched
// meanwhile; 0: none. `copies`: if above 1, the offsets of all points fit in a chunk and are
// written side by side for this number of points of the innermost shared loop. `look_up`: the
// kernel that takes single elements at the offsets as if these were indices, all of which lie in a
// table that fits in registers; kCount: the plan's kernel moves them.
struct SharedOffsets {
  std::int64_t chunk = 0;
  std::int64_t fetched = 0;
  std::int64_t copies = 1;
  Kernel look_up = Kernel::kCount;
};

// Tiles of `tile` lanes of the innermost loop. Each passes through all outer loops, with the cells
// that it may address copied side by side to scratch. `around` has the loops outside of rows and
// lanes, at least one. The cells of all tiles have `cell_bytes` bytes. `stream`: whether the
// written side is written with non-temporal stores.
struct PackedLanes {
  std::int64_t tile = 0;
  LoopNest around;
  std::int64_t cell_bytes = 0;
  bool stream = false;
};

// Takes single elements straight from their plain indices, one index or tuple for each. `job` has
// what all runs of the kernel `take` have in common: also whether they use non-temporal stores.
struct StraightTakes {
  Kernel take = Kernel::kCount;
  TakeRun job;
};

// Straight takes along the plan's flat runs, each of which has a table of its own.
struct FlatTakes {
  Kernel take = Kernel::kCount;
  TakeRun job;
};

// The cells of each counter of the first loop lie in a piece of `bytes` bytes of the output. About
// `at_once` pieces are copied at a time, then scattered into. An output of at least `stream_from`
// bytes is written with non-temporal stores, and has its pieces made in scratch.
struct Pieces {
  std::int64_t bytes = 0;
  std::int64_t at_once = 1;
  std::int64_t stream_from = 0;
};

// Ranges of the points, divided between two cells, for updates in the order of their cells.
struct SortedRanges {};

// Distributes the updates over buckets of at most `bytes` bytes of the output. `forced`: whatever
// the number of tasks, and even if a loop or a row could be divided.
struct Buckets {
  std::int64_t bytes = 0;
  bool forced = false;
};

// Copies elements without indices, grid by grid. A grid has the loops `rows` and `elements`;
// `around` has the others, at least one. Together they are the plan's loops in the order that suits
// the steps of both sides.
struct GridCopies {
  Kernel copy = Kernel::kCount;
  LoopNest around;
  NestLoop rows;
  NestLoop elements;
};

// Parts of the addressed nest, block by block. `cuts_cells`: whether the tasks of a scatter of
// which no loop and no row can be cut each keep a range of the cells, and read all indices for it.
struct Boxes {
  bool cuts_cells = true;
};

using Way =
    std::variant<NoPoints, SmallBlock, ConstantRows, SharedOffsets, PackedLanes, StraightTakes,
                 FlatTakes, Pieces, SortedRanges, Buckets, GridCopies, Boxes>;

// The first way of a type among candidates; null if there is none.
template <class OneWay>
const OneWay* find_way(const std::vector<Way>& ways) {
  for (const Way& way : ways)
    if (const auto* found = std::get_if<OneWay>(&way)) return found;
  return nullptr;
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_WAYS_H_
