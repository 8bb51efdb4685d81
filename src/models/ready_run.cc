#include "src/models/ready_run.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/base/memory.h"
#include "src/models/host_ops/convert.h"

namespace windrow::internal {
namespace {

using Kind = ValuePlace::Kind;

bool same_layout(const TensorView& a, const TensorView& b) noexcept {
  if (a.dtype != b.dtype || !(a.shape == b.shape)) return false;
  return is_packed(a.dtype) || a.strides == b.strides;
}

// Whether a view of the same layout has the value that a plan was compiled for.
bool has_value(const TensorView& view, const Tensor& value) noexcept {
  if (view.data == nullptr || view.dtype == DType::kString || !view.is_dense()) return false;
  return std::memcmp(view.data, value.data(), static_cast<std::size_t>(value.byte_count())) == 0;
}

// Whether no index is read from memory that may change from run to run.
bool has_constant_indices(const Program& program, const ValuePlaces& places, std::size_t step) {
  const std::vector<OperatorInput>& inputs = program.steps()[step].op->info.inputs;
  const std::span<const ValueNumber> numbers = program.inputs(step);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kNoValue || inputs[i].type_group == "T") continue;
    if (places.values[numbers[i]].kind != Kind::kConstant) return false;
  }
  return true;
}

// Views of all values that are known so far.
class ValueViews {
 public:
  ValueViews(const Program& program, std::span<const TensorView> given,
             const std::vector<std::shared_ptr<const Tensor>>& defaults)
      : views_(program.value_count()) {
    for (std::size_t i = 0; i < given.size(); ++i)
      if (!given[i].is_absent() || defaults[i] != nullptr)
        views_[program.given()[i].value] = given[i].is_absent() ? defaults[i]->view() : given[i];
    for (const auto& [value, tensor] : program.constants()) views_[value] = tensor->view();
  }
  void set(ValueNumber value, const TensorView& view) {
    if (value != kNoValue) views_[value] = view;
  }
  TensorView operator[](ValueNumber value) const {
    return value == kNoValue ? TensorView() : views_[value];
  }

 private:
  std::vector<TensorView> views_;
};

}  // namespace

ReadyRun::ReadyRun(const Program& program, std::span<const TensorView> given, RanModel ran)
    : program_(program),
      given_(given.begin(), given.end()),
      defaults_(std::move(ran.defaults)),
      notes_(std::move(ran.notes)),
      given_addresses_(given.size()),
      output_addresses_(program.outputs().size()) {
  const std::vector<MutableTensorView> results = result_views(program, given, ran.steps);
  ValuePlaces places = place_values(program, ran.steps, results);
  buffers_ = std::move(places.buffers);
  buffer_addresses_.resize(buffers_.size());
  add_steps(ran, places, results);
}

void ReadyRun::add_steps(RanModel& ran, const ValuePlaces& places,
                         const std::vector<MutableTensorView>& results) {
  ValueViews views(program_, given_, defaults_);
  steps_.resize(ran.steps.size());  // which do not move any more: their addresses are kept
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    ReadyStep& step = steps_[i];
    step.step = &program_.steps()[i];
    step.plan = std::move(ran.steps[i].plan);
    const std::span<const ValueNumber> numbers = program_.inputs(i);
    for (const ValueNumber input : numbers) step.inputs.push_back(views[input]);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (numbers[k] != kNoValue) attach(&step.inputs[k].data, places.values[numbers[k]]);
    step.output = results[i];
    attach(const_cast<const void**>(&step.output.data), places.results[i]);
    step.fresh_output =
        places.results[i].kind == Kind::kOutput && !ran.steps[i].in_place &&
        dense_byte_count(step.output.dtype, step.output.shape).value_or(0) >= kFreshBytes;
    step.knowledge.output_may_be_lost = true;
    step.knowledge.indices_are_checked = step.plan && has_constant_indices(program_, places, i);
    add_values(places, i, std::move(ran.steps[i].values));
    views.set(step.step->output, results[i]);
    step_bytes_ += sizeof(ReadyStep) + step.inputs.size() * sizeof(TensorView);
  }
  add_outputs(places, views);
}

// Constants do not change. Given values are compared before the run, results during it.
void ReadyRun::add_values(const ValuePlaces& places, std::size_t position,
                          std::vector<CompiledValue> values) {
  for (CompiledValue& value : values) {
    const ValuePlace& place = places.values[program_.inputs(position)[value.first]];
    if (place.kind == Kind::kConstant) continue;
    if (place.kind != Kind::kGiven) {
      steps_[position].values.push_back(std::move(value));
    } else if (!given_[place.number].is_absent()) {
      given_values_.emplace_back(place.number, std::move(value.second));
    }
  }
}

template <class Views>
void ReadyRun::add_outputs(const ValuePlaces& places, const Views& views) {
  const std::span<const ValueNumber> numbers = program_.outputs();
  outputs_.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ValuePlace& place = places.values[numbers[i]];
    outputs_.push_back(views[numbers[i]]);
    is_copied_.push_back(place.kind != Kind::kOutput || place.number != i);
    if (is_copied_.back()) attach(&outputs_.back().data, place);
  }
}

