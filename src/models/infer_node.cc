#include "src/models/infer_node.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "src/models/find_in.h"
#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/propagate.h"
#include "src/models/text.h"

namespace windrow::internal {
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

Result<std::optional<ValueInfo>> NodeRules::find_result(const NodeOperator& op,
                                                        const ModelNode& node) {
  const std::size_t count = op.info.inputs.size();
  NodeShape shape{&op, &node.attributes, {}, {}, {}, {}};
  shape.inputs.reserve(count);
  shape.known.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    shape.inputs.push_back(input(i).dims);
    shape.known.push_back(known_value(input(i)));
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    shape.given.push_back({input(i).dtype, !node.inputs[i].empty(), input(i).other_type});
  if (shape.given.empty()) shape.given.push_back({DType::kAbsent, false});
  if (!judges_types_) shape.given.clear();
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
  const KnownValue axis = count > 2 ? last.known[2] : integer_of(node.attributes, "axis", 0);
  if (op.info.name == "Gather" && axis)
    result.elements = gather_elements(input(0), input(1), *axis);
  return std::optional(std::move(result));
}

bool NodeRules::is_same_question(const NodeShape& a, const NodeShape& b) {
  return a.op == b.op && *a.attributes == *b.attributes && a.inputs == b.inputs &&
         a.known == b.known && a.given == b.given;
}

}  // namespace windrow::internal
