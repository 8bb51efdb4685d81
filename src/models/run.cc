#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/node_operator.h"
#include "src/models/node_plans.h"
#include "src/models/numbered_graph.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using internal::kNoValue;
using internal::ValueNumber;

// A value during a run. `owned` is null for what belongs to the caller or the model.
struct Value {
  TensorView view;
  std::shared_ptr<Tensor> owned;
};

// One run of a model: its values by number, each as long as something still reads it.
class ModelRun {
 public:
  ModelRun(const Model& model, const internal::NumberedGraph& graph, const ModelRunOptions& options)
      : model_(model),
        graph_(graph),
        options_(options),
        operators_(model),
        plans_(options.call),
        values_(graph.value_count()),
        last_use_(graph.value_count(), kNever) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      for (const ValueNumber input : graph.inputs(i)) {
        if (input != kNoValue) last_use_[input] = i;
      }
    }
    for (const ValueInfo& output : model.outputs)
      last_use_[graph.find(output.name)] = model.nodes.size();
  }

  // Precondition: check_inputs.
  Status bind(const NamedViews& inputs) {
    for (const auto& [name, view] : inputs) {
      if (!view.is_absent()) give(graph_.find(name), view);
    }
    ValueNumber number = 0;
    for (const auto& [name, constant] : model_.constants) {
      const ValueNumber value = number++;
      if (last_use_[value] == kNever || values_[value] != nullptr) continue;
      const Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
      if (!tensor) return tensor.error().with_context("constant '" + name + "'");
      give(value, (*tensor)->view());
    }
    return {};
  }

  Status run_nodes() {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      const ModelNode& node = model_.nodes[i];
      if (options_.run.interrupt != nullptr && options_.run.interrupt->requested())
        return {ErrorCode::kInterrupted, "interrupted by the caller"};
      Result<Value> value = run_node(node, graph_.inputs(i));
      if (!value) return value.error().with_context("node '" + node.name + "'");
      const ValueNumber output = graph_.outputs(i).front();
      if (output != kNoValue && last_use_[output] != kNever)
        values_[output] = std::make_unique<Value>(*std::move(value));
      for (const ValueNumber input : graph_.inputs(i)) {
        if (input != kNoValue && last_use_[input] == i) values_[input].reset();
      }
    }
    return {};
  }

  Result<NamedTensors> take_outputs() {
    std::vector<Value> found;
    for (const ValueInfo& output : model_.outputs)
      found.push_back(*values_[graph_.find(output.name)]);
    values_.clear();
    NamedTensors outputs;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Value value = std::move(found[i]);
      // Shared, if another output is the same value.
      const bool is_own = value.owned != nullptr && value.owned.use_count() == 1;
      Result<Tensor> tensor = is_own ? std::move(*value.owned) : Tensor::copy_of(value.view);
      if (!tensor) return tensor.error().with_context("output '" + model_.outputs[i].name + "'");
      outputs.emplace_back(model_.outputs[i].name, *std::move(tensor));
    }
    return outputs;
  }

 private:
  static Result<Value> own(Result<Tensor> tensor) {
    if (!tensor) return tensor.error();
    auto owned = std::make_shared<Tensor>(*std::move(tensor));
    const TensorView view = owned->view();
    return Value{view, std::move(owned)};
  }

  void give(ValueNumber value, const TensorView& view) {
    values_[value] = std::make_unique<Value>(Value{view, nullptr});
  }

  Result<Value> run_node(const ModelNode& node, std::span<const ValueNumber> inputs) {
    if (internal::is_constant(node)) return run_constant(node);
    if (internal::is_identity(node)) {
      if (Status status = internal::check_arity(node, 1, 1); !status) return status;
      return *values_[inputs.front()];
    }
    if (internal::is_convert(model_, node)) {
      if (Status status = internal::check_arity(node, 1, 1); !status) return status;
      const Result<DType> type = internal::convert_type(node);
      if (!type) return type.error();
      return own(internal::convert(values_[inputs.front()]->view, *type));
    }
    return run_operator(node, inputs);
  }

  Result<Value> run_constant(const ModelNode& node) {
    if (Status status = internal::check_arity(node, 0, 1); !status) return status;
    const Result<int> opset = internal::opset_of(model_, node.domain);
    if (!opset) return opset.error();
    const Result<std::shared_ptr<const Tensor>> value = internal::constant_value(node, *opset);
    if (!value) return value.error();
    constants_.push_back(*value);
    return Value{(*value)->view(), nullptr};
  }

  Result<Value> run_operator(const ModelNode& node, std::span<const ValueNumber> numbers) {
    const Result<const internal::NodeOperator*> op = operators_.find(node);
    if (!op) return op.error();
    std::vector<TensorView> inputs;
    inputs.reserve(numbers.size());
    for (const ValueNumber input : numbers)
      inputs.push_back(input == kNoValue ? TensorView() : values_[input]->view);
    if (options_.reference)
      return own(call_reference((*op)->id, node.attributes, inputs, options_.call));
    const Result<std::vector<TensorSpec>> specs = specs_of((*op)->info, inputs);
    if (!specs) return specs.error();
    const Result<Plan>& plan = plans_.find(**op, node.attributes, *specs);
    if (!plan) return plan.error();
    report(node, plan->notes());
    return own(plan->run(inputs, options_.run));
  }

  // What compile is told of the inputs: with the value of those whose value it needs.
  static Result<std::vector<TensorSpec>> specs_of(const OperatorInfo& info,
                                                  const std::vector<TensorView>& inputs) {
    std::vector<TensorSpec> specs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      TensorSpec spec = inputs[i].spec();
      if (i < info.inputs.size() && info.inputs[i].value_at_compile && !inputs[i].is_absent()) {
        Result<Tensor> value = Tensor::copy_of(inputs[i]);
        if (!value) return value.error();
        spec.value = std::make_shared<const Tensor>(*std::move(value));
      }
      specs.push_back(std::move(spec));
    }
    return specs;
  }

  void report(const ModelNode& node, std::span<const std::string> notes) {
    for (const std::string& note : notes) {
      const bool is_new = notes_.insert(note).second;
      if (is_new && options_.on_note) options_.on_note("node '" + node.name + "': " + note);
    }
  }

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  const Model& model_;
  const internal::NumberedGraph& graph_;
  const ModelRunOptions& options_;
  internal::NodeOperators operators_;
  internal::NodePlans plans_;
  std::vector<std::unique_ptr<Value>> values_;
  std::vector<std::size_t> last_use_;  // the last node that reads a value; for outputs, beyond them
  std::vector<std::shared_ptr<const Tensor>> constants_;  // of Constant nodes
  std::set<std::string> notes_;
};

