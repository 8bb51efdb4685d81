#ifndef WINDROW_PLAN_LOWER_H_
#define WINDROW_PLAN_LOWER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/access/access_map.h"
#include "src/kernels/registry.h"
#include "src/plan/tuning.h"
#include "src/plan/ways.h"
#include "windrow/dtype.h"
#include "windrow/options.h"
#include "windrow/plan_description.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An index tensor's element as a run reads it.
struct AddressTerm {
  int input = 0;
  DType given = DType::kAbsent;  // the type of the tensor
  DType dtype = DType::kAbsent;  // the type as which a run reads it, of the same width
  std::int64_t element_bytes = 0;
  std::size_t track = 0;        // the track of its position, in bytes after first_byte
  std::int64_t first_byte = 0;  // position in the index tensor for the point of all zeros
  bool wraps = false;
  std::optional<IndexRange> legal;  // absent: any index is legal
  // An index that equals it is legal and outside. Absent if no index of the type can be padding.
  std::optional<std::int64_t> padding;
};

// An axis of the indirect tensor whose coordinate depends on indices.
struct AddressAxis {
  std::int64_t extent = 0;
  std::int64_t base = 0;
  std::uint64_t multiplier = 0;  // offset units per coordinate, modulo 2^64
  OutOfRange policy = OutOfRange::kError;
  // Track of the loops' part of the coordinate; 0: no loop takes part.
  std::size_t step_track = 0;
  // Whether the axis has one term, no loops, and a check that the offset kernels do themselves.
  bool fused = false;
  std::vector<AddressTerm> terms;
};

// The innermost loops of a plan as one, where those inside of the first of them have only a few
// points (flatten_runs). A run is one pass through these.
struct FlatRuns {
  std::size_t loops = 1;               // that are one; at least two in a plan
  LoopNest nest;                       // without their part of the indirect track
  std::int64_t length = 1;             // points of a run
  std::uint64_t step = 0;              // offset units from one run to the next
  std::vector<std::uint32_t> pattern;  // offsets from a run's first point on, without indices
  // Whether all points of a run have the indices of its first one; then the tracks of indices and
  // coordinates in `nest` change from run to run, not from point to point, and the pattern has one
  // run.
  bool repeats = false;
};

// An access map lowered for fixed shapes, strides and types. All positions are relative to the
// tensors' first elements.
struct LoweredPlan {
  bool scatter = false;
  DType dtype = DType::kAbsent;
  std::int64_t element_bytes = 0;
  std::int64_t row_bytes = 0;  // bytes of a row, contiguous on both sides

  // The leading loops that are part of no address: the offsets of the addressed nest serve all
  // their points. Strides are in bytes.
  LoopNest shared;
  std::int64_t shared_points = 1;
  // At least one loop. The indirect track is in offset units, the others are in bytes or
  // coordinates.
  LoopNest addressed;
  std::int64_t points = 1;  // of the addressed nest
  std::vector<AddressAxis> axes;
  // Present if a way walks the points along flat runs.
  std::optional<FlatRuns> flat;

  // Offsets are in [0, offset_count) and count `unit` bytes each, from the place `indirect_first`
  // bytes (which may be negative) after the first element of the indirect tensor. `start` is the
  // offset of the point of all zeros, without its indices.
  std::int64_t unit = 1;
  std::uint64_t start = 0;
  std::uint64_t offset_count = 1;
  bool wide_offsets = false;
  std::int64_t offset_bytes() const { return wide_offsets ? 8 : 4; }
  std::int64_t indirect_first = 0;

  Fold fold = Fold::kNone;
  Family family = Family::kCopyRows;
  Kernel kernel = Kernel::kCount;  // kCount: strings, or nothing to do
  StringFunction string_kernel = nullptr;
  // Scatters of single cells: what updates near ones straight from their indices, along the
  // innermost loop, as long as these are suited; kCount: nothing does.
  Kernel straight = Kernel::kCount;

  // The prefetch distance on the indirect side, in rows; at most kMostAhead.
  std::int64_t ahead = 0;
  bool near_cells = false;    // scatters: whether it is into the first-level cache
  bool fetch_direct = false;  // whether the direct side is prefetched, too
  bool stream = false;        // gathers: whether the result is written with non-temporal stores
  // Whether it then is so row by row, if it begins at a multiple of kStreamedBytes; whether it may
  // be so wherever it begins, the end of each row joined with the beginning of the next; whether
  // rows may else be staged: collected, and written in whole cache lines.
  bool streams_rows = false;
  bool joins_rows = false;
  bool stages_rows = false;
  // Whether non-temporal stores, wherever the plan or a way has them, are also used for memory that
  // has never been touched.
  bool stream_fresh = false;
  // Scatters: the smallest start, in bytes, whose copy as a whole uses non-temporal stores, before
  // updates in any order.
  std::int64_t stream_start_from = 0;
  // The same limit before updates whose cells ascend.
  std::int64_t stream_sorted_start_from = 0;

  int forced_tasks = 0;  // the number of tasks on several threads; 0: as the work justifies

  // The candidates, in order. A run takes the first one that serves it; the last one always does.
  std::vector<Way> ways;
};

// Whether a plan runs as one block, which reads all indices before it writes.
inline bool is_small(const LoweredPlan& plan) {
  return std::holds_alternative<SmallBlock>(plan.ways.front());
}

// The name of the plan's kernel in the kernel table; "strings" for strings.
std::string kernel_name(const LoweredPlan& plan);

// Sets the members of a description that do not depend on the way, from `empty` to `index_bytes`.
void describe(const LoweredPlan& plan, PlanDescription& description);

// The memory layout that a plan is lowered for.
struct Layout {
  Strides direct;                      // bytes, one per loop of the access map
  Strides indirect;                    // bytes, one per axis of the access map
  std::span<const TensorSpec> inputs;  // types and strides of the index tensors, by input
};

// Lowers the operation. Errors: kUnsupported if there is no kernel for its reduction (the builders
// refuse such operations earlier), kShape if an address exceeds 63 bits.
Result<LoweredPlan> lower(const Operation& operation, const Layout& layout,
                          const Tuning& tuning = {});

// The plan that copies a tensor of this type and shape: a gather without indices.
Result<LoweredPlan> lower_copy(DType dtype, const Shape& shape, const Strides& to,
                               const Strides& from, const Tuning& tuning = {});

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOWER_H_
