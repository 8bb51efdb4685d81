#include "src/models/host_ops/host_ops.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "windrow/counted.h"

namespace windrow::internal {
namespace {

template <class T>
Shape shape_of(const std::vector<T>& values) {
  return {static_cast<std::int64_t>(values.size())};
}

using SharedTensor = std::shared_ptr<const Tensor>;

SharedTensor share(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

// The tensor that an attribute's value stands for.
struct ToTensor {
  SharedTensor operator()(std::int64_t value) const {
    return share(Tensor::of<std::int64_t>({}, {value}));
  }
  SharedTensor operator()(double value) const {
    return share(Tensor::of<float>({}, {static_cast<float>(value)}));
  }
  SharedTensor operator()(const std::string& value) const {
    return share(Tensor::of<std::string>({}, {value}));
  }
  SharedTensor operator()(const std::vector<std::int64_t>& values) const {
    return share(Tensor::from<std::int64_t>(shape_of(values), values));
  }
  SharedTensor operator()(const std::vector<double>& values) const {
    const std::vector<float> floats(values.begin(), values.end());
    return share(Tensor::from<float>(shape_of(values), floats));
  }
  SharedTensor operator()(const std::vector<std::string>& values) const {
    return share(Tensor::from<std::string>(shape_of(values), values));
  }
  SharedTensor operator()(const SharedTensor& value) const { return value; }
  SharedTensor operator()(bool value) const { return share(Tensor::of<bool>({}, {value})); }
};

// The type, by its place in AttributeValue, that an attribute of Constant must have.
struct ValueAttribute {
  std::string_view name;
  std::size_t type;
  int since_opset;
};
constexpr ValueAttribute kValueAttributes[] = {{"value_int", 0, 12},    {"value_float", 1, 12},
                                               {"value_string", 2, 12}, {"value_ints", 3, 12},
                                               {"value_floats", 4, 12}, {"value_strings", 5, 12},
                                               {"value", 6, 1}};

}  // namespace

bool is_constant(const ModelNode& node) {
  return node.domain.empty() && node.op_type == "Constant" && node.unsupported.empty();
}

bool is_identity(const ModelNode& node) {
  return node.domain.empty() && node.op_type == "Identity" && node.unsupported.empty();
}

Result<SharedTensor> constant_value(const ModelNode& node, int opset) {
  if (node.attributes.size() != 1)
    return Status(ErrorCode::kFormat, "a Constant has one attribute, this one has " +
                                          std::to_string(node.attributes.size()));
  const std::string& name = node.attributes.begin()->first;
  const AttributeValue& value = node.attributes.begin()->second;
  const auto* const rule = std::find_if(std::begin(kValueAttributes), std::end(kValueAttributes),
                                        [&](const auto& row) { return row.name == name; });
  if (rule == std::end(kValueAttributes))
    return Status(ErrorCode::kUnsupported, "attribute '" + name + "' of Constant is not supported");
  if (opset < rule->since_opset)
    return Status(ErrorCode::kUnsupported, "attribute '" + name + "' exists since opset " +
                                               std::to_string(rule->since_opset) +
                                               ", the model's is " + std::to_string(opset));
  if (value.index() != rule->type)
    return Status(ErrorCode::kFormat, "attribute '" + name + "' has the wrong type");
  return std::visit(ToTensor{}, value);
}

Status check_arity(const ModelNode& node, std::size_t inputs, std::size_t outputs) {
  const auto omitted = [](const std::string& name) { return name.empty(); };
  const bool fits = node.inputs.size() == inputs && node.outputs.size() == outputs &&
                    std::none_of(node.inputs.begin(), node.inputs.end(), omitted) &&
                    std::none_of(node.outputs.begin(), node.outputs.end(), omitted);
  if (fits) return {};
  return {ErrorCode::kFormat, node.op_type + " takes " + counted(inputs, "input") + " and gives " +
                                  std::to_string(outputs) + ", the node names " +
                                  std::to_string(node.inputs.size()) + " and " +
                                  std::to_string(node.outputs.size())};
}

}  // namespace windrow::internal
