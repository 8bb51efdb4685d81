#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "src/execute/find_duplicates.h"
#include "src/execute/mean.h"
#include "src/execute/outcome.h"
#include "src/execute/run_plan.h"
#include "src/execute/scan_indices.h"
#include "src/execute/sorted_cells.h"
#include "src/execute/way_runners.h"
#include "src/operators/check_run.h"
#include "src/operators/dense_copies.h"
#include "src/operators/packed.h"
#include "src/operators/plan_state.h"
#include "src/pooling/bag_bounds.h"
#include "src/pooling/fold_bags.h"
#include "src/pooling/take_quantised.h"
#include "src/pooling/walk_beams.h"

namespace windrow::internal {
namespace {

// The tensors of a run as its kernels see them: bytes for packed types.
struct ByteTensors {
  std::span<const TensorView> inputs;
  const MutableTensorView& out;
};

std::byte* writable(const void* data) { return static_cast<std::byte*>(const_cast<void*>(data)); }

// The address at which an operation begins to read an input: an element of its only axis, or the
// first element.
const void* start_of(const TensorView& input, std::int64_t element) {
  if (element <= 0) return input.data;
  return static_cast<const std::byte*>(input.data) + element * input.strides[0];
}

// The passes of a run whose tensors have been checked.
class Passes {
 public:
  Passes(const PlanState& state, const ByteTensors& tensors, const LoweredOperation& lowered,
         const RunFacts& facts, const RunOptions& options)
      : state_(state), tensors_(tensors), lowered_(lowered), facts_(facts), options_(options) {
    if (options.interrupt != nullptr) interruption_.emplace(*options.interrupt);
    for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
      indices_[i] = static_cast<const std::byte*>(tensors.inputs[i].data);
  }

  // After an interruption passes end early, and their results mean nothing.
  Status run() {
    const LoweredPlan& main = lowered_.main;
    // Without points no kernel of a gather sees the indices.
    Status status = state_.operation.scatter      ? scatter()
                    : state_.operation.bags       ? fold_all_bags()
                    : state_.operation.beams      ? walk_all_beams()
                    : state_.operation.dequantise ? take_all_quantised()
                    : main.points == 0            ? describe_illegal()
                                       : run_points(main, tensors_.out.data, data().data, nullptr,
                                                    options_.fresh_output);
    if (is_interrupted()) return interrupted(state_);
    return status;
  }

 private:
  Status scatter() {
    const bool in_place = facts_.in_place;
    if (Status status = check_indices(); !status) return status;
    Tensor updates_of_cell;
    if (lowered_.count) {
      auto zeros = Tensor::zeros(count_type(state_.byte_operation()), lowered_.counts);
      if (!zeros) return out_of_memory(state_);
      updates_of_cell = *std::move(zeros);
    }
    const bool main_copies = !in_place && copies_with_main();
    if (!in_place && !main_copies) {
      if (Status status = fill_output(); !status) return status;
    }
    const Operation& operation = state_.byte_operation();
    if (lowered_.fill) {
      const auto first = operation.data_input < 0 ? &identity_cell : &neutral_cell;
      const CellBytes start = first(lowered_.main.fold, operation.dtype);
      if (Status status = run_points(*lowered_.fill, start.data(), tensors_.out.data); !status)
        return status;
    }
    const auto updates = static_cast<std::size_t>(operation.updates_input);
    const void* taken = start_of(tensors_.inputs[updates], operation.updates_element);
    const void* start = main_copies ? data().data : nullptr;
    const bool fresh = main_copies && options_.fresh_output;
    if (Status status = run_points(lowered_.main, taken, tensors_.out.data, start, fresh); !status)
      return status;
    return lowered_.count ? finish_mean(updates_of_cell) : Status();
  }

  Status fold_all_bags() {
    const Operation& operation = state_.byte_operation();
    const auto bounds = BagBounds::read(operation, tensors_.inputs, options_.listed_indices);
    if (!bounds)
      return bounds.error().code() == ErrorCode::kOutOfMemory ? out_of_memory(state_)
                                                              : bounds.error();
    // Without cells no kernel sees the indices.
    if (element_count(operation.result_shape) == 0) return describe_illegal();
    return status_of(
        fold_bags({operation, lowered_.main, state_.operation.dtype, state_.kernels->table,
                   tensors_.inputs, tensors_.out, *bounds, options_.threads, interruption()}));
  }

  Status walk_all_beams() {
    return status_of(walk_beams(state_.operation, tensors_.inputs, tensors_.out, options_.threads,
                                interruption()));
  }

