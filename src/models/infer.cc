#include "src/operators/infer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/infer_values.h"
#include "src/models/node_operator.h"
#include "src/models/numbered_graph.h"
#include "src/models/propagate.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using internal::kNoValue;
using internal::NumberedGraph;
using internal::ValueNumber;

Result<ValueInfo> info_of(const Constant& constant) {
  ValueInfo info{{}, constant.dtype(), std::vector<Dim>()};
  for (const std::int64_t extent : constant.shape()) info.dims->push_back({extent, {}});
  if (!internal::may_have_known_elements(constant.dtype(), constant.shape())) return info;
  const Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
  if (!tensor) return tensor.error();
  info.elements = internal::known_elements(**tensor);
  return info;
}

std::int64_t integer(const Attributes& attributes, std::string_view name, std::int64_t otherwise) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return otherwise;
  const auto* const value = std::get_if<std::int64_t>(&found->second);
  return value != nullptr ? *value : otherwise;
}

// The first input that has the result's type.
std::size_t typed_input(const OperatorInfo& info) {
  std::size_t input = 0;
  while (info.inputs[input].type_group != "T") ++input;
  return input;
}

// What inference found, completed where it knows nothing by what the model declares.
ValueInfo merge(ValueInfo found, const ValueInfo& declared) {
  if (found.dtype == DType::kAbsent) found.dtype = declared.dtype;
  if (!found.dims) found.dims = declared.dims;
  if (!declared.dims || declared.dims->size() != found.dims->size()) return found;
  for (std::size_t axis = 0; axis < found.dims->size(); ++axis) {
    Dim& dim = (*found.dims)[axis];
    const Dim& other = (*declared.dims)[axis];
    if (!dim.is_known() && (other.is_known() || dim == Dim())) dim = other;
  }
  return found;
}

// Walks the nodes in order and fills in the value of each output.
class Inference {
 public:
  Inference(const Model& model, const NumberedGraph& graph, internal::NodeOperators& operators)
      : model_(model),
        graph_(graph),
        operators_(operators),
        declared_(graph.value_count()),
        values_(graph.value_count()) {
    for (const auto* declared : {&model.values, &model.outputs}) {
      for (const ValueInfo& value : *declared) {
        const ValueNumber number = graph.find(value.name);
        if (number != kNoValue) declared_[number] = &value;
      }
    }
    // A run may replace a default: only what is declared holds.
    for (const auto* inputs : {&model.inputs, &model.default_inputs}) {
      for (const ValueInfo& value : *inputs) values_[graph.find(value.name)] = value;
    }
  }

  // Before the first node.
  Status infer_constants() {
    ValueNumber number = 0;
    for (const auto& [name, constant] : model_.constants) {
      Result<ValueInfo> info = info_of(constant);
      if (!info) return info.error().with_context("constant '" + name + "'");
      // A run may replace a default: only what is declared holds.
      if (values_[number].name.empty()) set(number, *std::move(info));
      ++number;
    }
    return {};
  }

  Status infer_node(std::size_t position) {
    const ModelNode& node = model_.nodes[position];
    inputs_ = graph_.inputs(position);
    Result<ValueInfo> value = find(node);
    if (!value) return value.error().with_context("node '" + node.name + "'");
    for (const ValueNumber output : graph_.outputs(position)) {
      set(output, *std::move(value));
      value = ValueInfo();  // only the first output's type is known
    }
    return {};
  }

  std::vector<ValueInfo> take() { return std::move(values_); }

 private:
  void set(ValueNumber number, ValueInfo value) {
    if (number == kNoValue) return;
    if (declared_[number] != nullptr) value = merge(std::move(value), *declared_[number]);
    value.name = graph_.name(number);
    values_[number] = std::move(value);
  }

  // What is known of an input of the node; an unknown value if it is omitted.
  const ValueInfo& input(std::size_t position) const {
    static const ValueInfo unknown;
    if (position >= inputs_.size() || inputs_[position] == kNoValue) return unknown;
    return values_[inputs_[position]];
  }

  Result<ValueInfo> find(const ModelNode& node) {
    if (internal::is_constant(node)) {
      const Result<int> opset = internal::opset_of(model_, node.domain);
      if (!opset) return opset.error();
      const Result<std::shared_ptr<const Tensor>> value = internal::constant_value(node, *opset);
      if (!value) return value.error();
      return info_of(*value);
    }
    if (internal::is_identity(node)) return input(0);
    if (internal::is_convert(model_, node)) return find_converted(node);
    if (model_.dialect == "onnx" && node.domain.empty() && node.op_type == "Shape")
      return find_shape(node);
    const Result<const internal::NodeOperator*> op = operators_.find(node);
    if (op) return find_operator_result(**op, node);
    if (op.error().code() != ErrorCode::kUnsupported) return op.error();
    return ValueInfo();
  }

