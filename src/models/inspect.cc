#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/node_operator.h"
#include "src/models/propagate.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using Values = std::map<std::string, ValueInfo, std::less<>>;

std::int64_t integer(const ModelNode& node, const OperatorInfo& info, std::string_view name) {
  if (const auto given = node.attributes.find(name); given != node.attributes.end()) {
    if (const auto* value = std::get_if<std::int64_t>(&given->second)) return *value;
  }
  for (const OperatorAttribute& attribute : info.attributes) {
    if (attribute.name == name) return std::get<std::int64_t>(attribute.default_value);
  }
  return 0;
}

bool has_attribute(const OperatorInfo& info, std::string_view name) {
  return std::any_of(info.attributes.begin(), info.attributes.end(),
                     [name](const OperatorAttribute& attribute) { return attribute.name == name; });
}

std::string axis_of(std::int64_t axis, std::int64_t rank) {
  return "axis " + std::to_string(axis < 0 ? axis + rank : axis) + " of " + std::to_string(rank);
}

// The axes that index tuples address: K of them, after the batch axes.
std::string tuple_axes(const SymbolicShape& indices, std::int64_t batch_dims, std::int64_t rank) {
  if (!indices || indices->empty() || !indices->back().is_known()) return "?";
  const std::int64_t count = indices->back().value;
  if (count == 0) return "no axis of " + std::to_string(rank);
  if (count == 1 && batch_dims == 0) return axis_of(0, rank);
  const std::string axes = count == 1 ? "axis " + std::to_string(batch_dims)
                                      : "axes " + std::to_string(batch_dims) + ".." +
                                            std::to_string(batch_dims + count - 1);
  return axes + " of " + std::to_string(rank) +
         (batch_dims > 0 ? " (batch_dims " + std::to_string(batch_dims) + ")" : "");
}

// The position of the input that is the axis; as many as there are inputs if it is none.
std::size_t axis_input(const OperatorInfo& info) {
  const auto is_axis = [](const OperatorInput& input) { return input.name == "axis"; };
  return static_cast<std::size_t>(std::find_if(info.inputs.begin(), info.inputs.end(), is_axis) -
                                  info.inputs.begin());
}

std::string describe_axis(const ModelNode& node, const OperatorInfo& info,
                          const std::vector<ValueInfo>& inputs) {
  if (inputs.size() < 2 || !inputs[0].dims) return "?";
  const auto rank = static_cast<std::int64_t>(inputs[0].dims->size());
  if (const std::size_t at = axis_input(info); at < info.inputs.size()) {
    const auto axis = at < inputs.size() ? internal::known_value(inputs[at]) : std::nullopt;
    return axis ? axis_of(*axis, rank) : "? of " + std::to_string(rank);
  }
  if (has_attribute(info, "axis")) return axis_of(integer(node, info, "axis"), rank);
  if (info.name.find("ND") != std::string::npos)
    return tuple_axes(inputs[1].dims, integer(node, info, "batch_dims"), rank);
  return axis_of(-1, rank);
}

// The spec of a value whose type and dimensions are all known.
std::optional<TensorSpec> spec_of(const ValueInfo& value) {
  if (value.dtype == DType::kAbsent || !value.dims) return std::nullopt;
  TensorSpec spec;
  spec.dtype = value.dtype;
  for (const Dim& dim : *value.dims) {
    if (!dim.is_known() || !spec.shape.push_back(dim.value)) return std::nullopt;
  }
  return spec;
}

