#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/indexed_axes.h"
#include "src/models/infer_values.h"
#include "src/models/node_operator.h"
#include "src/models/node_plans.h"
#include "src/models/numbered_graph.h"
#include "src/models/propagate.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using internal::kNoValue;
using internal::ValueNumber;

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
  if (constant != model.constants.end()) return constant->second.tensor();
  const std::optional<std::int64_t> known = internal::known_value(input);
  if (!known) return std::shared_ptr<const Tensor>();
  Shape shape;
  for (const Dim& dim : *input.dims) shape.push_back(dim.value);
  Result<Tensor> value = internal::convert(Tensor::of<std::int64_t>(shape, {*known}), input.dtype);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

void add_plan(const Model& model, const internal::NodeOperator& op, const ModelNode& node,
              internal::NodePlans& plans, NodeReport& report) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i].empty()) {
      specs.emplace_back();
      continue;
    }
    std::optional<TensorSpec> spec = spec_of(report.inputs[i]);
    if (!spec) {
      report.no_plan = "input '" + node.inputs[i] + "' is " + to_string(report.inputs[i]);
      return;
    }
    if (i < op.info.inputs.size() && op.info.inputs[i].value_at_compile) {
      Result<std::shared_ptr<const Tensor>> value = value_of(model, report.inputs[i]);
      if (!value || *value == nullptr) {
        report.no_plan = "the value of input '" + node.inputs[i] + "' is not known";
        return;
      }
      spec->value = *std::move(value);
    }
    specs.push_back(*std::move(spec));
  }
  const internal::NodePlans::Entry& found = plans.find_described(op, node.attributes, specs);
  if (!found.plan) {
    report.no_plan = found.plan.error().message();
    return;
  }
  report.plan = found.description;
  const std::span<const std::string> notes = found.plan->notes();
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
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

// Makes the reports of a model's nodes, one after another.
class Reporter {
 public:
  Reporter(const Model& model, const internal::NumberedGraph& graph,
           const std::vector<ValueInfo>& values, const CallOptions& options)
      : model_(model), graph_(graph), values_(values), options_(options), plans_(options) {
    for (const auto* declared : {&model.values, &model.outputs}) {
      for (const ValueInfo& value : *declared) {
        const ValueNumber number = graph.find(value.name);
        if (number != kNoValue && contradicts(value, values[number]))
          declared_.emplace(number, &value);
      }
    }
  }

  NodeReport report(std::size_t position, const internal::NodeOperator& op) {
    const ModelNode& node = model_.nodes[position];
    NodeReport report;
    report.node = node.name;
    report.operator_name =
        op.info.dialect + "." + op.info.name + "-" + std::to_string(op.info.since_version);
    report.inputs = listed(graph_.inputs(position));
    report.outputs = listed(graph_.outputs(position));
    report.axis = internal::find_indexed_axes(node, op.info, report.inputs);
    report.policy = out_of_range_name(policy_of(op.info, options_));
    for (const ValueNumber output : graph_.outputs(position))
      note_contradictions(output, report.notes);
    add_plan(model_, op, node, plans_, report);
    return report;
  }

 private:
  std::vector<ValueInfo> listed(std::span<const ValueNumber> numbers) const {
    std::vector<ValueInfo> list;
    list.reserve(numbers.size());
    for (const ValueNumber number : numbers)
      list.push_back(number == kNoValue ? ValueInfo() : values_[number]);
    return list;
  }

  void note_contradictions(ValueNumber output, std::vector<std::string>& notes) const {
    const auto [first, last] = declared_.equal_range(output);
    for (auto declared = first; declared != last; ++declared)
      notes.push_back("the model declares '" + declared->second->name + "' as " +
                      to_string(*declared->second) + ", but it is " + to_string(values_[output]));
  }

  const Model& model_;
  const internal::NumberedGraph& graph_;
  const std::vector<ValueInfo>& values_;
  const CallOptions& options_;
  internal::NodePlans plans_;
  // What the model declares otherwise than it was found.
  std::multimap<ValueNumber, const ValueInfo*> declared_;
};

}  // namespace

Status Model::inspect(const CallOptions& options,
                      const std::function<void(const NodeReport&)>& visit) const {
  const Result<internal::NumberedGraph> graph = internal::NumberedGraph::of(*this);
  if (!graph) return graph.error();
  internal::NodeOperators operators(*this);
  const Result<std::vector<ValueInfo>> values = internal::infer_values(*this, *graph, operators);
  if (!values) return values.error();
  Reporter reporter(*this, *graph, *values, options);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Result<const internal::NodeOperator*> op = operators.find(nodes[i]);
    if (op) visit(reporter.report(i, **op));
  }
  return {};
}

Result<std::vector<NodeReport>> Model::inspect(const CallOptions& options) const {
  std::vector<NodeReport> reports;
  const Status status =
      inspect(options, [&reports](const NodeReport& report) { reports.push_back(report); });
  if (!status) return status;
  return reports;
}

}  // namespace windrow
