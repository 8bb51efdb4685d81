#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/find_in.h"
#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/node_operator.h"
#include "src/models/text.h"
#include "src/models/walk_model.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"

namespace windrow {
namespace {

// The number of nodes that a message names.
constexpr std::size_t kShown = 20;

std::string list_names(const std::vector<ModelNode>& nodes) {
  return internal::listed(nodes, ", ", kShown,
                          [](const ModelNode& node) { return "'" + node.name + "'"; });
}

// The nearest name of a node, or of a value that one gives.
std::string node_hint(const Model& model, const std::string& name) {
  NearestName nearest(name);
  for (const ModelNode& node : model.nodes) nearest.consider(node.name);
  for (const ModelNode& node : model.nodes)
    for (const std::string& output : node.outputs) nearest.consider(output);
  return nearest.hint();
}

// A graph that holds a node, or whose body does. `path`: as in Inference.
struct HoldingGraph {
  std::string path;
  const Graph* graph;
};

// A node, and the graphs around it, the innermost first.
struct FoundNode {
  const ModelNode* node = nullptr;
  std::vector<HoldingGraph> graphs;
};

// Finds the node of a path, which may leave out "main/".
class PathSearch final : public internal::ModelWalk {
 public:
  explicit PathSearch(const std::string& path) : path_(path), in_main_("main/" + path) {}

  void enter(const std::string& path, const Graph& graph) override {
    graphs_.insert(graphs_.begin(), {path, &graph});
  }
  void visit(const NodePlace& place, std::size_t /*position*/) override {
    if (found_.node == nullptr && (place.path == path_ || place.path == in_main_))
      found_ = {&place.node, graphs_};
  }
  void leave() override { graphs_.erase(graphs_.begin()); }

  const FoundNode& found() const { return found_; }

