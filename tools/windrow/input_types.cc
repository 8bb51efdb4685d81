#include "tools/windrow/input_types.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tools/windrow/node_operator.h"

namespace windrow::tool {
namespace {

bool lacks_type(const ValueInfo& value) { return value.dtype == DType::kAbsent; }

// The types of a model's values, as far as they are known.
class Types {
 public:
  explicit Types(const Model& model) : origins_(origins_of(model, false)) {
    const auto values = model.infer().value();
    for (const auto& [name, value] : values) {
      if (!lacks_type(value)) types_[origin_of(origins_, name)] = value.dtype;
    }
  }

  DType of(const std::string& name) const {
    const auto type = types_.find(origin_of(origins_, name));
    return type == types_.end() ? DType::kAbsent : type->second;
  }

  // Adds what the operator's rules say of the values of a node; whether anything was new.
  bool add(const OperatorInfo& info, const ModelNode& node) {
    bool added = false;
    for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
      const OperatorInput& input = info.inputs[i];
      const DType only =
          input.dtypes.size() == 1 ? input.dtypes.front() : of_group(info, node, input.type_group);
      added = set(node.inputs[i], only) || added;
    }
    return (!node.outputs.empty() && set(node.outputs[0], of_group(info, node, "T"))) || added;
  }

 private:
  // The type of the first tensor of the group whose type is known. The result belongs to group T.
  DType of_group(const OperatorInfo& info, const ModelNode& node, std::string_view group) const {
    for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
      const DType type = info.inputs[i].type_group == group ? of(node.inputs[i]) : DType::kAbsent;
      if (type != DType::kAbsent) return type;
    }
    return group == "T" && !node.outputs.empty() ? of(node.outputs[0]) : DType::kAbsent;
  }

  bool set(const std::string& name, DType type) {
    if (name.empty() || type == DType::kAbsent) return false;
    return types_.emplace(origin_of(origins_, name), type).second;
  }

  Origins origins_;
  std::map<std::string, DType, std::less<>> types_;  // by the name with which a chain begins
};

// A type that one node fixes may fix another at a node before or behind it.
void add_fixed_types(const Model& model, Types& types) {
  bool added = true;
  while (added) {
    added = false;
    for (const ModelNode& node : model.nodes) {
      const Result<OperatorInfo> info = operator_of(model, node);
      added = (info && types.add(*info, node)) || added;
    }
  }
}

}  // namespace

Model with_fixed_types(Model model, const TensorsByName& given) {
  for (ValueInfo& input : model.inputs) {
    const auto tensor = given.find(input.name);
    if (lacks_type(input) && tensor != given.end()) input.dtype = tensor->second.dtype();
  }
  if (std::none_of(model.inputs.begin(), model.inputs.end(), lacks_type)) return model;
  Types types(model);
  add_fixed_types(model, types);
  for (ValueInfo& input : model.inputs) {
    if (lacks_type(input)) input.dtype = types.of(input.name);
  }
  return model;
}

}  // namespace windrow::tool
