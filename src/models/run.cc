#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/check_graph.h"
#include "src/models/check_inputs.h"
#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/node_operator.h"
#include "windrow/models.h"

namespace windrow {
namespace {

// A value during a run. `owned` is null for what belongs to the caller or the model.
struct Value {
  TensorView view;
  std::shared_ptr<Tensor> owned;
};

// One run of a model: its values by name, each as long as something still reads it.
class ModelRun {
 public:
  ModelRun(const Model& model, const ModelRunOptions& options) : model_(model), options_(options) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      for (const std::string& name : model.nodes[i].inputs) last_use_[name] = i;
    }
    for (const ValueInfo& output : model.outputs) last_use_[output.name] = model.nodes.size();
  }

  // Precondition: check_inputs.
  void bind(const NamedViews& inputs) {
    for (const auto& [name, tensor] : model_.constants) values_[name] = {tensor->view(), nullptr};
    for (const auto& [name, view] : inputs) {
      if (!view.is_absent()) values_[name] = {view, nullptr};
    }
  }

  Status run_nodes() {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      const ModelNode& node = model_.nodes[i];
      Result<Value> value = run_node(node);
      if (!value) return value.error().with_context("node '" + node.name + "'");
      values_[node.outputs.front()] = *std::move(value);
      release(node, i);
    }
    return {};
  }

  Result<NamedTensors> take_outputs() {
    std::vector<Value> found;
    for (const ValueInfo& output : model_.outputs) found.push_back(values_[output.name]);
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

  Result<Value> run_node(const ModelNode& node) {
    if (internal::is_constant(node)) {
      if (Status status = internal::check_arity(node, 0, 1); !status) return status;
      const Result<int> opset = internal::opset_of(model_, node.domain);
      if (!opset) return opset.error();
      return own(internal::constant_value(node, *opset));
    }
    if (internal::is_identity(node)) {
      if (Status status = internal::check_arity(node, 1, 1); !status) return status;
      return values_[node.inputs.front()];
    }
    if (internal::is_convert(model_, node)) {
      if (Status status = internal::check_arity(node, 1, 1); !status) return status;
      const Result<DType> type = internal::convert_type(node);
      if (!type) return type.error();
      return own(internal::convert(values_[node.inputs.front()].view, *type));
    }
    return run_operator(node);
  }

  Result<Value> run_operator(const ModelNode& node) {
    const Result<internal::NodeOperator> op = internal::find_node_operator(model_, node);
    if (!op) return op.error();
    std::vector<TensorView> inputs;
    for (const std::string& name : node.inputs)
      inputs.push_back(name.empty() ? TensorView() : values_[name].view);
    if (options_.reference)
      return own(call_reference(op->id, node.attributes, inputs, options_.call));
    const Result<std::vector<TensorSpec>> specs = specs_of(op->info, inputs);
    if (!specs) return specs.error();
    const Result<Plan> plan = compile(op->id, node.attributes, *specs, options_.call);
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

  void release(const ModelNode& node, std::size_t position) {
    for (const std::string& name : node.inputs) {
      if (last_use_[name] == position) values_.erase(name);
    }
    for (const std::string& name : node.outputs) {
      if (!last_use_.contains(name)) values_.erase(name);
    }
  }

  const Model& model_;
  const ModelRunOptions& options_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string_view, std::size_t> last_use_;
  std::set<std::string> notes_;
};

Status check_supported(const Model& model) {
  const std::vector<std::string> unsupported = model.unsupported();
  if (unsupported.empty()) return {};
  std::string text = "the model has operators that can't run here: ";
  for (std::size_t i = 0; i < unsupported.size(); ++i)
    text += (i == 0 ? "" : "; ") + unsupported[i];
  return {ErrorCode::kUnsupported, text + "; a gather or scatter node can run alone, by its name"};
}

}  // namespace

Result<NamedTensors> Model::run(const NamedViews& given, const ModelRunOptions& options) const {
  if (Status status = internal::check_graph(*this); !status) return status;
  if (Status status = check_supported(*this); !status) return status;
  const Result<NamedViews> inputs = internal::with_value_names(*this, given);
  if (!inputs) return inputs.error();
  if (Status status = internal::check_inputs(*this, *inputs); !status) return status;
  ModelRun run(*this, options);
  run.bind(*inputs);
  if (Status status = run.run_nodes(); !status) return status;
  return run.take_outputs();
}

}  // namespace windrow
