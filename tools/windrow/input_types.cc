#include "tools/windrow/input_types.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/windrow/node_operator.h"

namespace windrow::tool {
namespace {

bool lacks_type(const ValueInfo& value) { return value.dtype == DType::kAbsent; }

// The types of a model's values, as far as they are known.
class Types {
 public:
  explicit Types(const Model& model) : origins_(origins_of(model, false)) {
    const ValueInfos values = model.infer().value().values();
    for (const auto& [name, value] : values) {
      if (!lacks_type(value)) types_[origin_of(origins_, name)] = value.dtype;
    }
  }

  DType of(const std::string& name) const {
    const auto type = types_.find(origin_of(origins_, name));
    return type == types_.end() ? DType::kAbsent : type->second;
  }

  // Adds what the operator's rules say of the values of a node, and calls `added` with the origin
  // of each of which nothing was known.
  template <class Added>
  void add(const OperatorInfo& info, const ModelNode& node, const Added& added) {
    for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
      const OperatorInput& input = info.inputs[i];
      set(node.inputs[i],
          input.dtypes.size() == 1 ? input.dtypes.front() : of_group(info, node, input.type_group),
          added);
    }
    if (!node.outputs.empty()) set(node.outputs[0], of_group(info, node, "T"), added);
  }

  const std::string& origin(const std::string& name) const { return origin_of(origins_, name); }

 private:
  // The type of the first tensor of the group whose type is known. The result belongs to group T.
  DType of_group(const OperatorInfo& info, const ModelNode& node, std::string_view group) const {
    for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
      const DType type = info.inputs[i].type_group == group ? of(node.inputs[i]) : DType::kAbsent;
      if (type != DType::kAbsent) return type;
    }
    return group == "T" && !node.outputs.empty() ? of(node.outputs[0]) : DType::kAbsent;
  }

  template <class Added>
  void set(const std::string& name, DType type, const Added& added) {
    if (name.empty() || type == DType::kAbsent) return;
    if (types_.emplace(origin(name), type).second) added(origin(name));
  }

  Origins origins_;
  std::map<std::string, DType, std::less<>> types_;  // by the name with which a chain begins
};

// The nodes of a model by the values that they read or give, and those that are to be looked at.
class OpenNodes {
 public:
  OpenNodes(const Model& model, const Types& types) : model_(model) {
    for (const ModelNode& node : model.nodes) {
      if (operators_.find(node) == nullptr) continue;
      for (const std::string& input : node.inputs) nodes_of_[types.origin(input)].push_back(&node);
      if (!node.outputs.empty()) nodes_of_[types.origin(node.outputs[0])].push_back(&node);
      open_.push_back(&node);
    }
    std::reverse(open_.begin(), open_.end());  // the first node is looked at first
  }

  // Until nothing is added: a type that one node fixes may fix another at a node before or behind
  // it. A value gets its type once, so that each node is looked at as often as it has values.
  void add_to(Types& types) {
    while (!open_.empty()) {
      const ModelNode& node = *open_.back();
      open_.pop_back();
      types.add(*operators_.find(node), node, [&](const std::string& origin) {
        const std::vector<const ModelNode*>& nodes = nodes_of_[origin];
        open_.insert(open_.end(), nodes.begin(), nodes.end());
      });
    }
  }

 private:
  const Model& model_;
  NodeOperators operators_{model_};
  std::unordered_map<std::string_view, std::vector<const ModelNode*>> nodes_of_;
  std::vector<const ModelNode*> open_;
};

}  // namespace

Model with_fixed_types(Model model, const TensorsByName& given) {
  for (ValueInfo& input : model.inputs) {
    const auto tensor = given.find(input.name);
    if (lacks_type(input) && tensor != given.end()) input.dtype = tensor->second.dtype();
  }
  if (std::none_of(model.inputs.begin(), model.inputs.end(), lacks_type)) return model;
  Types types(model);
  OpenNodes(model, types).add_to(types);
  for (ValueInfo& input : model.inputs) {
    if (lacks_type(input)) input.dtype = types.of(input.name);
  }
  return model;
}

}  // namespace windrow::tool
