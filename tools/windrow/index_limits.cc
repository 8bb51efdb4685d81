#include "tools/windrow/index_limits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/windrow/console.h"
#include "tools/windrow/node_operator.h"

namespace windrow::tool {
namespace {

using Extents = std::vector<std::int64_t>;

// The specifications' names of inputs that are indices, or an axis.
bool is_index_input(std::string_view operator_name, std::string_view input) {
  if (operator_name == "ArrayFeatureExtractor") return input == "Y";
  return input == "indices" || input == "write_indices" || input == "axis";
}

// The positions of the inputs that hold indices, where the node gives them.
std::vector<std::size_t> index_positions(const ModelNode& node, const OperatorInfo& info) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
    const bool given = !node.inputs[i].empty();
    if (given && is_index_input(info.name, info.inputs[i].name)) positions.push_back(i);
  }
  return positions;
}

// One node with what the operator table says of it.
class IndexReader {
 public:
  IndexReader(const Model& model, const ValueInfos& values, const ModelNode& node,
              const OperatorInfo& info)
      : model_(model), values_(values), node_(node), info_(info) {}

  IndexLimits limits(std::size_t index_position) const {
    const Extents data = extents(0);
    if (info_.inputs[index_position].name == "axis") {
      return {static_cast<std::int64_t>(data.size())};
    }
    if (info_.name.find("ND") != std::string::npos) {
      const std::size_t first = static_cast<std::size_t>(integer("batch_dims", 0));
      const Extents indices = extents(index_position);
      const std::size_t count = indices.empty() ? 0 : static_cast<std::size_t>(indices.back());
      if (first > data.size() || count > data.size() - first) unknown("the indices do not fit");
      const auto begin = data.begin() + static_cast<std::ptrdiff_t>(first);
      return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }
    if (has_unknown_axis()) {  // an index that is legal on every axis
      if (data.empty()) unknown("the data has no axis");
      return {*std::min_element(data.begin(), data.end())};
    }
    const std::int64_t extent = data[axis(data.size())];
    if (info_.name != "TensorScatter" || text("mode", "linear") == "circular") return {extent};
    return {extent - extents(1)[axis(data.size())] + 1};
  }

 private:
  [[noreturn]] void unknown(std::string_view why) const {
    fail(ErrorCode::kShape,
         fmt::format("node '{}': can't choose legal random indices: {}; give them with --input",
                     node_.name, why));
  }

  Extents extents(std::size_t position) const {
    const std::string& name = node_.inputs[position];
    if (const auto constant = model_.constants.find(name); constant != model_.constants.end()) {
      return {constant->second.shape().begin(), constant->second.shape().end()};
    }
    const auto value = values_.find(name);
    if (value == values_.end() || !value->second.dims) {
      unknown(fmt::format("the shape of '{}' is unknown", name));
    }
    Extents result;
    for (const Dim& dim : *value->second.dims) {
      if (!dim.is_known()) unknown(fmt::format("the shape of '{}' is unknown", name));
      result.push_back(dim.value);
    }
    return result;
  }

