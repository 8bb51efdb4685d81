#include "src/pooling/fold_bags.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/kernels/reduce/mean.h"
#include "src/plan/loops.h"
#include "src/plan/tuning.h"
#include "src/pooling/row_copy.h"

namespace windrow::internal {
namespace {

// The axes of a tensor behind its first one: a row.
Shape row_shape(const Shape& shape) {
  Shape row;
  row.append(shape, 1, shape.rank());
  return row;
}

std::int64_t row_cells(const Operation& operation) {
  return element_count(row_shape(operation.result_shape)).value_or(0);
}

constexpr auto kFloatBytes = static_cast<std::int64_t>(sizeof(float));

// Room for a row of `bytes`. Returns false if there is no memory.
bool allocate(std::int64_t bytes, Tensor& room) {
  auto memory = Tensor::allocate(DType::kUint8, {std::max<std::int64_t>(bytes, 1)});
  if (!memory) return false;
  room = *std::move(memory);
  return true;
}

// What all tasks of a run share.
class Folding {
 public:
  Folding(const BagRun& run, RunContext& context)
      : run_(run),
        context_(context),
        cell_bytes_(dtype_bits(run.operation.dtype) / 8),
        row_bytes_(row_cells(run.operation) * cell_bytes_),
        row_(row_shape(run.operation.result_shape)),
        dense_(row_major_strides(row_, cell_bytes_)),
        out_strides_(row_shape(run.out.strides)),
        in_float_(run.operation.bags->in_float32),
        fold_(run.kernels.get<Family::kFoldBag>(bag_kernel(run.operation))),
        divide_(run.operation.combine == Combine::kMean && !in_float_ ? find_mean(run.dtype)
                                                                      : nullptr),
        weights_(find_weights()),
        dense_weights_(weights_ != nullptr && weights_->is_dense()),
        is_mean_(run.operation.combine == Combine::kMean),
        is_max_(run.operation.combine == Combine::kMax) {
    for (int axis = 0; axis < row_.rank(); ++axis)
      is_dense_ &= row_[axis] == 1 || out_strides_[axis] == dense_[axis];
    pattern_.row_bytes = row_bytes_;
    pattern_.table = context.cells();
    pattern_.unit = run.plan.unit;
    pattern_.ahead = run.plan.ahead;
    pattern_.narrow_weights = in_float_ && weights_ != nullptr && weights_->dtype == run.dtype;
  }

  std::int64_t work() const {
    return (run_.bounds.samples() + run_.bounds.bags()) * (row_bytes_ + cell_bytes_);
  }

  // Folds the bags [range.low, range.high).
  void fold(const Range& range, bool is_first, bool is_last) const {
    Tensor row;
    Tensor totals;
    if ((!is_dense_ && !allocate(row_bytes_, row)) ||
        (in_float_ && !allocate(row_cells(run_.operation) * kFloatBytes, totals)))
      return context_.outcome.stop(RunOutcome::kOutOfMemory);
    Samples samples(*this, is_first ? 0 : run_.bounds.begin(range.low),
                    is_last ? run_.bounds.samples() : run_.bounds.begin(range.high));
    // Samples in front of the first bag and behind the last one belong to none, but are checked.
    if (is_first && !samples.skip(run_.bounds.begin(range.low))) return;
    for (std::int64_t bag = range.low; bag < range.high; ++bag) {
      std::byte* const place = static_cast<std::byte*>(run_.out.data) + bag * run_.out.strides[0];
      std::byte* const cells = is_dense_ ? place : static_cast<std::byte*>(row.data());
      if (!fold_bag(bag, samples, cells, static_cast<std::byte*>(totals.data()))) return;
      if (!is_dense_) RowCopy(row_, out_strides_, dense_, cell_bytes_).copy(place, cells);
    }
    if (is_last) samples.skip(run_.bounds.samples());
  }

 private:
  // The next samples of a task: their offsets and weights. Offsets are read a block at a time, as
  // soon as fewer are left than the kernel prefetches rows.
  class Samples {
   public:
    Samples(const Folding& folding, std::int64_t first, std::int64_t end)
        : folding_(folding),
          reader_(folding.context_),
          ahead_(folding.run_.plan.ahead),
          next_(first),
          left_(end - first) {
      if (left_ > 0) cursor_.emplace(folding.run_.plan.addressed, first);
    }

    // Passes over the samples before `sample`. Returns false after a bad index.
    bool skip(std::int64_t sample) {
      while (next_ < sample) {
        Bag bag;
        if (!take(sample - next_, bag)) return false;
      }
      return true;
    }

    // Sets the samples of `bag` to the next ones, at most `most` of them.
    bool take(std::int64_t most, Bag& bag) {
      if (filled_ - used_ <= ahead_ && left_ > 0 && !fill()) return false;
      bag.offsets = offsets_ + used_;
      bag.known = filled_ - used_;
      // A part of a bag leaves the offsets that are prefetched behind it.
      const std::int64_t kept = left_ > 0 && bag.known > ahead_ ? ahead_ : 0;
      bag.count = std::min(most, bag.known - kept);
      bag.weights = weights_of(next_, bag.count);
      used_ += bag.count;
      next_ += bag.count;
      return true;
    }