  Status take_all_quantised() {
    const Operation& operation = state_.operation;
    // Without elements no kernel sees the indices.
    if (element_count(operation.result_shape) == 0) return describe_illegal();
    return status_of(
        take_quantised({operation, lowered_.main, state_.kernels->table, tensors_.inputs,
                        tensors_.out, options_.threads, interruption()}));
  }

  Interruption* interruption() { return interruption_ ? &*interruption_ : nullptr; }
  bool is_interrupted() const { return interruption_ && interruption_->was_requested(); }

  Status describe_illegal() {
    if (state_.operation.beams)
      return describe_illegal_parents(state_.operation, tensors_.inputs, interruption(),
                                      options_.listed_indices);
    return describe_illegal_indices(state_.byte_operation(), tensors_.inputs, interruption(),
                                    options_.listed_indices);
  }

  const TensorView& data() const {
    return tensors_.inputs[static_cast<std::size_t>(state_.operation.data_input)];
  }

  // Writes the initial value of the output: data, one element of it, or that of untouched cells.
  Status fill_output() {
    if (state_.operation.data_input >= 0)
      return copy_to_output(start_of(data(), state_.operation.data_element));
    return copy_to_output(untouched_cell().data());
  }

  CellBytes untouched_cell() const {
    switch (state_.operation.untouched) {
      case UntouchedCell::kIdentity:
        return identity_cell(lowered_.main.fold, state_.operation.dtype);
      case UntouchedCell::kNeutral:
        return neutral_cell(lowered_.main.fold, state_.operation.dtype);
      case UntouchedCell::kZero:
        break;
    }
    return {};
  }

  Status copy_to_output(const void* from) {
    RunMemory memory{static_cast<std::byte*>(tensors_.out.data), writable(from), {}};
    memory.fresh = options_.fresh_output;
    memory.interruption = interruption();
    return status_of(run_plan(*lowered_.copy, state_.kernels->table, memory, options_.threads, {}));
  }

  // Whether the call is refused before anything is written. Runs of several passes check the
  // indices once before the first pass writes.
  Status check_indices() {
    if (facts_.knowledge.indices_are_checked) return {};
    const Operation& operation = state_.byte_operation();
    if (operation.ascending_input >= 0)
      if (Status status = check_order(operation, tensors_.inputs, interruption()); !status)
        return status;
    const bool several = lowered_.fill || lowered_.count;
    // A small plan reads all indices before it writes.
    const bool scan_first =
        facts_.in_place && !facts_.knowledge.output_may_be_lost && !is_small(lowered_.main);
    if (scan_first || several || operation.refuse_duplicates || lowered_.main.points == 0) {
      if (has_illegal_index(operation, tensors_.inputs, state_.kernels->table, options_.threads,
                            interruption()))
        return describe_illegal();
    }
    Status status;
    if (operation.refuse_duplicates)
      status = find_duplicates(state_.operation, tensors_.inputs, interruption());
    return is_interrupted() ? interrupted(state_) : status;  // nothing has been written yet
  }

  Status finish_mean(Tensor& updates_of_cell) {
    const CellBytes one = {std::byte{1}};
    if (Status status = run_points(*lowered_.count, one.data(), updates_of_cell.data()); !status)
      return status;
    const bool from_data = state_.operation.from_data;
    divide_sums({state_.operation.dtype, tensors_.out, &updates_of_cell, from_data ? 1 : 0},
                options_.threads, interruption());
    return {};
  }

  // Whether the output's initial value is a tensor of the output's own layout, without gaps, which
  // the main pass can copy.
  bool copies_with_main() const {
    const LoweredPlan& copy = *lowered_.copy;
    return state_.operation.data_input >= 0 && state_.operation.data_element < 0 &&
           !lowered_.fill && copy.string_kernel == nullptr && copy.points == 1 &&
           copy.shared_points == 1;
  }

  // `start`: a scatter's data, if this pass copies it; else null. `fresh`: whether the memory that
  // it writes to has never been touched.
  Status run_points(const LoweredPlan& plan, const void* direct, const void* indirect,
                    const void* start = nullptr, bool fresh = false) {
    RunMemory memory{
        writable(direct), writable(indirect), {indices_.data(), tensors_.inputs.size()}};
    memory.fresh = fresh;
    memory.interruption = interruption();
    if (start != nullptr) {
      memory.start = static_cast<const std::byte*>(start);
      memory.start_bytes = lowered_.copy->row_bytes;
    }
    const std::span<std::byte> scratch(static_cast<std::byte*>(options_.scratch),
                                       options_.scratch == nullptr ? 0 : options_.scratch_bytes);
    return status_of(run_plan(plan, state_.kernels->table, memory, options_.threads, scratch));
  }

