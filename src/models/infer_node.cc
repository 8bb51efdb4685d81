#include "src/models/infer_node.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "src/models/check_inputs.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/program.h"
#include "src/models/value_info.h"
#include "src/operators/left_out.h"

namespace windrow::internal {
namespace {

// Dialect and name of every operator.
const std::set<std::pair<std::string, std::string>>& known_operators() {
  static const auto* const known = [] {
    auto* const names = new std::set<std::pair<std::string, std::string>>();
    for (const OperatorInfo& info : list_operators()) names->emplace(info.dialect, info.name);
    return names;
  }();
  return *known;
}

// The same error with a label.
Status labelled(const Status& error, const char* label) {
  ErrorInfo info = error.info();
  info.constraint = label;
  return Status(std::move(info));
}

}  // namespace

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

Result<int> opset_of(const OpsetImports& imports, const std::string& domain) {
  if (const int* const opset = find_in(imports, domain); opset != nullptr) return *opset;
  return format_error("the model imports no opset of domain '", domain_name(domain), "'");
}

Result<std::optional<int>> NodeOperators::version_of(const ModelNode& node) const {
  if (node.version || dialect_ != "onnx") return node.version;
  const Result<int> opset = opset_of(opset_imports_, node.domain);
  if (!opset) return labelled(opset.error(), kOpsetImport);
  return std::optional<int>(*opset);
}

bool NodeOperators::has_operator(const std::string& name) const {
  return known_operators().contains({dialect_, name});
}

Result<const NodeOperator*> NodeOperators::find_version(const std::string& name,
                                                        std::optional<int> version) {
  const std::pair<std::string_view, std::optional<int>> key(name, version);
  if (const NodeOperator* const known = find_in(found_, key); known != nullptr) return known;
  // Most nodes of most models are other operators, for which find_operator would look for similar
  // names.
  if (!has_operator(name)) return unsupported_error("there is no operator ", name, " here");
  OperatorId id{dialect_, name, version};
  Result<OperatorInfo> info = find_operator(id);
  if (!info) return labelled(info.error(), kOperatorVersion);
  NodeOperator op{std::move(id), *std::move(info)};
  return &found_.emplace(std::pair(std::string_view(name), version), std::move(op)).first->second;
}

Result<const NodeOperator*> NodeOperators::find(const ModelNode& node) {
  if (!node.unsupported.empty()) return unsupported_error(node.unsupported);
  const Result<std::optional<int>> version = version_of(node);
  if (!version) return version.error();
  Result<const NodeOperator*> op = find_version(node.op_type, *version);
  if (!op) return op;
  const std::string& domain = (*op)->info.domain;
  if (domain != node.domain)
    return unsupported_error("operator ", node.op_type, " belongs to domain '", domain_name(domain),
                             "', not '", domain_name(node.domain), "'");
  if (!node.bodies.empty())
    return unsupported_error("attribute '", node.bodies.front().attribute, "' is a graph");
  if (node.outputs.size() != 1)
    return labelled(
        format_error(node.op_type, " gives one output, the node names ", node.outputs.size()),
        kOperatorOutputs);
  return op;
}

namespace {

// The first input that has the result's type.
std::size_t typed_input(const OperatorInfo& info) {
  std::size_t input = 0;
  while (info.inputs[input].type_group != "T") ++input;
  return input;
}

}  // namespace

Result<ValueInfo> describe_constant(const Constant& constant) {
  ValueInfo info{{}, constant.dtype(), std::vector<Dim>(), std::nullopt, Basis::kProven};
  for (const std::int64_t extent : constant.shape()) info.dims->push_back({extent, {}});
  if (!may_have_known_elements(constant.dtype(), constant.shape())) return info;
  const Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
  if (!tensor) return tensor.error();
  info.elements = known_elements(**tensor);
  return info;
}

Result<std::optional<ValueInfo>> NodeRules::find(const ModelNode& node,
                                                 std::span<const KnowledgeRef> inputs, View view,
                                                 bool judges_types) {
  judges_types_ = judges_types;
  inputs_ = inputs;
  view_ = view;
  found_ = Found::kHostNode;
  if (is_constant(node)) return find_constant(node);
  if (is_identity(node)) return std::optional(input(0));
  if (is_convert(model_, node)) return std::optional(find_converted(node));
  if (model_.dialect == "onnx" && is_standard(node, "Shape"))
    return std::optional(find_shape(node));
  const Result<const NodeOperator*> op = operators_.find(node);
  found_ = Found::kOperator;
  if (op) return find_result(**op, node);
  if (op.error().code() != ErrorCode::kUnsupported) return op.error();
  found_ = Found::kNone;
  return std::optional<ValueInfo>();
}

Result<std::optional<ValueInfo>> NodeRules::find_constant(const ModelNode& node) const {
  const Result<int> opset = opset_of(operators_.opset_imports(), node.domain);
  if (!opset) return opset.error();
  const Result<std::shared_ptr<const Tensor>> value = constant_value(node, *opset);
  if (!value) return value.error();
  Result<ValueInfo> info = describe_constant(*value);
  if (!info) return info.error();
  return std::optional(*std::move(info));
}

// What is known of an input; an unknown value if it is omitted.
const ValueInfo& NodeRules::input(std::size_t position) const {
  static const ValueInfo unknown;
  return position < inputs_.size() ? inputs_[position].in(view_) : unknown;
}

// If the type cannot be converted to, only the shape is known. The run then says why.
ValueInfo NodeRules::find_converted(const ModelNode& node) const {
  ValueInfo result = input(0);
  const Result<DType> type = convert_type(node);
  result.dtype = type ? *type : DType::kAbsent;
  result.other_type.clear();
  result.elements = converted_elements(result.elements, result.dtype);
  return result;
}

ValueInfo NodeRules::find_shape(const ModelNode& node) const {
  ValueInfo result{{}, DType::kInt64, std::vector<Dim>(1)};
  const ValueInfo& data = input(0);
  if (!data.dims) return result;
  result.elements =
      shape_elements(*data.dims, integer_of(node.attributes, "start", 0),
                     integer_of(node.attributes, "end", std::numeric_limits<std::int64_t>::max()));
  result.dims->front().value = static_cast<std::int64_t>(result.elements->size());
  return result;
}

// The value of an input that the node leaves out, where the ids from which it follows are known.
KnownValue NodeRules::left_out_number(const OperatorInput& left_out) const {
  if (left_out.counted_input < 0) return std::nullopt;
  const ValueInfo& ids = input(static_cast<std::size_t>(left_out.counted_input));
  return count_by_last_id(ids.dims, known_numbers(ids));
}

Result<std::optional<ValueInfo>> NodeRules::find_result(const NodeOperator& op,
                                                        const ModelNode& node) {
  const std::size_t count = op.info.inputs.size();
  NodeShape shape{&op, &node.attributes, {}, {}, {}, {}};
  shape.inputs.reserve(count);
  shape.known.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    shape.inputs.push_back(input(i).dims);
    const bool counts = op.info.inputs[i].value_at_compile;
    const bool is_given = i < node.inputs.size() && !node.inputs[i].empty();
    shape.known.push_back(!counts    ? std::nullopt
                          : is_given ? known_numbers(input(i))
                                     : left_out_number(op.info.inputs[i]));
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    shape.given.push_back({input(i).dtype, !node.inputs[i].empty(), input(i).other_type});
  if (shape.given.empty()) shape.given.push_back({DType::kAbsent, false});
  if (!judges_types_)  // the shape still depends on what is omitted
    for (OperandType& operand : shape.given) operand = {DType::kAbsent, operand.is_given};
  NodeShape& last = last_[view_ == View::kProven ? 0 : 1];
  if (!is_same_question(shape, last)) {
    Result<SymbolicShape> dims =
        infer_shape(op.id, node.attributes, shape.inputs, shape.known, shape.given);
    if (!dims) return dims.error();
    shape.result = *std::move(dims);
    last = std::move(shape);
  }
  ValueInfo result{{}, input(typed_input(op.info)).dtype, last.result};
  // OpenVINO's axis is the third input.
  const std::optional<std::int64_t> axis =
      count > 2 ? known_value(input(2)) : integer_of(node.attributes, "axis", 0);
  if (op.info.name == "Gather" && axis)
    result.elements = gather_elements(input(0), input(1), *axis);
  return std::optional(std::move(result));
}

bool NodeRules::is_same_question(const NodeShape& a, const NodeShape& b) {
  return a.op == b.op && *a.attributes == *b.attributes && a.inputs == b.inputs &&
         a.known == b.known && a.given == b.given;
}

}  // namespace windrow::internal