// The value of an input that compile asks for: the constant, or what inference found.
Result<std::shared_ptr<const Tensor>> value_of(const Model& model, const ValueInfo& input) {
  const auto constant = model.constants.find(input.name);
  if (constant != model.constants.end()) return constant->second;
  const std::optional<std::int64_t> known = internal::known_value(input);
  if (!known) return std::shared_ptr<const Tensor>();
  Shape shape;
  for (const Dim& dim : *input.dims) shape.push_back(dim.value);
  Result<Tensor> value = internal::convert(Tensor::of<std::int64_t>(shape, {*known}), input.dtype);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

void add_plan(const Model& model, const internal::NodeOperator& op, const ModelNode& node,
              const CallOptions& options, NodeReport& report) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i].empty()) {
      specs.emplace_back();
      continue;
    }
    std::optional<TensorSpec> spec = spec_of(report.inputs[i]);
    if (!spec) {
      report.plan = "none: input '" + node.inputs[i] + "' is " + to_string(report.inputs[i]);
      return;
    }
    if (i < op.info.inputs.size() && op.info.inputs[i].value_at_compile) {
      Result<std::shared_ptr<const Tensor>> value = value_of(model, report.inputs[i]);
      if (!value || *value == nullptr) {
        report.plan = "none: the value of input '" + node.inputs[i] + "' is not known";
        return;
      }
      spec->value = *std::move(value);
    }
    specs.push_back(*std::move(spec));
  }
  const Result<Plan> plan = compile(op.id, node.attributes, specs, options);
  if (!plan) {
    report.plan = "none: " + plan.error().message();
    return;
  }
  report.plan = plan->describe();
  report.notes.insert(report.notes.end(), plan->notes().begin(), plan->notes().end());
}

OutOfRange policy_of(const OperatorInfo& info, const CallOptions& options) {
  if (options.out_of_range) return *options.out_of_range;
  return options.strict ? info.strict_out_of_range : info.out_of_range;
}

bool contradicts(const ValueInfo& declared, const ValueInfo& found) {
  const bool types = declared.dtype != DType::kAbsent && found.dtype != DType::kAbsent;
  if (types && declared.dtype != found.dtype) return true;
  if (!declared.dims || !found.dims) return false;
  const auto differ = [](const Dim& a, const Dim& b) {
    return a.is_known() && b.is_known() && a.value != b.value;
  };
  return declared.dims->size() != found.dims->size() ||
         !std::equal(declared.dims->begin(), declared.dims->end(), found.dims->begin(),
                     [&](const Dim& a, const Dim& b) { return !differ(a, b); });
}

void note_contradictions(const Model& model, const ValueInfo& found, NodeReport& report) {
  for (const auto* declared : {&model.values, &model.outputs}) {
    for (const ValueInfo& value : *declared) {
      if (value.name == found.name && contradicts(value, found))
        report.notes.push_back("the model declares '" + value.name + "' as " + to_string(value) +
                               ", but it is " + to_string(found));
    }
  }
}

NodeReport make_report(const Model& model, const ModelNode& node, const internal::NodeOperator& op,
                       const Values& values, const CallOptions& options) {
  NodeReport report;
  report.node = node.name;
  report.operator_name =
      op.info.dialect + "." + op.info.name + "-" + std::to_string(op.info.since_version);
  for (const std::string& name : node.inputs)
    report.inputs.push_back(name.empty() ? ValueInfo() : values.find(name)->second);
  for (const std::string& name : node.outputs)
    report.outputs.push_back(name.empty() ? ValueInfo() : values.find(name)->second);
  report.axis = describe_axis(node, op.info, report.inputs);
  report.policy = out_of_range_name(policy_of(op.info, options));
  for (const ValueInfo& output : report.outputs) note_contradictions(model, output, report);
  add_plan(model, op, node, options, report);
  return report;
}

}  // namespace

Result<std::vector<NodeReport>> Model::inspect(const CallOptions& options) const {
  const Result<Values> values = infer();
  if (!values) return values.error();
  std::vector<NodeReport> reports;
  for (const ModelNode& node : nodes) {
    const Result<internal::NodeOperator> op = internal::find_node_operator(*this, node);
    if (op) reports.push_back(make_report(*this, node, *op, *values, options));
  }
  return reports;
}

}  // namespace windrow