  Status status_of(RunOutcome outcome) {
    if (is_interrupted()) return interrupted(state_);
    switch (outcome) {
      case RunOutcome::kDone:
        return {};
      case RunOutcome::kInterrupted:
        return interrupted(state_);
      case RunOutcome::kOutOfMemory:
        return out_of_memory(state_);
      case RunOutcome::kNoWay:
        return no_way(state_);
      case RunOutcome::kBadIndex:
        break;
    }
    if (Status status = describe_illegal(); !status || is_interrupted()) return status;
    return indices_changed(state_);
  }

  const PlanState& state_;
  const ByteTensors& tensors_;
  const LoweredOperation& lowered_;
  const RunFacts& facts_;
  const RunOptions& options_;
  std::array<const std::byte*, kMostInputs> indices_{};
  std::optional<Interruption> interruption_;
};

bool has_strides(const TensorView& view, const TensorSpec& spec) {
  if (!spec.strides) return view.is_dense();
  return view.strides == *spec.strides;
}

// Whether the plan was lowered for exactly these strides.
bool fits(const PlanState& state, std::span<const TensorView> inputs,
          const MutableTensorView& out) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].is_absent() && !is_packed(inputs[i].dtype) &&
        !has_strides(inputs[i], state.inputs[i]))
      return false;
  return is_packed(out.dtype) || TensorView(out).is_dense();
}

// Lowers for the layout of a run's tensors: by lower_operation() or lower_as_laid_out().
template <class Lower>
Result<LoweredOperation> lower_for(const PlanState& state, const ByteTensors& tensors,
                                   const Lower& lower) {
  std::array<TensorSpec, kMostInputs> specs;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) specs[i] = tensors.inputs[i].spec();
  return lower(state.byte_operation(), std::span(specs.data(), tensors.inputs.size()),
               tensors.out.strides, state.tuning);
}

// The plan lowered for the layout of a run's tensors, which the next run may have, too.
Result<std::shared_ptr<const LaidOut>> lay_out(const PlanState& state, const ByteTensors& tensors) {
  if (auto latest = state.latest.find(tensors.inputs, tensors.out)) return latest;
  auto lowered = lower_for(state, tensors, lower_operation);
  if (!lowered) return lowered.error();
  auto made = std::make_shared<LaidOut>();
  for (const TensorView& input : tensors.inputs) made->inputs.push_back(input.strides);
  made->out = tensors.out.strides;
  made->lowered = *std::move(lowered);
  state.latest.keep(made);
  return std::shared_ptr<const LaidOut>(std::move(made));
}

Status run_directly(const PlanState& state, const ByteTensors& tensors, const RunFacts& facts,
                    const RunOptions& options) {
  const auto lowered = lower_for(state, tensors, lower_as_laid_out);
  if (!lowered) return lowered.error();
  const Operation& operation = state.byte_operation();
  if (operation.bags && !has_bag_rows(operation, lowered->main)) return out_of_memory(state);
  return Passes(state, tensors, *lowered, facts, options).run();
}

// Runs on dense copies of some inputs. Without memory for them, runs on the inputs as they are.
Status run_on_copies(const PlanState& state, const ByteTensors& tensors,
                     const LoweredOperation& lowered, const RunFacts& facts,
                     const RunOptions& options) {
  const auto bytes = static_cast<std::size_t>(dense_copy_bytes(lowered));
  RunOptions rest = options;
  std::span<std::byte> given;
  if (options.scratch != nullptr && options.scratch_bytes >= bytes) {
    given = {static_cast<std::byte*>(options.scratch), bytes};
    rest.scratch = given.data() + bytes;
    rest.scratch_bytes -= bytes;
  }
  const Scratch scratch(bytes, given);
  if (scratch.is_missing()) return run_directly(state, tensors, facts, options);
  std::array<TensorView, kMostInputs> views;
  std::copy(tensors.inputs.begin(), tensors.inputs.end(), views.begin());
  std::optional<Interruption> interruption;
  if (options.interrupt != nullptr) interruption.emplace(*options.interrupt);
  const RunOutcome outcome =
      make_dense_copies(lowered, state.kernels->table, scratch.data(), options.threads,
                        interruption ? &*interruption : nullptr, views);
  if (interruption && interruption->was_requested()) return interrupted(state);
  if (outcome == RunOutcome::kOutOfMemory) return run_directly(state, tensors, facts, options);
  if (outcome != RunOutcome::kDone) return no_way(state);
  const ByteTensors copied{std::span(views.data(), tensors.inputs.size()), tensors.out};
  return Passes(state, copied, lowered, facts, rest).run();
}