// How many operators a message names.
constexpr std::size_t kShownOperators = 20;

Status check_supported(const Model& model) {
  const std::vector<std::string> unsupported = model.unsupported();
  if (unsupported.empty()) return {};
  std::string text = "the model has operators that can't run here: ";
  for (std::size_t i = 0; i < unsupported.size() && i < kShownOperators; ++i)
    text += (i == 0 ? "" : "; ") + unsupported[i];
  if (unsupported.size() > kShownOperators)
    text += "; and " + std::to_string(unsupported.size() - kShownOperators) + " more";
  return {ErrorCode::kUnsupported, text + "; a gather or scatter node can run alone, by its name"};
}

// A constant that can't be represented does no harm as long as nothing reads it.
Status check_constants(const Model& model, const NamedViews& given) {
  if (model.opaque_constants.empty()) return {};
  std::set<std::string_view> read;
  for (const ModelNode& node : model.nodes) read.insert(node.inputs.begin(), node.inputs.end());
  for (const ValueInfo& output : model.outputs) read.insert(output.name);
  for (const auto& [name, why] : model.opaque_constants) {
    if (read.contains(name) && !given.contains(name))
      return {ErrorCode::kUnsupported, "the constant '" + name + "' can't be used here: " + why};
  }
  return {};
}

}  // namespace

Result<NamedTensors> Model::run(const NamedViews& given, const ModelRunOptions& options) const {
  const Result<internal::NumberedGraph> graph = internal::NumberedGraph::of(*this);
  if (!graph) return graph.error();
  if (Status status = check_supported(*this); !status) return status;
  const Result<NamedViews> inputs = internal::with_value_names(*this, given);
  if (!inputs) return inputs.error();
  if (Status status = internal::check_inputs(*this, *inputs); !status) return status;
  if (Status status = check_constants(*this, *inputs); !status) return status;
  ModelRun run(*this, *graph, options);
  if (Status status = run.bind(*inputs); !status) return status;
  if (Status status = run.run_nodes(); !status) return status;
  return run.take_outputs();
}

}  // namespace windrow
