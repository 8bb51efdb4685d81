#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/node_operator.h"
#include "windrow/models.h"

namespace windrow {
namespace {

// How many nodes a message names.
constexpr std::size_t kShown = 20;

std::string list_names(const std::vector<ModelNode>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < kShown; ++i)
    text += (i == 0 ? "'" : ", '") + nodes[i].name + "'";
  if (nodes.size() > kShown) text += " and " + std::to_string(nodes.size() - kShown) + " more";
  return text;
}

Result<const ModelNode*> find_node(const Model& model, const std::string& name) {
  const auto is_it = [&name](const ModelNode& node) { return node.name == name; };
  const auto gives_it = [&value = model.value_name(name)](const ModelNode& node) {
    return std::find(node.outputs.begin(), node.outputs.end(), value) != node.outputs.end();
  };
  auto node = std::find_if(model.nodes.begin(), model.nodes.end(), is_it);
  if (node == model.nodes.end())
    node = std::find_if(model.nodes.begin(), model.nodes.end(), gives_it);
  if (node == model.nodes.end())
    return Status(ErrorCode::kInvalidArgument,
                  "there is no node '" + name + "'; the model has " + list_names(model.nodes));
  if (std::any_of(node + 1, model.nodes.end(), is_it))
    return Status(ErrorCode::kInvalidArgument, "several nodes are called '" + name + "'");
  return &*node;
}

// What a Convert node makes of a constant, as of weights that are stored in a smaller type; null if
// it does not convert a constant.
Result<std::shared_ptr<const Tensor>> converted_constant(const Model& model,
                                                         const ModelNode& node) {
  const auto constant =
      node.inputs.size() == 1 ? model.constants.find(node.inputs[0]) : model.constants.end();
  if (constant == model.constants.end()) return std::shared_ptr<const Tensor>();
  const Result<DType> type = internal::convert_type(node);
  if (!type) return type.error();
  Result<Tensor> value = internal::convert(constant->second->view(), *type);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

// The value of `name` if it is the output of a Constant node, or of a constant's Convert.
Result<std::shared_ptr<const Tensor>> find_constant(const Model& model, const std::string& name) {
  for (const ModelNode& node : model.nodes) {
    if (node.outputs != std::vector<std::string>{name}) continue;
    if (internal::is_convert(model, node)) {
      Result<std::shared_ptr<const Tensor>> value = converted_constant(model, node);
      return value ? value : value.error().with_context("node '" + node.name + "'");
    }
    if (!internal::is_constant(node)) continue;
    const Result<int> opset = internal::opset_of(model, node.domain);
    if (!opset) return opset.error();
    Result<Tensor> value = internal::constant_value(node, *opset);
    if (!value) return value.error().with_context("node '" + node.name + "'");
    return std::make_shared<const Tensor>(*std::move(value));
  }
  return std::shared_ptr<const Tensor>();
}

using Values = std::map<std::string, ValueInfo, std::less<>>;

// What is known of every value: inferred, or if the model can't be inferred, declared.
Values describe_all(const Model& model) {
  Result<Values> inferred = model.infer();
  if (inferred) return *std::move(inferred);
  Values values;
  for (const auto* declared : {&model.inputs, &model.values, &model.outputs}) {
    for (const ValueInfo& value : *declared) values.emplace(value.name, value);
  }
  return values;
}

ValueInfo describe(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found != values.end() ? found->second : ValueInfo{name, DType::kAbsent, std::nullopt};
}

// Makes `name` a constant, a default input or an input of `alone`, as it is in `model`.
Status add_input(const Model& model, const Values& values, const std::string& name, Model& alone) {
  const auto has_name = [&name](const ValueInfo& value) { return value.name == name; };
  const bool known = alone.constants.contains(name) ||
                     std::any_of(alone.inputs.begin(), alone.inputs.end(), has_name);
  if (name.empty() || known) return {};
  if (const auto constant = model.constants.find(name); constant != model.constants.end()) {
    alone.constants.insert(*constant);
    const auto input =
        std::find_if(model.default_inputs.begin(), model.default_inputs.end(), has_name);
    if (input != model.default_inputs.end()) alone.default_inputs.push_back(*input);
    return {};
  }
  const Result<std::shared_ptr<const Tensor>> constant = find_constant(model, name);
  if (!constant) return constant.error();
  if (*constant != nullptr) {
    alone.constants.emplace(name, *constant);
  } else {
    alone.inputs.push_back(describe(values, name));
  }
  return {};
}

}  // namespace

Result<Model> Model::only_node(const std::string& name) const {
  const Result<const ModelNode*> node = find_node(*this, name);
  if (!node) return node.error();
  const Values values = describe_all(*this);
  Model alone;
  alone.dialect = dialect;
  alone.opset_imports = opset_imports;
  for (const std::string& input : (*node)->inputs) {
    if (Status status = add_input(*this, values, input, alone); !status) return status;
  }
  for (const std::string& output : (*node)->outputs) {
    if (!output.empty()) alone.outputs.push_back(describe(values, output));
  }
  alone.nodes = {**node};
  for (const auto& [alias, value] : aliases) {
    const auto knows = [&value = value](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), value) != names.end();
    };
    if (knows((*node)->inputs) || knows((*node)->outputs)) alone.aliases.emplace(alias, value);
  }
  return alone;
}

}  // namespace windrow