Status run_lowered(const PlanState& state, const ByteTensors& tensors,
                   const LoweredOperation& lowered, const RunFacts& facts,
                   const RunOptions& options) {
  if (!lowered.dense_copies.empty()) return run_on_copies(state, tensors, lowered, facts, options);
  return Passes(state, tensors, lowered, facts, options).run();
}

Status run_bytes(const PlanState& state, const ByteTensors& tensors, const RunFacts& facts,
                 bool fits_plan, const RunOptions& options) {
  if (fits_plan) return run_lowered(state, tensors, state.lowered, facts, options);
  const auto laid_out = lay_out(state, tensors);
  if (!laid_out) return laid_out.error();
  return run_lowered(state, tensors, (*laid_out)->lowered, facts, options);
}

// Runs the plan on bytes for packed tensors: unpacks the tensors that it needs unpacked, runs, and
// packs the result.
Status run_packed(const PlanState& state, std::span<const TensorView> inputs,
                  const MutableTensorView& out, const RunFacts& facts, bool fits_plan,
                  const RunOptions& options) {
  std::array<TensorView, kMostInputs> views;
  std::array<Tensor, kMostInputs> unpacked;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    views[i] = inputs[i];
    if (!is_packed(inputs[i].dtype)) continue;
    if (unpacks_input(state, i)) {
      auto bytes = unpack(inputs[i]);
      if (!bytes) return out_of_memory(state);
      unpacked[i] = *std::move(bytes);
      views[i] = unpacked[i].view();
    } else {
      views[i] = TensorView(DType::kUint8, byte_spec(state, i).shape, inputs[i].data);
    }
  }
  const std::span<const TensorView> bytes(views.data(), inputs.size());
  if (!state.unpacks) {
    const MutableTensorView byte_out =
        is_packed(out.dtype)
            ? MutableTensorView(DType::kUint8, state.byte_operation().result_shape, out.data)
            : out;
    return run_bytes(state, {bytes, byte_out}, facts, fits_plan, options);
  }
  auto result = Tensor::allocate(state.byte_operation().dtype, state.result.shape);
  if (!result) return out_of_memory(state);
  const MutableTensorView byte_out = result->mutable_view();
  RunFacts apart = facts;
  apart.in_place = false;
  if (Status status = run_bytes(state, {bytes, byte_out}, apart, fits_plan, options); !status)
    return status;
  pack(result->view(), out);
  return {};
}

// The run of a call whose tensors have been checked.
Status run_as_checked(const PlanState& state, std::span<const TensorView> inputs,
                      const MutableTensorView& out, const RunFacts& facts, bool fits_plan,
                      const RunOptions& options) {
  if (facts.usual) return run_lowered(state, {inputs, out}, state.lowered, facts, options);
  // Quantised look-ups unpack what they take.
  if (state.operation.dequantise) return run_bytes(state, {inputs, out}, facts, fits_plan, options);
  const bool packed = is_packed(out.dtype) ||
                      std::any_of(inputs.begin(), inputs.end(),
                                  [](const TensorView& input) { return is_packed(input.dtype); });
  return packed ? run_packed(state, inputs, out, facts, fits_plan, options)
                : run_bytes(state, {inputs, out}, facts, fits_plan, options);
}

// Makes the index tensor of the offsets, once they are checked, and runs with it.
Status run_segments(const PlanState& state, std::span<const TensorView> inputs,
                    const MutableTensorView& out, RunFacts& facts, bool fits_plan,
                    const RunOptions& options) {
  const Result<Tensor> ids = segments_by_offsets(state.operation, inputs, options.listed_indices);
  if (!ids)
    return ids.error().code() == ErrorCode::kOutOfMemory ? out_of_memory(state) : ids.error();
  std::array<TensorView, kMostInputs> views;
  std::copy(inputs.begin(), inputs.end(), views.begin());
  const int made = state.operation.map.axes.front().terms.front().input;
  views[static_cast<std::size_t>(made)] = ids->view();
  // No made id is illegal.
  facts.knowledge.indices_are_checked = !state.operation.refuse_duplicates;
  return run_as_checked(state, {views.data(), inputs.size()}, out, facts, fits_plan, options);
}

}  // namespace

Status run_checked(const PlanState& state, std::span<const TensorView> inputs,
                   const MutableTensorView& out, const RunKnowledge& knowledge,
                   const RunOptions& options) {
  RunFacts facts;
  facts.knowledge = knowledge;
  if (Status status = check_run(state, inputs, out, facts); !status) return status;
  const bool fits_plan = facts.usual || fits(state, inputs, out);
  return state.operation.segments ? run_segments(state, inputs, out, facts, fits_plan, options)
                                  : run_as_checked(state, inputs, out, facts, fits_plan, options);
}

}  // namespace windrow::internal
