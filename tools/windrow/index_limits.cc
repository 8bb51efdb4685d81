#include "tools/windrow/index_limits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tools/windrow/console.h"

namespace windrow::tool {
namespace {

using Values = std::map<std::string, ValueInfo, std::less<>>;
using Extents = std::vector<std::int64_t>;

// The specifications' names of inputs that are indices.
bool is_index_input(std::string_view operator_name, std::string_view input) {
  if (operator_name == "ArrayFeatureExtractor") return input == "Y";
  return input == "indices" || input == "write_indices";
}

// One node with what the operator table says of it.
class IndexReader {
 public:
  IndexReader(const Model& model, const Values& values, const ModelNode& node,
              const OperatorInfo& info)
      : model_(model), values_(values), node_(node), info_(info) {}

  // The position of the input that holds indices, where the node gives one; else -1.
  int index_position() const {
    for (std::size_t i = 0; i < std::min(info_.inputs.size(), node_.inputs.size()); ++i) {
      const bool given = !node_.inputs[i].empty();
      if (given && is_index_input(info_.name, info_.inputs[i].name)) return static_cast<int>(i);
    }
    return -1;
  }

  IndexLimits limits(int index_position) const {
    const Extents data = extents(0);
    if (info_.name == "GatherND" || info_.name == "ScatterND") {
      const std::size_t first = static_cast<std::size_t>(integer("batch_dims", 0));
      const Extents indices = extents(index_position);
      const std::size_t count = indices.empty() ? 0 : static_cast<std::size_t>(indices.back());
      if (first > data.size() || count > data.size() - first) unknown("the indices do not fit");
      const auto begin = data.begin() + static_cast<std::ptrdiff_t>(first);
      return {begin, begin + static_cast<std::ptrdiff_t>(count)};
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

  Extents extents(int position) const {
    const std::string& name = node_.inputs[static_cast<std::size_t>(position)];
    if (const auto constant = model_.constants.find(name); constant != model_.constants.end()) {
      return {constant->second->shape().begin(), constant->second->shape().end()};
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

  // The indexed axis; the last one for operators without such an attribute.
  std::size_t axis(std::size_t rank) const {
    const std::int64_t signed_rank = static_cast<std::int64_t>(rank);
    const std::int64_t given = integer("axis", -1);
    const std::int64_t result = given < 0 ? given + signed_rank : given;
    if (result < 0 || result >= signed_rank) unknown(fmt::format("there is no axis {}", given));
    return static_cast<std::size_t>(result);
  }

  const Model& model_;
  const Values& values_;
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

Result<OperatorInfo> operator_of(const Model& model, const ModelNode& node) {
  const std::string domain = node.domain == "ai.onnx" ? "" : node.domain;
  const auto opset = model.opset_imports.find(domain);
  OperatorId id{model.dialect, node.op_type, {}};
  if (opset != model.opset_imports.end()) id.version = opset->second;
  Result<OperatorInfo> info = find_operator(id);
  if (info && info->domain != domain) return Status(ErrorCode::kUnsupported, node.op_type);
  return info;
}

}  // namespace

std::map<std::string, IndexLimits, std::less<>> index_limits(
    const Model& model, const std::set<std::string, std::less<>>& inputs) {
  const Values values = model.infer().value();
  std::map<std::string, IndexLimits, std::less<>> result;
  std::map<std::string, std::string, std::less<>> origin;  // what Identity nodes hand on
  const auto origin_of = [&](const std::string& name) {
    const auto source = origin.find(name);
    return source == origin.end() ? name : source->second;
  };
  for (const ModelNode& node : model.nodes) {
    if (node.op_type == "Identity" && node.inputs.size() == 1 && node.outputs.size() == 1) {
      origin[node.outputs[0]] = origin_of(node.inputs[0]);
      continue;
    }
    const Result<OperatorInfo> info = operator_of(model, node);
    if (!info) continue;
    const IndexReader reader(model, values, node, *info);
    const int position = reader.index_position();
    if (position < 0) continue;
    const std::string name = origin_of(node.inputs[static_cast<std::size_t>(position)]);
    if (!inputs.contains(name)) continue;
    const IndexLimits limits = reader.limits(position);
    const auto [entry, is_new] = result.emplace(name, limits);
    if (!is_new) entry->second = combine(entry->second, limits);
  }
  return result;
}

}  // namespace windrow::tool
