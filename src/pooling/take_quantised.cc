#include "src/pooling/take_quantised.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/plan/tuning.h"
#include "src/pooling/quantised_table.h"
#include "src/pooling/row_copy.h"

namespace windrow::internal {
namespace {

// How many rows a row is fetched before it is read.
constexpr std::int64_t kRowsAhead = 4;

int row_axes(const Operation& operation) {
  return static_cast<int>(operation.map.axes.size()) - 1 - operation.dequantise->gather_axis;
}

Kernel kernel_of(const Operation& operation) {
  return find_kernel({Family::kDequantise, 0, operation.dequantise->dtype});
}

std::int64_t row_count(const LoweredPlan& rows) { return rows.shared_points * rows.points; }

// The part of a shape or of strides that belongs to a row, or to what is in front of it.
Dims part(const Dims& dims, int from, int to) {
  Dims result;
  result.append(dims, from, to);
  return result;
}

// Where the rows of an output are.
class OutputRows {
 public:
  OutputRows(const MutableTensorView& out, int row_axes)
      : first_(static_cast<std::byte*>(out.data)),
        cell_bytes_(dtype_bits(out.dtype) / 8),
        outer_(part(out.shape, 0, out.shape.rank() - row_axes)),
        outer_strides_(part(out.strides, 0, out.shape.rank() - row_axes)),
        row_(part(out.shape, outer_.rank(), out.shape.rank())),
        row_bytes_(element_count(row_).value_or(0) * cell_bytes_),
        is_dense_(TensorView(out).is_dense()),
        spread_(row_, part(out.strides, outer_.rank(), out.shape.rank()),
                row_major_strides(row_, cell_bytes_), cell_bytes_) {}

  bool is_dense() const { return is_dense_; }
  std::int64_t row_bytes() const { return row_bytes_; }
  std::int64_t cell_bytes() const { return cell_bytes_; }

  std::byte* place(std::int64_t row) const {
    if (is_dense_) return first_ + row * row_bytes_;
    std::byte* place = first_;
    for (int axis = outer_.rank() - 1; axis >= 0; --axis) {
      place += row % outer_[axis] * outer_strides_[axis];
      row /= outer_[axis];
    }
    return place;
  }
  void spread(std::byte* place, const std::byte* dense) const { spread_.copy(place, dense); }

 private:
  std::byte* first_;
  std::int64_t cell_bytes_;
  Shape outer_;
  Strides outer_strides_;
  Shape row_;
  std::int64_t row_bytes_;
  bool is_dense_;
  RowCopy spread_;
};

// What all tasks of a run share.
class Taking {
 public:
  Taking(const QuantisedRun& run, const QuantisedTable& table, RunContext& context)
      : rows_(run.rows),
        table_(table),
        context_(context),
        out_(run.out, row_axes(run.operation)),
        dequantise_(run.kernels.get<Family::kDequantise>(kernel_of(run.operation))) {}

  // Takes the rows [range.low, range.high) of the result.
  void take(const Range& range) const {
    std::optional<Tensor> row;
    if (!out_.is_dense()) {
      auto memory = Tensor::allocate(DType::kUint8, {std::max<std::int64_t>(out_.row_bytes(), 1)});
      if (!memory) return context_.outcome.stop(RunOutcome::kOutOfMemory);
      row = *std::move(memory);
    }
    std::byte* const dense = row ? static_cast<std::byte*>(row->data()) : nullptr;
    // Each shared point takes all the addressed rows, counted from a row of its own.
    for (std::int64_t at = range.low; at < range.high;) {
      const std::int64_t first = at % rows_.points;
      const std::int64_t count = std::min(rows_.points - first, range.high - at);
      if (!take_addressed({first, count, at, shared_row(at / rows_.points)}, dense)) return;
      at += count;
    }
  }

 private:
  // Addressed points from `first` on.
  struct Points {
    std::int64_t first;
    std::int64_t count;
    std::int64_t at;    // the number of the first one's row in the result
    std::int64_t from;  // the row of the table from which offsets count
  };

  std::int64_t shared_row(std::int64_t point) const {
    if (rows_.shared.empty()) return rows_.indirect_first;
    return NestCursor(rows_.shared, point).position(kIndirectTrack) + rows_.indirect_first;
  }