  // Of a type that can't be converted to only the shape is known: the run says why.
  ValueInfo find_converted(const ModelNode& node) const {
    ValueInfo result = input(0);
    const Result<DType> type = internal::convert_type(node);
    result.dtype = type ? *type : DType::kAbsent;
    result.elements = internal::converted_elements(result.elements, result.dtype);
    return result;
  }

  ValueInfo find_shape(const ModelNode& node) const {
    ValueInfo result{{}, DType::kInt64, std::vector<Dim>(1)};
    const ValueInfo& data = input(0);
    if (!data.dims) return result;
    result.elements = internal::shape_elements(
        *data.dims, integer(node.attributes, "start", 0),
        integer(node.attributes, "end", std::numeric_limits<std::int64_t>::max()));
    result.dims->front().value = static_cast<std::int64_t>(result.elements->size());
    return result;
  }

  Result<ValueInfo> find_operator_result(const internal::NodeOperator& op, const ModelNode& node) {
    const std::size_t count = op.info.inputs.size();
    if (node.inputs.size() > count)
      return Status(ErrorCode::kInvalidArgument, node.op_type + " takes " + std::to_string(count) +
                                                     " inputs, the node has " +
                                                     std::to_string(node.inputs.size()));
    NodeShape shape{&op, &node.attributes, {}, {}, {}};
    shape.inputs.reserve(count);
    shape.known.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      shape.inputs.push_back(input(i).dims);
      shape.known.push_back(internal::known_value(input(i)));
    }
    if (!same_question(shape, last_)) {
      Result<SymbolicShape> dims =
          internal::infer_shape(op.id, node.attributes, shape.inputs, shape.known);
      if (!dims) return dims.error();
      shape.result = *std::move(dims);
      last_ = std::move(shape);
    }
    ValueInfo result{{}, input(typed_input(op.info)).dtype, last_.result};
    // OpenVINO's axis is the third input.
    const internal::KnownValue axis =
        count > 2 ? last_.known[2] : integer(node.attributes, "axis", 0);
    if (op.info.name == "Gather" && axis)
      result.elements = internal::gather_elements(input(0), input(1), *axis);
    return result;
  }

  // What a node's shape depends on, and the shape.
  struct NodeShape {
    const internal::NodeOperator* op = nullptr;
    const Attributes* attributes = nullptr;
    std::vector<SymbolicShape> inputs;
    std::vector<internal::KnownValue> known;
    SymbolicShape result;
  };

  static bool same_question(const NodeShape& a, const NodeShape& b) {
    return a.op == b.op && *a.attributes == *b.attributes && a.inputs == b.inputs &&
           a.known == b.known;
  }

  const Model& model_;
  const NumberedGraph& graph_;
  internal::NodeOperators& operators_;
  NodeShape last_;  // of the operator that was asked last: models repeat themselves
  std::vector<const ValueInfo*> declared_;  // null: nothing is declared
  std::vector<ValueInfo> values_;
  std::span<const ValueNumber> inputs_;  // of the node that is looked at
};

// The values in the order of their names, each with the first bytes of its name as a number, which
// say of most pairs which is less without a look at the names themselves.
std::vector<std::pair<std::uint64_t, ValueInfo*>> sort_by_name(std::vector<ValueInfo>& values) {
  std::vector<std::pair<std::uint64_t, ValueInfo*>> sorted;
  sorted.reserve(values.size());
  for (ValueInfo& value : values) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < sizeof key; ++i)
      key = key << 8 | (i < value.name.size() ? static_cast<unsigned char>(value.name[i]) : 0U);
    sorted.emplace_back(key, &value);
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->name < b.second->name;
  });
  return sorted;
}

}  // namespace

Result<std::vector<ValueInfo>> internal::infer_values(const Model& model,
                                                      const NumberedGraph& graph,
                                                      NodeOperators& operators) {
  Inference inference(model, graph, operators);
  if (Status status = inference.infer_constants(); !status) return status;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (Status status = inference.infer_node(i); !status) return status;
  }
  return inference.take();
}

Result<std::map<std::string, ValueInfo, std::less<>>> Model::infer() const {
  const Result<NumberedGraph> graph = NumberedGraph::of(*this);
  if (!graph) return graph.error();
  internal::NodeOperators operators(*this);
  Result<std::vector<ValueInfo>> values = internal::infer_values(*this, *graph, operators);
  if (!values) return values.error();
  // In the order of names each insertion has its place at the end.
  std::map<std::string, ValueInfo, std::less<>> result;
  for (const auto& [key, value] : sort_by_name(*values)) {
    std::string name = value->name;
    result.emplace_hint(result.end(), std::move(name), std::move(*value));
  }
  return result;
}

}  // namespace windrow
