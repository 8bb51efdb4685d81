#include "src/models/first_run.h"

#include <algorithm>
#include <set>

#include "src/models/host_ops/convert.h"
#include "src/models/text.h"
#include "src/operators/known_run.h"

namespace windrow::internal {
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
    const Result<std::vector<TensorSpec>> specs = specs_of(step.op->info, inputs);
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

  // The specs of the inputs for compile(), with values for the inputs whose value it needs.
  static Result<std::vector<TensorSpec>> specs_of(const OperatorInfo& info,
                                                  const std::vector<TensorView>& inputs) {
    std::vector<TensorSpec> specs;
    specs.reserve(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      specs.push_back(inputs[i].spec());
      if (i < info.inputs.size() && info.inputs[i].value_at_compile && !inputs[i].is_absent()) {
        Result<Tensor> value = Tensor::copy_of(inputs[i]);
        if (!value) return value.error();
        specs.back().value = std::make_shared<const Tensor>(*std::move(value));
      }
    }
    return specs;
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

}  // namespace windrow::internal
