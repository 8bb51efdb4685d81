#include "src/models/ready_run.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "src/models/host_ops/host_ops.h"
#include "src/models/value_info.h"
#include "src/operators/known_run.h"
#include "src/operators/left_out.h"

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
    if (numbers[i] == kNoValue || !inputs[i].holds_indices()) continue;
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
    if (places.results[i].kind == Kind::kOutput && !ran.steps[i].in_place &&
        dense_byte_count(step.output.dtype, step.output.shape).value_or(0) >= kFreshBytes)
      step.fresh_output = places.results[i].number;
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
  const std::span<const ValueNumber> numbers = program_.inputs(position);
  for (CompiledValue& value : values) {
    if (value.first >= numbers.size() || numbers[value.first] == kNoValue) {
      steps_[position].values.push_back(std::move(value));
      continue;
    }
    const ValuePlace& place = places.values[numbers[value.first]];
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
      if (!has_compiled_value(step, value)) return std::nullopt;
    step_options.fresh_output = step.fresh_output && !(*outputs)[*step.fresh_output].is_recycled();
    if (Status status = run_step(step, step_options); !status)
      return status.with_context("node '" + step.step->node->name + "'");
  }
  return copy_outputs(*std::move(outputs));
}

// A value that the node leaves out follows from its ids.
bool ReadyRun::has_compiled_value(const ReadyStep& step, const CompiledValue& value) {
  const bool is_given = value.first < step.inputs.size() && !step.inputs[value.first].is_absent();
  if (is_given) return has_value(step.inputs[value.first], *value.second);
  const int ids = step.step->op->info.inputs[value.first].counted_input;
  return count_by_last_id(step.inputs, ids) == value.second->values<std::int64_t>().front();
}

