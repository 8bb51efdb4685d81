#ifndef WINDROW_PLAN_LOWERED_PLAN_H_
#define WINDROW_PLAN_LOWERED_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/kernels/registry.h"
#include "src/plan/loop_nest.h"
#include "windrow/dtype.h"
#include "windrow/options.h"
#include "windrow/plan_description.h"

namespace windrow::internal {

// An index tensor's element as a run reads it.
struct AddressTerm {
  int input = 0;
  DType dtype = DType::kAbsent;
  std::int64_t element_bytes = 0;
  std::size_t stream = 0;       // bytes from the index tensor's first element
  std::int64_t first_byte = 0;  // the element that the point of all zeros reads
  bool wraps = false;
  bool checked = false;  // against [low, high]
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// An axis of the indirect tensor whose coordinate depends on indices.
struct AddressAxis {
  std::int64_t extent = 0;
  std::int64_t base = 0;
  std::uint64_t multiplier = 0;  // offset units per coordinate, modulo 2^64
  OutOfRange policy = OutOfRange::kError;
  std::size_t step_stream = 0;  // the loops' part of the coordinate; 0: no loop takes part
  // One term, no loops, and a check that the offset kernels do by themselves.
  bool fused = false;
  std::vector<AddressTerm> terms;
};

// How a plan of few points runs as a single block, without walking its loops (find_small).
struct SmallPlan {
  std::int64_t direct_step = 0;           // bytes from point to point
  std::vector<std::int64_t> index_steps;  // the same in the index tensor of each axis
  std::vector<std::uint32_t> offsets;     // of each point, without its indices
};

// A plan whose innermost loop has a few points only, with its two innermost loops as one
// (flatten_runs): runs are its passes through the innermost loop.
struct FlatRuns {
  LoopNest nest;                       // the loop of both without its part of the indirect stream
  std::int64_t length = 1;             // points of a run
  std::uint64_t step = 0;              // offset units from a run to the next
  std::vector<std::uint32_t> pattern;  // offsets from a run's first point on, without indices
};

// An access map lowered for fixed shapes, strides and types. All positions are relative to the
// tensors' first elements.
struct LoweredPlan {
  bool scatter = false;
  DType dtype = DType::kAbsent;
  std::int64_t element_bytes = 0;
  std::int64_t row_bytes = 0;  // contiguous on both sides

  // Leading loops in no address: the offsets of the addressed nest serve all their points. Strides
  // in bytes.
  LoopNest shared;
  // At least one loop. The indirect stream counts offset units, the others bytes or coordinates.
  LoopNest addressed;
  std::vector<AddressAxis> axes;

  // Offsets: in [0, offset_count), times `unit` bytes, from `indirect_first` bytes before or after
  // the first element of the indirect tensor. `start` is the offset of the point of all zeros
  // without its indices.
  std::int64_t unit = 1;
  std::uint64_t start = 0;
  std::uint64_t offset_count = 1;
  bool wide_offsets = false;
  std::int64_t indirect_first = 0;

  // Runs of a few points: read and moved as longer ones.
  std::optional<FlatRuns> flat;

  // Lanes: the innermost loop runs in tiles of so many points, each through all outer loops. The
  // cells that a tile may address are copied side by side to scratch and, of a scatter, back, so
  // that they stay in a near cache. 0: not tiled.
  std::int64_t tile = 0;
  LoopNest around_tiles;  // tiled: the loops outside of rows and lanes; at least one

  // Rows of the indirect side that are fetched ahead of their use; at most kMostAhead.
  std::int64_t ahead = 0;
  bool fetch_updates = false;  // scatters: the direct side, too
  // Single elements with a plain index or index tuple each: they are taken straight from their
  // indices.
  bool takes_straight = false;
  bool takes_flat = false;  // straight, and along flat runs
  bool gathers = false;     // by gather instructions, where the kernel set has them
  // Tensors of so many bytes are written past the caches; a gather's result is.
  std::int64_t stream_from = 0;
  bool stream = false;
  // Scatters: copies of a start of so many bytes as a whole, before updates in any order, and
  // before updates whose cells ascend.
  std::int64_t stream_start_from = 0;
  std::int64_t stream_sorted_start_from = 0;
  // Scatters: the cells of each counter of the first loop lie in a piece of so many bytes of the
  // output, which is then copied piece by piece; 0: they do not.
  std::int64_t piece_bytes = 0;
  // Scatters: the updates can be put side by side by buckets of the output; forced: they are.
  bool can_use_buckets = false;
  bool forces_buckets = false;
  // Scatters: tasks look whether the cells come in ascending order, for ranges of the points then.
  bool finds_sorted = false;
  // The same points, but all lanes of one index row as one row, for index rows that hold one index
  // only; these indices side by side are its index tensor. Null: no such rows are looked for.
  std::shared_ptr<const LoweredPlan> constant_rows;
  LoopNest index_rows;   // of constant_rows: the points of the rows in this plan's own streams
  int forced_tasks = 0;  // so many tasks where several threads are given; 0: what the work is worth

  Fold fold = Fold::kNone;
  Family family = Family::kCopyRows;
  Kernel kernel = Kernel::kCount;  // kCount: strings, or nothing to do
  StringFunction string_kernel = nullptr;

  std::int64_t shared_points = 1;
  std::int64_t points = 1;  // of the addressed nest

  std::optional<SmallPlan> small;
};

// Sets what a description says of the movement, from `empty` to `index_bytes`.
void describe(const LoweredPlan& plan, PlanDescription& description);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOWERED_PLAN_H_
