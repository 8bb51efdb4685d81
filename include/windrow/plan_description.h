#ifndef WINDROW_PLAN_DESCRIPTION_H_
#define WINDROW_PLAN_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/shape.h"

namespace windrow {

// The elements of an index tensor as a run reads them.
struct DescribedIndex {
  DType dtype = DType::kAbsent;
  NegativeIndex negative = NegativeIndex::kOutOfRange;
  std::optional<std::int64_t> padding;  // the index that is padding; absent: none is
};

// An axis whose coordinate depends on indices.
struct DescribedAxis {
  std::int64_t extent = 0;
  OutOfRange out_of_range = OutOfRange::kError;
  std::vector<DescribedIndex> indices;  // their sum is the coordinate
  // Whether indices become checked offsets in one pass instead of the general loop.
  bool one_pass = false;
};

// What a run takes, by an estimate and on one thread, if it first copies some inputs.
struct DescribedEstimate {
  std::string copied_first;  // as PlanDescription::copied_first
  double microseconds = 0;
};

// How a plan runs. If the plan has no elements (`empty`), the members from `shared_loops` to
// `index_bytes` keep the default values given here.
struct PlanDescription {
  std::string operator_name;     // "onnx.Gather-13"
  DType dtype = DType::kAbsent;  // the result's
  Shape shape;                   // the result's
  // The access equation in the counters of the loops, outermost first: "output[i0, i1] =
  // data[indices[i0], i1]".
  std::string equation;
  bool unpacks = false;  // packed elements are unpacked to bytes, and the result is packed again
  // The initial value of a scatter's output: "data", which is copied unless the run is in place, or
  // "one value" everywhere. Empty for gathers.
  std::string starts_with;
  // Whether a scatter first writes the neutral value to the cells that it reaches.
  bool writes_neutral = false;
  // Whether a mean counts the updates of each cell and divides at the end.
  bool divides = false;
  // The inputs that are first copied to scratch memory, row-major and without gaps ("data",
  // "indices, updates"; empty: none), and the bytes of these copies.
  std::string copied_first;
  std::int64_t copied_first_bytes = 0;
  // Where an estimate chose the inputs that are copied first: this choice and then the others that
  // were compared. Empty if there was nothing to choose, or if the choice was forced.
  std::vector<DescribedEstimate> estimates;
  // Whether there are no elements: the indices are checked, and nothing is moved.
  bool empty = false;

  std::vector<std::int64_t> shared_loops;  // extents of the loops that reuse the same offsets
  std::vector<std::int64_t> loops;         // extents of the loops around a row
  std::int64_t loops_as_one = 0;           // the number of innermost loops that run as one
  // The points of a tile of the innermost loop, whose cells are first copied side by side, and the
  // bytes of scratch memory that these take. Absent: no tiles.
  std::optional<std::int64_t> tile;
  std::optional<std::int64_t> tile_bytes;
  std::int64_t row_bytes = 0;  // contiguous bytes that one index moves
  std::vector<DescribedAxis> index_axes;
  std::int64_t offset_bits = 0;      // 32 or 64
  std::int64_t offset_unit = 0;      // bytes per unit of an offset
  std::string kernel;                // its name in the kernel table; "strings" for strings
  bool straight = false;             // may go straight from the indices to elements, no offsets
  bool gather_instructions = false;  // may use the machine's, if the kernel set has them
  std::int64_t prefetch_rows = 0;    // prefetch distance of the rows
  bool prefetches_direct =
      false;  // whether the updates, or the rows to be written, are prefetched, too
  // Gathers: whether the result is written with non-temporal stores.
  bool streams = false;
  // A scatter's copy of its data: the bytes that belong to each point of the first loop, if the
  // copy is made piece by piece; the smallest size in bytes that is written with non-temporal
  // stores before updates in any order, and before updates whose cells ascend. Absent: not done.
  std::optional<std::int64_t> piece_bytes;
  std::optional<std::int64_t> stream_from;
  std::optional<std::int64_t> stream_ascending_from;
  // Index rows that hold a single index are moved as rows of this size by this kernel. Absent and
  // empty: rows are not checked for that.
  std::optional<std::int64_t> constant_row_bytes;
  std::string constant_row_kernel;
  bool one_block = false;  // whether all points run as one block on the calling thread
  std::int64_t moved_bytes = 0;
  std::int64_t index_bytes = 0;              // of the index tensors, each element counted once
  std::optional<std::int64_t> most_threads;  // the most that a run can use; absent: any number
  std::string thread_share;  // the share of each of several threads: "a range of the points each"

  std::string kernel_set;  // as of Plan::kernel_set()
};

// The description as readable lines, as Plan::describe() gives them; docs/glossary.md explains the
// terms.
WINDROW_EXPORT std::string to_string(const PlanDescription& plan);

// Calls visit(name, member) for every member in its order, for tools that show or store them. The
// names are those of the members, except for "operator".
template <class Visit>
void visit_fields(const PlanDescription& plan, Visit&& visit) {
  visit("operator", plan.operator_name);
  visit("dtype", plan.dtype);
  visit("shape", plan.shape);
  visit("equation", plan.equation);
  visit("unpacks", plan.unpacks);
  visit("starts_with", plan.starts_with);
  visit("writes_neutral", plan.writes_neutral);
  visit("divides", plan.divides);
  visit("copied_first", plan.copied_first);
  visit("copied_first_bytes", plan.copied_first_bytes);
  visit("estimates", plan.estimates);
  visit("empty", plan.empty);
  visit("shared_loops", plan.shared_loops);
  visit("loops", plan.loops);
  visit("loops_as_one", plan.loops_as_one);
  visit("tile", plan.tile);
  visit("tile_bytes", plan.tile_bytes);
  visit("row_bytes", plan.row_bytes);
  visit("index_axes", plan.index_axes);
  visit("offset_bits", plan.offset_bits);
  visit("offset_unit", plan.offset_unit);
  visit("kernel", plan.kernel);
  visit("straight", plan.straight);
  visit("gather_instructions", plan.gather_instructions);
  visit("prefetch_rows", plan.prefetch_rows);
  visit("prefetches_direct", plan.prefetches_direct);
  visit("streams", plan.streams);
  visit("piece_bytes", plan.piece_bytes);
  visit("stream_from", plan.stream_from);
  visit("stream_ascending_from", plan.stream_ascending_from);
  visit("constant_row_bytes", plan.constant_row_bytes);
  visit("constant_row_kernel", plan.constant_row_kernel);
  visit("one_block", plan.one_block);
  visit("moved_bytes", plan.moved_bytes);
  visit("index_bytes", plan.index_bytes);
  visit("most_threads", plan.most_threads);
  visit("thread_share", plan.thread_share);
  visit("kernel_set", plan.kernel_set);
}

template <class Visit>
void visit_fields(const DescribedAxis& axis, Visit&& visit) {
  visit("extent", axis.extent);
  visit("out_of_range", axis.out_of_range);
  visit("indices", axis.indices);
  visit("one_pass", axis.one_pass);
}

template <class Visit>
void visit_fields(const DescribedEstimate& estimate, Visit&& visit) {
  visit("copied_first", estimate.copied_first);
  visit("microseconds", estimate.microseconds);
}

template <class Visit>
void visit_fields(const DescribedIndex& index, Visit&& visit) {
  visit("dtype", index.dtype);
  visit("negative", index.negative);
  visit("padding", index.padding);
}

}  // namespace windrow

#endif  // WINDROW_PLAN_DESCRIPTION_H_