// Makes every run store the address of the place at `address`.
void ReadyRun::attach(const void** address, const ValuePlace& place) {
  switch (place.kind) {
    case Kind::kNone:
      return;
    case Kind::kGiven:
      if (!given_[place.number].is_absent()) {
        given_addresses_[place.number].push_back(address);
      } else {
        *address = defaults_[place.number]->data();
      }
      return;
    case Kind::kConstant:
      *address = program_.constants()[place.number].second->data();
      return;
    case Kind::kOutput:
      output_addresses_[place.number].push_back(address);
      return;
    case Kind::kBuffer:
      buffer_addresses_[place.number].push_back(address);
  }
}

bool ReadyRun::fits(std::span<const TensorView* const> given) const noexcept {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (!same_layout(given_[i], *given[i])) return false;
  return std::all_of(given_values_.begin(), given_values_.end(), [&](const CompiledValue& value) {
    return has_value(*given[value.first], *value.second);
  });
}

std::optional<Result<std::vector<Tensor>>> ReadyRun::run(std::span<const TensorView* const> given,
                                                         const RunOptions& options) {
  for (std::size_t i = 0; i < given.size(); ++i)
    for (const void** address : given_addresses_[i]) *address = given[i]->data;
  if (Status status = allocate_buffers(); !status) return status;
  Result<std::vector<Tensor>> outputs = allocate_outputs();
  if (!outputs) return outputs;
  RunOptions step_options = with_scratch(options);
  for (const ReadyStep& step : steps_) {
    for (const CompiledValue& value : step.values)
      if (!has_value(step.inputs[value.first], *value.second)) return std::nullopt;
    if (Status status = run_step(step, step_options); !status)
      return status.with_context("node '" + step.step->node->name + "'");
  }
  return copy_outputs(*std::move(outputs));
}

Status ReadyRun::run_step(const ReadyStep& step, RunOptions& options) {
  if (options.interrupt != nullptr && options.interrupt->requested())
    return {ErrorCode::kInterrupted, "interrupted by the caller"};
  if (!step.plan) return convert_into(step.inputs.front(), step.output);
  options.fresh_output = step.fresh_output;
  return run_known(*step.plan, step.inputs, step.output, step.knowledge, options);
}

Status ReadyRun::allocate_buffers() {
  if (memory_.size() == buffers_.size()) return {};
  memory_.clear();
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const BufferKind& buffer = buffers_[i];
    const Shape bytes = {static_cast<std::int64_t>(buffer.bytes)};
    Result<Tensor> memory = buffer.is_strings ? Tensor::allocate(DType::kString, buffer.strings)
                                              : Tensor::allocate(DType::kUint8, bytes);
    if (!memory) {
      drop_buffers();
      return memory.error();
    }
    for (const void** address : buffer_addresses_[i]) *address = memory->data();
    buffer_bytes_ += static_cast<std::size_t>(memory->byte_count());
    memory_.push_back(*std::move(memory));
  }
  return {};
}

void ReadyRun::drop_buffers() noexcept {
  memory_.clear();
  scratch_ = Tensor();
  scratch_threads_ = 0;
  buffer_bytes_ = 0;
}

Result<std::vector<Tensor>> ReadyRun::allocate_outputs() {
  std::vector<Tensor> outputs(outputs_.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (is_copied_[i]) continue;
    Result<Tensor> tensor = Tensor::allocate(outputs_[i].dtype, outputs_[i].shape);
    if (!tensor) return output_error(i, tensor.error());
    for (const void** address : output_addresses_[i]) *address = tensor->data();
    outputs[i] = *std::move(tensor);
  }
  return outputs;
}

Result<std::vector<Tensor>> ReadyRun::copy_outputs(std::vector<Tensor> outputs) const {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_copied_[i]) continue;
    Result<Tensor> tensor = Tensor::copy_of(outputs_[i]);
    if (!tensor) return output_error(i, tensor.error());
    outputs[i] = *std::move(tensor);
  }
  return outputs;
}

Status ReadyRun::output_error(std::size_t position, const Status& status) const {
  return status.with_context("output '" + program_.model().outputs[position].name + "'");
}

// The options with scratch memory for the step that needs most. If it cannot be allocated, steps
// allocate their own.
RunOptions ReadyRun::with_scratch(const RunOptions& options) {
  RunOptions with = options;
  if (options.scratch != nullptr) return with;
  const int threads = options.threads == nullptr ? 1 : options.threads->count();
  if (threads != scratch_threads_) {
    std::size_t most = 0;
    for (const ReadyStep& step : steps_)
      if (step.plan) most = std::max(most, step.plan->scratch_bytes(threads));
    Result<Tensor> scratch = Tensor::allocate(DType::kUint8, {static_cast<std::int64_t>(most)});
    if (!scratch) return with;
    buffer_bytes_ += most - static_cast<std::size_t>(scratch_.byte_count());
    scratch_ = *std::move(scratch);
    scratch_threads_ = threads;
  }
  with.scratch = scratch_.data();
  with.scratch_bytes = static_cast<std::size_t>(scratch_.byte_count());
  return with;
}

}  // namespace windrow::internal