Status ReadyRun::run_step(const ReadyStep& step, RunOptions& options) {
  if (options.interrupt != nullptr && options.interrupt->requested())
    return {ErrorCode::kInterrupted, "interrupted by the caller"};
  if (!step.plan) return convert_into(step.inputs.front(), step.output);
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

namespace {

// A value during a run. `owned` is null for what belongs to the caller or the model.
struct Value {
  TensorView view;
  std::shared_ptr<Tensor> owned;
};

// Runs a program. Each value is kept as long as something still reads it.
class FirstRun {
 public:
  FirstRun(const Program& program, const FirstRunOptions& options)
      : program_(program), options_(options), values_(program.value_count()) {}

  Status bind(std::span<const TensorView> given) {
    for (const auto& [value, tensor] : program_.constants()) give(value, tensor->view());
    if (options_.record) ran_.defaults.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      const GivenInput& input = program_.given()[i];
      if (!given[i].is_absent()) {
        give(input.value, given[i]);
      } else if (program_.last_use(input.value) != Program::kNever) {
        if (Status status = bind_default(i); !status) return status;
      }
    }
    return {};
  }

  Status run_steps() {
    for (std::size_t i = 0; i < program_.steps().size(); ++i) {
      const Step& step = program_.steps()[i];
      if (options_.run.interrupt != nullptr && options_.run.interrupt->requested())
        return {ErrorCode::kInterrupted, "interrupted by the caller"};
      Result<Tensor> result = run_step(i);
      if (!result) return result.error().with_context("node '" + step.node->name + "'");
      if (step.output != kNoValue && program_.last_use(step.output) != Program::kNever)
        own(step.output, *std::move(result));
      for (const ValueNumber input : program_.inputs(i))
        if (input != kNoValue && program_.last_use(input) == i) values_[input].reset();
    }
    return {};
  }

  Result<RanModel> take() {
    for (std::size_t i = 0; i < program_.outputs().size(); ++i) {
      Value& value = *values_[program_.outputs()[i]];
      const bool is_last = value.owned != nullptr && is_last_output(i);
      Result<Tensor> tensor = is_last ? std::move(*value.owned) : Tensor::copy_of(value.view);
      if (!tensor)
        return tensor.error().with_context("output '" + program_.model().outputs[i].name + "'");
      ran_.outputs.push_back(*std::move(tensor));
    }
    return std::move(ran_);
  }

 private:
  void give(ValueNumber value, const TensorView& view) {
    values_[value] = std::make_unique<Value>(Value{view, nullptr});
  }
  void own(ValueNumber value, Tensor tensor) {
    auto owned = std::make_shared<Tensor>(std::move(tensor));
    values_[value] = std::make_unique<Value>(Value{owned->view(), owned});
  }

  Status bind_default(std::size_t position) {
    const GivenInput& input = program_.given()[position];
    const std::string name(input.name);
    if (input.otherwise == nullptr)
      return unsupported_error("the constant '", name, "' can't be used here: ",
                               (input.unreadable ? *input.unreadable : ""));
    Result<std::shared_ptr<const Tensor>> tensor = input.otherwise->tensor();
    if (!tensor) return tensor.error().with_context("constant '" + name + "'");
    give(input.value, (*tensor)->view());
    defaults_.push_back(*tensor);
    if (options_.record) ran_.defaults[position] = *std::move(tensor);
    return {};
  }

  bool is_last_output(std::size_t position) const {
    const std::span<const ValueNumber> later = program_.outputs().subspan(position + 1);
    return std::find(later.begin(), later.end(), program_.outputs()[position]) == later.end();
  }

  Result<Tensor> run_step(std::size_t position) {
    const Step& step = program_.steps()[position];
    if (options_.record) ran_.steps.emplace_back();
    const std::span<const ValueNumber> numbers = program_.inputs(position);
    if (step.op == nullptr) return convert(values_[numbers.front()]->view, step.converted_to);
    std::vector<TensorView> inputs;
    inputs.reserve(numbers.size());
    for (const ValueNumber input : numbers)
      inputs.push_back(input == kNoValue ? TensorView() : values_[input]->view);
    if (options_.reference)
      return call_reference(step.op->id, step.node->attributes, inputs, options_.call);
    return run_operator(position, inputs);
  }

  Result<Tensor> run_operator(std::size_t position, const std::vector<TensorView>& inputs) {
    const Step& step = program_.steps()[position];
    const Result<std::vector<TensorSpec>> specs = specs_of(step.op->id, inputs);
    if (!specs) return specs.error();
    const Result<Plan> plan = compile(step.op->id, step.node->attributes, *specs, options_.call);
    if (!plan) return plan.error();
    report(step, plan->notes());
    std::shared_ptr<Tensor> written = take_over(position, *plan);
    if (options_.record) {
      RanStep& ran = ran_.steps.back();
      ran.plan = *plan;
      ran.in_place = written != nullptr;
      for (std::size_t i = 0; i < specs->size(); ++i)
        if ((*specs)[i].value != nullptr) ran.values.emplace_back(i, (*specs)[i].value);
    }
    if (written == nullptr) return plan->run(inputs, options_.run);
    const RunKnowledge knowledge{.output_may_be_lost = true};
    Status status = run_known(*plan, inputs, written->mutable_view(), knowledge, options_.run);
    if (!status) return status;
    return std::move(*written);
  }

  // The tensor that the plan may overwrite with its result because nothing else reads it; null if
  // there is none.
  std::shared_ptr<Tensor> take_over(std::size_t position, const Plan& plan) const {
    const std::optional<std::size_t> input = in_place_input(plan);
    if (!input) return nullptr;
    const std::span<const ValueNumber> numbers = program_.inputs(position);
    const ValueNumber value = numbers[*input];
    const auto readers = std::count(numbers.begin(), numbers.end(), value);
    if (program_.last_use(value) != position || readers != 1) return nullptr;
    return values_[value]->owned;
  }

  void report(const Step& step, std::span<const std::string> notes) {
    for (const std::string& note : notes) {
      if (!notes_.insert(note).second) continue;
      const std::string text = "node '" + step.node->name + "': " + note;
      if (options_.on_note) options_.on_note(text);
      if (options_.record) ran_.notes.push_back(text);
    }
  }

  const Program& program_;
  const FirstRunOptions& options_;
  std::vector<std::unique_ptr<Value>> values_;
  std::vector<std::shared_ptr<const Tensor>> defaults_;
  std::set<std::string> notes_;
  RanModel ran_;
};

}  // namespace

Result<RanModel> run_first(const Program& program, std::span<const TensorView> given,
                           const FirstRunOptions& options) {
  FirstRun run(program, options);
  if (Status status = run.bind(given); !status) return status;
  if (Status status = run.run_steps(); !status) return status;
  return run.take();
}

namespace {

using Kind = ValuePlace::Kind;

// Walks the steps and gives each result a buffer as long as something still reads it.
class Placer {
 public:
  Placer(const Program& program, std::span<const RanStep> steps,
         std::span<const MutableTensorView> results)
      : program_(program), steps_(steps), results_(results) {
    places_.values.resize(program.value_count());
    places_.results.resize(steps.size());
  }

  ValuePlaces place() {
    for (std::size_t i = 0; i < program_.given().size(); ++i)
      places_.values[program_.given()[i].value] = {Kind::kGiven, i};
    for (std::size_t i = 0; i < program_.constants().size(); ++i)
      places_.values[program_.constants()[i].first] = {Kind::kConstant, i};
    find_outputs();
    for (std::size_t i = 0; i < steps_.size(); ++i) place_result(i);
    return std::move(places_);
  }

