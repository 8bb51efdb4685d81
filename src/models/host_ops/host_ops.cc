#include "src/models/host_ops/host_ops.h"

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "src/models/find_in.h"
#include "src/models/text.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

using SharedTensor = std::shared_ptr<const Tensor>;

// The tensor that an attribute's value stands for. Floating-point numbers become float32.
struct ToTensor {
  template <class T>
  SharedTensor operator()(const T& value) const {
    return std::make_shared<const Tensor>(Tensor::of<T>({}, {value}));
  }
  template <class T>
  SharedTensor operator()(const std::vector<T>& values) const {
    const Shape shape = {static_cast<std::int64_t>(values.size())};
    return std::make_shared<const Tensor>(Tensor::from<T>(shape, values));
  }
  SharedTensor operator()(double value) const { return (*this)(static_cast<float>(value)); }
  SharedTensor operator()(const std::vector<double>& values) const {
    return (*this)(std::vector<float>(values.begin(), values.end()));
  }
  SharedTensor operator()(const SharedTensor& value) const { return value; }
};

// The type that an attribute of Constant must have, by its index in AttributeValue.
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

bool is_standard(const ModelNode& node, std::string_view op_type) {
  return node.domain.empty() && node.op_type == op_type && node.unsupported.empty();
}

Result<SharedTensor> constant_value(const ModelNode& node, int opset) {
  if (node.attributes.size() != 1)
    return format_error("a Constant has one attribute, this one has ", node.attributes.size());
  const std::string& name = node.attributes.begin()->first;
  const AttributeValue& value = node.attributes.begin()->second;
  const ValueAttribute* const rule =
      find_where(kValueAttributes, [&](const auto& row) { return row.name == name; });
  if (rule == nullptr)
    return unsupported_error("attribute '", name, "' of Constant is not supported");
  if (opset < rule->since_opset)
    return unsupported_error("attribute '", name, "' exists since opset ", rule->since_opset,
                             ", the model's is ", opset);
  if (value.index() != rule->type) return format_error("attribute '", name, "' has the wrong type");
  return std::visit(ToTensor{}, value);
}

Status check_arity(const ModelNode& node, std::size_t inputs, std::size_t outputs) {
  const auto omitted = [](const std::string& name) { return name.empty(); };
  const bool fits = node.inputs.size() == inputs && node.outputs.size() == outputs &&
                    std::none_of(node.inputs.begin(), node.inputs.end(), omitted) &&
                    std::none_of(node.outputs.begin(), node.outputs.end(), omitted);
  if (fits) return {};
  return format_error(node.op_type, " takes ", counted(inputs, "input"), " and gives ", outputs,
                      ", the node names ", node.inputs.size(), " and ", node.outputs.size());
}

}  // namespace windrow::internal
