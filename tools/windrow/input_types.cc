#include "tools/windrow/input_types.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/windrow/node_operator.h"

namespace windrow::tool {
namespace {

bool lacks_type(const ValueInfo& value) { return value.dtype == DType::kAbsent; }

// The types of a model's values, as far as they are known or an operator's rules say them. Values
// have numbers, so that no name is looked up twice; those that Identity nodes hand on share one.
class Types {
 public:
  explicit Types(const Model& model) : model_(model), origins_(origins_of(model, false)) {
    for (const ValueInfo& input : model.inputs) number_of(input.name);
    for (const ModelNode& node : model.nodes) add_node(node);
    for (const auto& [name, value] : model.infer().value().values()) {
      const auto known = numbers_.find(origin_of(origins_, name));
      if (known != numbers_.end() && !lacks_type(value)) types_[known->second] = value.dtype;
    }
    sort_readers();
  }

  // Until nothing is added: a type that one node fixes may fix another at a node before or behind
  // it. A value gets its type once, so that each node is looked at as often as it has values.
  void complete() {
    std::vector<std::size_t> open;
    for (std::size_t node = nodes_.size(); node-- > 0;) open.push_back(node);
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      add_types(node, open);
    }
  }

  DType of(const std::string& name) const {
    const auto number = numbers_.find(origin_of(origins_, name));
    return number == numbers_.end() ? DType::kAbsent : types_[number->second];
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // An operator's node. Its values stand in values_ from `first` on: as many inputs as it and the
  // operator have, then the output; kNone for those that are left out.
  struct Node {
    const OperatorInfo* info;
    std::size_t first;
    std::size_t inputs;
  };

  std::size_t number_of(const std::string& name) {
    if (name.empty()) return kNone;
    const auto [known, is_new] = numbers_.emplace(origin_of(origins_, name), types_.size());
    if (is_new) types_.push_back(DType::kAbsent);
    return known->second;
  }

  void add_node(const ModelNode& node) {
    const OperatorInfo* const info = operators_.find(node);
    if (info == nullptr) return;
    const std::size_t inputs = std::min(info->inputs.size(), node.inputs.size());
    nodes_.push_back({info, values_.size(), inputs});
    for (std::size_t i = 0; i < inputs; ++i) values_.push_back(number_of(node.inputs[i]));
    values_.push_back(node.outputs.empty() ? kNone : number_of(node.outputs[0]));
  }

  // The nodes of each value, one value after another.
  void sort_readers() {
    reader_starts_.assign(types_.size() + 1, 0);
    for (const std::size_t value : values_)
      if (value != kNone) ++reader_starts_[value + 1];
    for (std::size_t value = 0; value < types_.size(); ++value)
      reader_starts_[value + 1] += reader_starts_[value];
    readers_.resize(reader_starts_.back());
    std::vector<std::size_t> next(reader_starts_.begin(), reader_starts_.end() - 1);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      for (std::size_t i = 0; i <= nodes_[node].inputs; ++i)
        if (value(node, i) != kNone) readers_[next[value(node, i)]++] = node;
  }

  std::size_t value(std::size_t node, std::size_t position) const {
    return values_[nodes_[node].first + position];
  }
  DType type(std::size_t node, std::size_t position) const {
    const std::size_t number = value(node, position);
    return number == kNone ? DType::kAbsent : types_[number];
  }

  // What the operator's rules say of the values of a node. The nodes of each value of which nothing
  // was known become open.
  void add_types(std::size_t node, std::vector<std::size_t>& open) {
    const auto& [info, first, inputs] = nodes_[node];
    for (std::size_t i = 0; i < inputs; ++i) {
      const OperatorInput& input = info->inputs[i];
      set(values_[first + i],
          input.dtypes.size() == 1 ? input.dtypes.front() : of_group(node, input.type_group), open);
    }
    set(values_[first + inputs], of_group(node, "T"), open);
  }

  // The type of the first tensor of the group whose type is known. The result belongs to group T.
  DType of_group(std::size_t node, std::string_view group) const {
    const auto& [info, first, inputs] = nodes_[node];
    for (std::size_t i = 0; i < inputs; ++i)
      if (info->inputs[i].type_group == group && type(node, i) != DType::kAbsent)
        return type(node, i);
    return group == "T" ? type(node, inputs) : DType::kAbsent;
  }

  void set(std::size_t value, DType type, std::vector<std::size_t>& open) {
    if (value == kNone || type == DType::kAbsent || types_[value] != DType::kAbsent) return;
    types_[value] = type;
    for (std::size_t i = reader_starts_[value]; i < reader_starts_[value + 1]; ++i)
      open.push_back(readers_[i]);
  }

  const Model& model_;
  NodeOperators operators_{model_};
  Origins origins_;
  std::unordered_map<std::string_view, std::size_t> numbers_;  // by the first name of a value
  std::vector<DType> types_;                                   // by number
  std::vector<Node> nodes_;
  std::vector<std::size_t> values_;
  std::vector<std::size_t> readers_;
  std::vector<std::size_t> reader_starts_;  // by number: where its readers begin
};

}  // namespace

Model with_fixed_types(Model model, const TensorsByName& given) {
  for (ValueInfo& input : model.inputs) {
    const auto tensor = given.find(input.name);
    if (lacks_type(input) && tensor != given.end()) input.dtype = tensor->second.dtype();
  }
  if (std::none_of(model.inputs.begin(), model.inputs.end(), lacks_type)) return model;
  Types types(model);
  types.complete();
  for (ValueInfo& input : model.inputs) {
    if (lacks_type(input)) input.dtype = types.of(input.name);
  }
  return model;
}

}  // namespace windrow::tool