    bool any_outside() const { return any_outside_; }

   private:
    static constexpr std::int64_t kMostOffsets = kMostAhead + kBlockPoints;

    // Moves the offsets that are left, at most `ahead_`, to the front and reads others behind them.
    bool fill() {
      const std::int64_t bytes = read_ * (folding_.row_bytes_ + 8);
      if (folding_.context_.outcome.stopped_after(bytes)) return false;
      if (read_ > 0) cursor_->advance(read_);
      filled_ = std::copy(offsets_ + used_, offsets_ + filled_, offsets_) - offsets_;
      used_ = 0;
      read_ = std::min({kBlockPoints, left_, cursor_->run_length()});
      std::uint64_t* const offsets = offsets_ + filled_;
      const bool wide = folding_.run_.plan.wide_offsets;
      const unsigned flags =
          reader_.read(*cursor_, read_, wide ? static_cast<void*>(offsets) : narrow_);
      if ((flags & kIndexBad) != 0) {
        folding_.context_.outcome.stop(RunOutcome::kBadIndex);
        return false;
      }
      any_outside_ = (any_outside_ && filled_ > 0) || (flags & kIndexOutside) != 0;
      if (!wide) widen(offsets);
      filled_ += read_;
      left_ -= read_;
      return true;
    }

    // Both are locals, and no branch depends on an offset, so that compilers use vectors.
    void widen(std::uint64_t* offsets) const {
      const std::uint32_t* const narrow = narrow_;
      const std::int64_t count = read_;
      for (std::int64_t j = 0; j < count; ++j) {
        const std::uint64_t outside = narrow[j] == kOutside<std::uint32_t> ? 1 : 0;
        offsets[j] = narrow[j] | (0 - outside);
      }
    }

    // The weights of `count` samples, dense, as the kernel takes them; null if there are none.
    const std::byte* weights_of(std::int64_t sample, std::int64_t count) {
      const TensorView* const view = folding_.weights_;
      if (view == nullptr) return nullptr;
      const auto* first = static_cast<const std::byte*>(view->data);
      const std::int64_t bytes = dtype_bits(view->dtype) / 8;
      if (folding_.dense_weights_) return first + sample * bytes;
      const bool is_row = view->shape.rank() == 1;
      const std::int64_t columns = is_row ? 1 : view->shape[1];
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t at = is_row ? (sample + j) * view->strides[0]
                                       : (sample + j) / columns * view->strides[0] +
                                             (sample + j) % columns * view->strides[1];
        std::memcpy(copied_ + j * bytes, first + at, static_cast<std::size_t>(bytes));
      }
      return copied_;
    }

    const Folding& folding_;
    OffsetReader reader_;
    std::optional<NestCursor> cursor_;  // at the block that was read last
    std::int64_t ahead_;                // the prefetch distance, at most kMostAhead
    std::int64_t next_;                 // the sample that take() begins with
    std::int64_t left_;                 // samples whose offsets are not read yet
    std::int64_t read_ = 0;             // the samples of the block that was read last
    std::int64_t used_ = 0;
    std::int64_t filled_ = 0;
    bool any_outside_ = false;
    std::uint64_t offsets_[kMostOffsets];
    std::uint32_t narrow_[kBlockPoints];
    alignas(64) std::byte copied_[kMostOffsets * sizeof(CellBytes)];  // weights
  };

  // Null if there are none.
  const TensorView* find_weights() const {
    const int input = run_.operation.bags->weights_input;
    if (input < 0 || static_cast<std::size_t>(input) >= run_.inputs.size()) return nullptr;
    const TensorView& view = run_.inputs[static_cast<std::size_t>(input)];
    return view.is_absent() ? nullptr : &view;
  }

  // Folds a bag into `cells`, a dense row of the output's type. `totals`: room for a row of float32
  // where the rows are summed in it.
  bool fold_bag(std::int64_t number, Samples& samples, std::byte* cells, std::byte* totals) const {
    std::int64_t left = run_.bounds.begin(number + 1) - run_.bounds.begin(number);
    if (left == 0) {
      fill_empty(cells);
      return !context_.outcome.stopped_after(row_bytes_);
    }
    std::int64_t summands = 0;
    Bag bag = pattern_;
    bag.out = in_float_ ? totals : cells;
    if (is_max_) {
      fill_lowest(cells);
      bag.starts = false;
    }
    for (; left > 0; left -= bag.count) {
      if (!samples.take(left, bag)) return false;
      summands += bag.count - (samples.any_outside() ? outside(bag) : 0);
      if (in_float_ && left == bag.count) {
        bag.rounded = cells;
        if (is_mean_ && summands > 0) bag.divisor = static_cast<float>(summands);
      }
      fold_(bag);
      bag.starts = false;
    }
    if (divide_ != nullptr && summands > 0) divide(cells, summands);
    if (is_max_ && summands == 0) std::memset(cells, 0, static_cast<std::size_t>(row_bytes_));
    return true;
  }