  bool take_addressed(const Points& points, std::byte* dense) const {
    const OffsetReader reader(context_);
    alignas(64) std::byte offsets[kBlockPoints * sizeof(std::uint64_t)];
    NestCursor cursor(rows_.addressed, points.first);
    std::int64_t at = points.at;
    return for_each_block(cursor, points.count, kBlockPoints, [&](std::int64_t block) {
      if ((reader.read(cursor, block, offsets) & kIndexBad) != 0) {
        context_.outcome.stop(RunOutcome::kBadIndex);
        return false;
      }
      for (std::int64_t j = 0; j < block; ++j) {
        if (j + kRowsAhead < block)
          if (const auto next = row_at(offsets, j + kRowsAhead, points.from)) table_.fetch(*next);
        take_row(row_at(offsets, j, points.from), at + j, dense);
        if (context_.outcome.stopped_after(out_.row_bytes())) return false;
      }
      at += block;
      return true;
    });
  }

  // The number of the row of point j; nothing if it is outside.
  std::optional<std::int64_t> row_at(const std::byte* offsets, std::int64_t j,
                                     std::int64_t from) const {
    std::uint64_t offset = 0;
    if (rows_.wide_offsets) {
      std::memcpy(&offset, offsets + j * 8, 8);
      if (offset == kOutside<std::uint64_t>) return std::nullopt;
    } else {
      std::uint32_t narrow;
      std::memcpy(&narrow, offsets + j * 4, 4);
      if (narrow == kOutside<std::uint32_t>) return std::nullopt;
      offset = narrow;
    }
    return static_cast<std::int64_t>(offset) * rows_.unit + from;
  }

  void take_row(std::optional<std::int64_t> row, std::int64_t number, std::byte* dense) const {
    std::byte* const place = out_.place(number);
    std::byte* const values = dense != nullptr ? dense : place;
    if (row) {
      table_.for_each_line(*row, values, out_.cell_bytes(),
                           [&](const QuantisedLine& line) { dequantise_(line); });
    } else {
      std::memset(values, 0, static_cast<std::size_t>(out_.row_bytes()));
    }
    if (dense != nullptr) out_.spread(place, dense);
  }

  const LoweredPlan& rows_;
  const QuantisedTable& table_;
  RunContext& context_;
  OutputRows out_;
  LineFunction dequantise_;
};

}  // namespace

Result<LoweredPlan> lower_row_numbers(const Operation& operation,
                                      std::span<const TensorSpec> inputs, const Tuning& tuning) {
  Operation rows = operation;
  rows.dtype = DType::kUint8;
  const Shape& loops = operation.map.loops;
  rows.map.loops = part(loops, 0, loops.rank() - row_axes(operation));
  rows.map.axes.resize(static_cast<std::size_t>(operation.dequantise->gather_axis) + 1);
  Shape extents;
  for (const AxisMap& axis : rows.map.axes) extents.push_back(axis.extent);
  Layout layout;
  layout.inputs = inputs;
  layout.direct = Dims::filled(rows.map.loops.rank(), 0);
  layout.indirect = row_major_strides(extents, 1);
  return lower(rows, layout, tuning);
}

RunOutcome take_quantised(const QuantisedRun& run) {
  const Result<QuantisedTable> table = QuantisedTable::open(run.operation, run.inputs);
  if (!table) return RunOutcome::kOutOfMemory;
  std::array<const std::byte*, kMostInputs> indices{};
  for (std::size_t i = 0; i < run.inputs.size(); ++i)
    indices[i] = static_cast<const std::byte*>(run.inputs[i].data);
  RunMemory memory{nullptr, nullptr, {indices.data(), run.inputs.size()}};
  memory.interruption = run.interruption;
  Outcome outcome(run.interruption);
  RunContext context{run.rows, run.kernels, memory, run.threads, outcome};
  const Taking taking(run, *table, context);
  const std::int64_t rows = row_count(run.rows);
  const std::int64_t work =
      element_count(run.out.shape).value_or(0) * dtype_bits(run.out.dtype) / 8;
  const int forced = run.threads == nullptr ? 0 : run.rows.forced_tasks;
  const int tasks = forced > 0 ? forced : useful_tasks(work, least_task_bytes(), run.threads);
  parallel_for(tasks, run.threads, [&](int task) { taking.take(task_range(rows, tasks, task)); });
  return outcome.get();
}

void describe_quantised(const Operation& operation, const LoweredPlan& rows,
                        PlanDescription& description) {
  describe(rows, description);
  if (description.empty) return;
  description.kernel = kKernelRows[static_cast<std::size_t>(kernel_of(operation))].name;
  description.streams = false;
  description.prefetch_rows = kRowsAhead;
  description.row_bytes = 1;
  const int axes = row_axes(operation);
  for (int axis = operation.result_shape.rank() - axes; axis < operation.result_shape.rank();
       ++axis)
    description.row_bytes *= operation.result_shape[axis];
  description.row_bytes *= dtype_bits(operation.dtype) / 8;
  description.moved_bytes = row_count(rows) * description.row_bytes;
  description.thread_share = "a range of the rows each";
}

}  // namespace windrow::internal