 private:
  const std::string path_;
  const std::string in_main_;
  std::vector<HoldingGraph> graphs_;
  FoundNode found_;
};

Result<FoundNode> find_node(const Model& model, const std::string& name) {
  const auto is_it = [&name](const ModelNode& node) { return node.name == name; };
  const auto gives_it = [&value = model.value_name(name)](const ModelNode& node) {
    return std::find(node.outputs.begin(), node.outputs.end(), value) != node.outputs.end();
  };
  auto node = std::find_if(model.nodes.begin(), model.nodes.end(), is_it);
  if (node == model.nodes.end())
    node = std::find_if(model.nodes.begin(), model.nodes.end(), gives_it);
  if (node == model.nodes.end()) {
    PathSearch search(name);
    internal::walk_model(model, search);
    const FoundNode& found = search.found();
    if (found.node == nullptr)
      return internal::argument_error("there is no node '", name, "'; the model has ",
                                      list_names(model.nodes), node_hint(model, name));
    if (found.graphs.back().path != "main")
      return internal::argument_error("'", name, "' is in a function, of which every call differs");
    return found;
  }
  if (std::any_of(node + 1, model.nodes.end(), is_it))
    return internal::argument_error("several nodes are called '", name,
                                    "': give the path that windrow check shows");
  return FoundNode{&*node, {{"main", &model}}};
}

// The result of a Convert node whose input is a constant, such as weights that are stored in a
// smaller type; null if its input is not a constant.
Result<std::shared_ptr<const Tensor>> converted_constant(const Model& model,
                                                         const ModelNode& node) {
  const auto constant =
      node.inputs.size() == 1 ? model.constants.find(node.inputs[0]) : model.constants.end();
  if (constant == model.constants.end()) return std::shared_ptr<const Tensor>();
  const Result<DType> type = internal::convert_type(node);
  if (!type) return type.error();
  const Result<std::shared_ptr<const Tensor>> stored = constant->second.tensor();
  if (!stored) return stored.error();
  Result<Tensor> value = internal::convert(**stored, *type);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

// The constant that a node gives: the value of a Constant node, or a converted constant; null for
// other nodes.
Result<std::shared_ptr<const Tensor>> constant_of(const Model& model, const ModelNode& node) {
  if (internal::is_convert(model, node)) return converted_constant(model, node);
  if (!internal::is_constant(node)) return std::shared_ptr<const Tensor>();
  const Result<int> opset = internal::opset_of(model, node.domain);
  if (!opset) return opset.error();
  return internal::constant_value(node, *opset);
}

// What is known about the values of some graphs: what inference finds or, if it fails, what the
// model declares.
ValueInfos describe_all(const Model& model, const std::vector<HoldingGraph>& graphs) {
  const Result<Inference> inferred = model.infer();
  ValueInfos values;
  for (const HoldingGraph& holder : graphs) {
    if (inferred) {
      for (const GraphInference& graph : inferred->graphs)
        if (graph.path == holder.path) values.insert(graph.values.begin(), graph.values.end());
      continue;
    }
    const Graph& graph = *holder.graph;
    for (const auto* declared : {&graph.inputs, &graph.values, &graph.outputs}) {
      for (const ValueInfo& value : *declared) values.emplace(value.name, value);
    }
  }
  return values;
}

ValueInfo describe(const ValueInfos& values, const std::string& name) {
  const ValueInfo* const found = internal::find_in(values, name);
  return found != nullptr ? *found : ValueInfo{name, DType::kAbsent, std::nullopt};
}

// Takes one node out of a model.
class NodeExtractor {
 public:
  NodeExtractor(const Model& model, const FoundNode& found)
      : model_(model),
        node_(*found.node),
        graphs_(found.graphs),
        values_(describe_all(model, graphs_)) {
    for (const HoldingGraph& holder : graphs_) {
      for (const ModelNode& other : holder.graph->nodes) {
        if (other.outputs.size() == 1) producers_.emplace(other.outputs.front(), &other);
      }
    }
    for (const ValueInfo& input : model.default_inputs) defaults_.emplace(input.name, &input);
  }

  Result<Model> extract() {
    Model alone;
    alone.dialect = model_.dialect;
    alone.opset_imports = model_.opset_imports;
    for (const std::string& input : node_.inputs) {
      if (input.empty() || !names_.insert(input).second) continue;
      if (Status status = add_input(input, alone); !status) return status;
    }
    for (const std::string& output : node_.outputs) {
      if (output.empty()) continue;
      alone.outputs.push_back(describe(values_, output));
      names_.insert(output);
    }
    alone.nodes = {node_};
    for (const auto& [alias, value] : model_.aliases) {
      if (names_.contains(value)) alone.aliases.emplace(alias, value);
    }
    return alone;
  }

 private:
  // Makes `name` a constant, a default input or an input of `alone`, as it is in the model.
  Status add_input(const std::string& name, Model& alone) const {
    for (const HoldingGraph& holder : graphs_) {
      const auto constant = holder.graph->constants.find(name);
      if (constant == holder.graph->constants.end()) continue;
      alone.constants.insert(*constant);
      if (const auto* const input = internal::find_in(defaults_, name); input != nullptr)
        alone.default_inputs.push_back(**input);
      return {};
    }
    if (const auto* const producer = internal::find_in(producers_, name); producer != nullptr) {
      const ModelNode& node = **producer;
      const Result<std::shared_ptr<const Tensor>> constant = constant_of(model_, node);
      if (!constant) return constant.error().with_context("node '" + node.name + "'");
      if (*constant != nullptr) {
        alone.constants.emplace(name, *constant);
        return {};
      }
    }
    alone.inputs.push_back(describe(values_, name));
    return {};
  }

  const Model& model_;
  const ModelNode& node_;
  const std::vector<HoldingGraph>& graphs_;  // the innermost first
  ValueInfos values_;
  std::map<std::string_view, const ModelNode*> producers_;  // by their only output
  std::map<std::string_view, const ValueInfo*> defaults_;
  std::set<std::string_view> names_;  // of the node's values
};

}  // namespace

Result<Model> Model::only_node(const std::string& name) const {
  const Result<FoundNode> found = find_node(*this, name);
  if (!found) return found.error();
  return NodeExtractor(*this, *found).extract();
}

}  // namespace windrow