  // What a maximum starts with.
  void fill_lowest(std::byte* cells) const {
    const CellBytes lowest = identity_cell(Fold::kMax, run_.dtype);
    for (std::int64_t at = 0; at < row_bytes_; at += cell_bytes_)
      std::memcpy(cells + at, lowest.data(), static_cast<std::size_t>(cell_bytes_));
  }

  static std::int64_t outside(const Bag& bag) {
    return std::count(bag.offsets, bag.offsets + bag.count, kOutside<std::uint64_t>);
  }

  void divide(std::byte* sums, std::int64_t summands) const {
    MeanRun mean;
    mean.cells = sums;
    mean.step = cell_bytes_;
    mean.count = row_bytes_ / cell_bytes_;
    const auto updates = static_cast<std::uint64_t>(summands);
    mean.updates = &updates;
    mean.wide = true;
    mean.same_updates = true;
    divide_(mean);
  }

  // A row of data, or zeros.
  void fill_empty(std::byte* sums) const {
    if (!run_.bounds.default_row()) {
      std::memset(sums, 0, static_cast<std::size_t>(row_bytes_));
      return;
    }
    const TensorView& data = run_.inputs[static_cast<std::size_t>(run_.operation.data_input)];
    const std::byte* row =
        static_cast<const std::byte*>(data.data) + *run_.bounds.default_row() * data.strides[0];
    RowCopy(row_, dense_, row_shape(data.strides), cell_bytes_).copy(sums, row);
  }

  const BagRun& run_;
  RunContext& context_;
  std::int64_t cell_bytes_;
  std::int64_t row_bytes_;
  Shape row_;
  Strides dense_;
  Strides out_strides_;
  bool is_dense_ = true;
  bool in_float_;
  BagFunction fold_;
  MeanFunction divide_;
  const TensorView* weights_;
  bool dense_weights_;
  bool is_mean_;
  bool is_max_;
  Bag pattern_;  // what all bags have in common
};

// The first bag of a task: tasks get about the same number of samples and bags together.
std::int64_t first_bag(const BagBounds& bounds, int tasks, int task) {
  const auto before = [&](std::int64_t bag) {
    return bounds.begin(bag) - bounds.begin(0) + bag;  // rises with the bag
  };
  const std::int64_t wanted = task_range(before(bounds.bags()), tasks, task).low;
  std::int64_t low = 0;
  std::int64_t high = bounds.bags();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (before(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

bool has_bag_rows(const Operation& operation, const LoweredPlan& plan) {
  if (plan.points == 0) return true;
  const std::int64_t row = row_cells(operation) * plan.element_bytes;
  const std::int64_t samples =
      element_count(operation.map.loops).value_or(0) / row_cells(operation);
  return plan.row_bytes == row && plan.points == samples && plan.shared.empty();
}

Kernel bag_kernel(const Operation& operation) noexcept {
  const bool in_float = operation.bags->in_float32;
  return find_kernel({in_float ? Family::kFoldBagInFloat : Family::kFoldBag, 0, operation.dtype,
                      operation.combine == Combine::kMax ? Fold::kMax : Fold::kAdd});
}

void describe_bags(const Operation& operation, const LoweredPlan& plan,
                   PlanDescription& description) {
  describe(plan, description);
  if (description.empty) return;
  description.kernel = kKernelRows[static_cast<std::size_t>(bag_kernel(operation))].name;
  description.streams = false;
  description.thread_share = "a range of the bags each";
}

RunOutcome fold_bags(const BagRun& run) {
  std::array<const std::byte*, kMostInputs> indices{};
  for (std::size_t i = 0; i < run.inputs.size(); ++i)
    indices[i] = static_cast<const std::byte*>(run.inputs[i].data);
  const TensorView& data = run.inputs[static_cast<std::size_t>(run.operation.data_input)];
  RunMemory memory{static_cast<std::byte*>(run.out.data),
                   static_cast<std::byte*>(const_cast<void*>(data.data)),
                   {indices.data(), run.inputs.size()}};
  memory.interruption = run.interruption;
  Outcome outcome(run.interruption);
  RunContext context{run.plan, run.kernels, memory, run.threads, outcome};
  const Folding folding(run, context);
  const int forced = run.threads == nullptr ? 0 : run.plan.forced_tasks;
  const int tasks =
      forced > 0 ? forced : useful_tasks(folding.work(), least_task_bytes(), run.threads);
  parallel_for(tasks, run.threads, [&](int task) {
    const Range range{first_bag(run.bounds, tasks, task), first_bag(run.bounds, tasks, task + 1)};
    folding.fold(range, task == 0, task == tasks - 1);
  });
  return outcome.get();
}

}  // namespace windrow::internal