  const AttributeValue* attribute(std::string_view name) const {
    if (const auto given = node_.attributes.find(name); given != node_.attributes.end()) {
      return &given->second;
    }
    for (const OperatorAttribute& known : info_.attributes) {
      if (known.name == name) return &known.default_value;
    }
    return nullptr;
  }

  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    const AttributeValue* value = attribute(name);
    const std::int64_t* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number == nullptr ? otherwise : *number;
  }

  std::string text(std::string_view name, std::string_view otherwise) const {
    const AttributeValue* value = attribute(name);
    const std::string* string = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return string == nullptr ? std::string(otherwise) : *string;
  }

  // The position of the input that is the axis; as many as there are inputs if it is none.
  std::size_t axis_input() const {
    const auto is_axis = [](const OperatorInput& input) { return input.name == "axis"; };
    return static_cast<std::size_t>(
        std::find_if(info_.inputs.begin(), info_.inputs.end(), is_axis) - info_.inputs.begin());
  }

  std::optional<std::int64_t> axis_value() const {
    const auto value = values_.find(node_.inputs[axis_input()]);
    if (value == values_.end() || !value->second.elements || value->second.elements->size() != 1)
      return std::nullopt;
    return value->second.elements->front().value;
  }

  // Whether the axis comes with the run.
  bool has_unknown_axis() const { return axis_input() < node_.inputs.size() && !axis_value(); }

  // The indexed axis; the last one for operators without such an attribute or input.
  std::size_t axis(std::size_t rank) const {
    const std::int64_t signed_rank = static_cast<std::int64_t>(rank);
    const std::int64_t given =
        axis_input() < node_.inputs.size() ? *axis_value() : integer("axis", -1);
    const std::int64_t result = given < 0 ? given + signed_rank : given;
    if (result < 0 || result >= signed_rank) unknown(fmt::format("there is no axis {}", given));
    return static_cast<std::size_t>(result);
  }

  const Model& model_;
  const ValueInfos& values_;
  const ModelNode& node_;
  const OperatorInfo& info_;
};

// Both limits hold.
IndexLimits combine(const IndexLimits& a, const IndexLimits& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  IndexLimits result(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::min(a[std::min(i, a.size() - 1)], b[std::min(i, b.size() - 1)]);
  }
  return result;
}

// A node and those of its inputs that hold indices and come from inputs of the model.
struct IndexNode {
  const ModelNode* node;
  const OperatorInfo* info;
  std::vector<std::pair<std::size_t, std::string_view>> uses;  // position, input of the model
};

// The nodes that read some of `inputs` as indices, perhaps by way of Identity and Convert nodes.
class IndexNodes {
 public:
  IndexNodes(const Model& model, const std::set<std::string, std::less<>>& inputs)
      : operators_(model) {
    for (const std::string& input : inputs) origin_.emplace(input, input);
    for (const ModelNode& node : model.nodes) add(node);
  }

  const std::vector<IndexNode>& nodes() const noexcept { return nodes_; }

 private:
  void add(const ModelNode& node) {
    const auto is_reached = [&](const std::string& name) { return origin_.contains(name); };
    if (std::none_of(node.inputs.begin(), node.inputs.end(), is_reached)) return;
    const bool hands_on = node.op_type == "Identity" || node.op_type == "Convert";
    if (hands_on && node.inputs.size() == 1 && node.outputs.size() == 1) {
      origin_.emplace(node.outputs[0], origin_.find(node.inputs[0])->second);
      return;
    }
    const OperatorInfo* info = operators_.find(node);
    if (info == nullptr) return;
    IndexNode found{&node, info, {}};
    for (const std::size_t position : index_positions(node, *info)) {
      const auto origin = origin_.find(node.inputs[position]);
      if (origin != origin_.end()) found.uses.emplace_back(position, origin->second);
    }
    if (!found.uses.empty()) nodes_.push_back(std::move(found));
  }

  NodeOperators operators_;                              // the infos of the nodes live here
  std::map<std::string_view, std::string_view> origin_;  // values that inputs of the model become
  std::vector<IndexNode> nodes_;
};

}  // namespace

std::map<std::string, IndexLimits, std::less<>> index_limits(
    const Model& model, const std::set<std::string, std::less<>>& inputs) {
  std::map<std::string, IndexLimits, std::less<>> result;
  const IndexNodes found(model, inputs);
  if (found.nodes().empty()) return result;
  const ValueInfos values = model.infer().value().values();
  for (const IndexNode& use : found.nodes()) {
    const IndexReader reader(model, values, *use.node, *use.info);
    for (const auto& [position, name] : use.uses) {
      const IndexLimits limits = reader.limits(position);
      const auto [entry, is_new] = result.emplace(std::string(name), limits);
      if (!is_new) entry->second = combine(entry->second, limits);
    }
  }
  return result;
}

}  // namespace windrow::tool