 private:
  // Goes backwards, since the result that overwrites an input decides where that input must be.
  void find_outputs() {
    output_of_.assign(program_.value_count(), kNone);
    for (std::size_t i = program_.outputs().size(); i-- > 0;) output_of_[program_.outputs()[i]] = i;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const ValueNumber result = program_.steps()[i].output;
      if (steps_[i].in_place && result != kNoValue) output_of_[overwritten(i)] = output_of_[result];
    }
  }

  ValueNumber overwritten(std::size_t step) const {
    return program_.inputs(step)[*in_place_input(*steps_[step].plan)];
  }

  void place_result(std::size_t step) {
    const ValueNumber result = program_.steps()[step].output;
    const bool is_read = result != kNoValue && program_.last_use(result) != Program::kNever;
    ValuePlace place;
    if (steps_[step].in_place) {
      place = places_.values[overwritten(step)];
    } else if (is_read && output_of_[result] != kNone) {
      place = {Kind::kOutput, output_of_[result]};
    } else {
      place = {Kind::kBuffer, take_buffer(results_[step])};
    }
    places_.results[step] = place;
    if (is_read) places_.values[result] = place;
    for (const ValueNumber input : program_.inputs(step))
      if (input != kNoValue && program_.last_use(input) == step) give_back(input, place);
    if (!is_read && place.kind == Kind::kBuffer) free(place.number);
  }

  std::size_t take_buffer(const MutableTensorView& result) {
    if (result.dtype == DType::kString) {
      places_.buffers.push_back({0, result.shape, true});
      return places_.buffers.size() - 1;
    }
    const auto bytes =
        static_cast<std::size_t>(dense_byte_count(result.dtype, result.shape).value_or(0));
    // Takes the smallest free buffer that is large enough, else the largest, which grows.
    auto found = free_.lower_bound(bytes);
    if (found == free_.end() && !free_.empty()) found = std::prev(free_.end());
    if (found == free_.end()) {
      places_.buffers.push_back({bytes, {}, false});
      return places_.buffers.size() - 1;
    }
    const std::size_t number = found->second;
    free_.erase(found);
    std::size_t& capacity = places_.buffers[number].bytes;
    capacity = std::max(capacity, bytes);
    return number;
  }

  // Frees a value's buffer after the last step that reads the value, once, however often the step
  // reads it. `kept` is where the step's result is.
  void give_back(ValueNumber value, const ValuePlace& kept) {
    ValuePlace& place = places_.values[value];
    const bool is_kept = place.kind == kept.kind && place.number == kept.number;
    if (place.kind == Kind::kBuffer && !is_kept && !is_freed_[value]) free(place.number);
    is_freed_[value] = true;
  }

  void free(std::size_t number) {
    const BufferKind& buffer = places_.buffers[number];
    if (!buffer.is_strings) free_.emplace(buffer.bytes, number);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Program& program_;
  std::span<const RanStep> steps_;
  std::span<const MutableTensorView> results_;
  std::vector<std::size_t> output_of_;  // by value: the first output that it is
  std::vector<bool> is_freed_ = std::vector<bool>(program_.value_count());
  std::multimap<std::size_t, std::size_t> free_;  // by bytes
  ValuePlaces places_;
};

}  // namespace

std::vector<MutableTensorView> result_views(const Program& program,
                                            std::span<const TensorView> given,
                                            std::span<const RanStep> steps) {
  // Only conversions take their shape from their input.
  std::vector<const Shape*> shapes(program.value_count());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const GivenInput& input = program.given()[i];
    if (!given[i].is_absent()) {
      shapes[input.value] = &given[i].shape;
    } else if (input.otherwise != nullptr) {
      shapes[input.value] = &input.otherwise->shape();
    }
  }
  std::vector<MutableTensorView> results;
  results.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = program.steps()[i];
    if (steps[i].plan) {
      results.emplace_back(steps[i].plan->result().dtype, steps[i].plan->result().shape, nullptr);
    } else {
      results.emplace_back(step.converted_to, *shapes[program.inputs(i).front()], nullptr);
    }
    if (step.output != kNoValue) shapes[step.output] = &results.back().shape;
  }
  return results;
}

ValuePlaces place_values(const Program& program, std::span<const RanStep> steps,
                         std::span<const MutableTensorView> results) {
  return Placer(program, steps, results).place();
}

}  // namespace windrow::internal
