#include "src/models/inspect.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/infer_node.h"
#include "src/models/inferred_model.h"
#include "src/models/program.h"
#include "src/models/value_info.h"
#include "src/operators/known_run.h"
#include "src/operators/left_out.h"
#include "windrow/models.h"

namespace windrow {
namespace {

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
Result<std::shared_ptr<const Tensor>> value_of(const internal::InferredGraph& graph,
                                               const ValueInfo& input) {
  const Constant* const constant = graph.constant(input.name);
  if (constant != nullptr) return constant->tensor();
  const std::optional<std::int64_t> known = internal::known_value(input);
  if (!known) return std::shared_ptr<const Tensor>();
  Shape shape;
  for (const Dim& dim : *input.dims) shape.push_back(dim.value);
  Result<Tensor> value = internal::convert(Tensor::of<std::int64_t>(shape, {*known}), input.dtype);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

// Descriptions of plans, made once for the nodes that share a plan: models repeat themselves.
class PlanDescriptions {
 public:
  std::shared_ptr<const PlanDescription> find(const Plan& plan) {
    const internal::PlanState* const state = &internal::PlanAccess::state(plan);
    const auto known = described_.find(state);
    if (known != described_.end()) return known->second.second;
    if (described_.size() == kMost) described_.clear();
    auto description = std::make_shared<const PlanDescription>(plan.description());
    described_.emplace(state, std::pair(plan, description));
    return description;
  }

 private:
  static constexpr std::size_t kMost = 256;  // that are kept at a time

  std::map<const internal::PlanState*, std::pair<Plan, std::shared_ptr<const PlanDescription>>>
      described_;
};

// Adds the values that follow from ids where the node leaves inputs out. Returns false, and says
// so, if the ids are not known before a run.
bool add_left_out(const internal::InferredGraph& graph, const internal::NodeOperator& op,
                  const ModelNode& node, NodeReport& report, std::vector<TensorSpec>& specs) {
  for (std::size_t i = 0; i < op.info.inputs.size(); ++i) {
    const int ids = op.info.inputs[i].counted_input;
    const auto counted = static_cast<std::size_t>(ids);
    if (ids < 0 || (i < specs.size() && !specs[i].is_absent()) || counted >= specs.size()) continue;
    const Result<std::shared_ptr<const Tensor>> value = value_of(graph, report.inputs[counted]);
    if (!value || *value == nullptr) {
      report.no_plan = op.info.inputs[i].name + " is left out, and the last of '" +
                       node.inputs[counted] + "' is not known";
      return false;
    }
    const TensorView views[] = {**value};
    const std::optional<std::int64_t> count = internal::count_by_last_id(views, 0);
    if (!count) continue;
    specs.resize(std::max(specs.size(), i + 1));
    specs[i].value = std::make_shared<const Tensor>(Tensor::of<std::int64_t>({}, {*count}));
  }
  return true;
}

void add_plan(const internal::InferredGraph& graph, const internal::NodeOperator& op,
              const ModelNode& node, const CallOptions& options, PlanDescriptions& descriptions,
              NodeReport& report) {
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
      Result<std::shared_ptr<const Tensor>> value = value_of(graph, report.inputs[i]);
      if (!value || *value == nullptr) {
        report.no_plan = "the value of input '" + node.inputs[i] + "' is not known";
        return;
      }
      spec->value = *std::move(value);
    }
    specs.push_back(*std::move(spec));
  }
  if (!add_left_out(graph, op, node, report, specs)) return;
  const Result<Plan> plan = compile(op.id, node.attributes, specs, options);
  if (!plan) {
    report.no_plan = plan.error().message();
    return;
  }
  report.plan = descriptions.find(*plan);
  const std::span<const std::string> notes = plan->notes();
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

OutOfRange policy_of(const OperatorInfo& info, const CallOptions& options) {
  if (options.out_of_range) return *options.out_of_range;
  return options.strict ? info.strict_out_of_range : info.out_of_range;
}

// Makes the reports of a model's nodes, one after another.
class Reporter final : public internal::InferredWalk {
 public:
  Reporter(const internal::InferredModel& inferred, const CallOptions& options,
           const std::function<void(const NodeReport&)>& visit)
      : InferredWalk(inferred), options_(options), visit_(visit) {}

  void visit(const NodePlace& place, std::size_t position) override {
    const Result<const internal::NodeOperator*> op = root().operators.find(place.node);
    if (!op) return;
    report(place, position, **op);
    visit_(report_);
  }

 private:
  // Overwrites the previous node's report, to reuse its memory.
  void report(const NodePlace& place, std::size_t position, const internal::NodeOperator& op) {
    report_.node = place.node.name;
    report_.path = place.path;
    report_.operator_name =
        internal::text_of({op.info.dialect, ".", op.info.name, "-", op.info.since_version});
    report_.inputs.resize(place.node.inputs.size());
    for (std::size_t i = 0; i < place.node.inputs.size(); ++i) {
      report_.inputs[i] = *graph().input(position, i).completed;
      report_.inputs[i].name = place.node.inputs[i];
    }
    const std::span<const internal::ValueNumber> outputs = graph().numbers().outputs(position);
    report_.outputs.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      report_.outputs[i] =
          outputs[i] == internal::kNoValue ? ValueInfo() : graph().values()[outputs[i]];
    report_.axis = internal::find_indexed_axes(place.node, op.info, report_.inputs);
    report_.policy = out_of_range_name(policy_of(op.info, options_));
    report_.notes.clear();
    report_.plan = nullptr;
    report_.no_plan.clear();
    add_plan(graph(), op, place.node, options_, descriptions_, report_);
  }

  const CallOptions& options_;
  PlanDescriptions descriptions_;
  NodeReport report_;
  const std::function<void(const NodeReport&)>& visit_;
};

}  // namespace

Result<Inference> Model::inspect(const CallOptions& options, const InferOptions& infer_options,
                                 const std::function<void(const NodeReport&)>& visit) const {
  const Result<internal::InferredModel> inferred =
      internal::InferredModel::of(*this, infer_options);
  if (!inferred) return inferred.error();
  Reporter reporter(*inferred, options, visit);
  internal::walk_model(*this, reporter);
  return Inference{{}, inferred->findings(), inferred->notes()};
}

Result<std::vector<NodeReport>> Model::inspect(const CallOptions& options,
                                               const InferOptions& infer_options) const {
  std::vector<NodeReport> reports;
  const Status status = inspect(options, infer_options, [&reports](const NodeReport& report) {
                          reports.push_back(report);
                        }).error();
  if (!status) return status;
  return reports;
}

namespace internal {
namespace {

// The attribute's value in the node, else its default; nothing for operators without it.
std::optional<std::int64_t> integer(const ModelNode& node, const OperatorInfo& info,
                                    std::string_view name) {
  const OperatorAttribute* const declared = find_where(
      info.attributes, [name](const OperatorAttribute& each) { return each.name == name; });
  if (declared == nullptr) return std::nullopt;
  return integer_of(node.attributes, name, std::get<std::int64_t>(declared->default_value));
}

// The position of the input that is the axis; the number of inputs if no input is.
std::size_t axis_input(const OperatorInfo& info) {
  const auto is_axis = [](const OperatorInput& input) { return input.name == "axis"; };
  return static_cast<std::size_t>(std::find_if(info.inputs.begin(), info.inputs.end(), is_axis) -
                                  info.inputs.begin());
}

// Sets the axis. An axis that the rank does not have stays unknown.
void set_axis(std::int64_t axis, IndexedAxes& axes) {
  if (axis < 0) axis += *axes.rank;
  if (axis >= 0 && axis < *axes.rank) axes.axes = {axis};
}

// Whether indices are tuples, which the operator says or the mode of a TensorRT layer.
bool takes_tuples(const ModelNode& node, const OperatorInfo& info) {
  if (info.name.find("ND") != std::string::npos) return true;
  const auto* const mode = attribute_of<std::string>(node.attributes, "mode");
  return mode != nullptr && *mode == "ND";
}

// Sets the axes that index tuples address: after the batch axes, one for each index of a tuple.
void set_tuple_axes(const SymbolicShape& indices, IndexedAxes& axes) {
  if (!indices || indices->empty() || !indices->back().is_known()) return;
  const std::int64_t count = indices->back().value;
  if (axes.batch_dims < 0 || axes.batch_dims > *axes.rank - count) return;
  axes.axes.emplace();
  for (std::int64_t i = 0; i < count; ++i) axes.axes->push_back(axes.batch_dims + i);
}

}  // namespace

IndexedAxes find_indexed_axes(const ModelNode& node, const OperatorInfo& info,
                              const std::vector<ValueInfo>& inputs) {
  IndexedAxes axes;
  if (inputs.size() < 2 || !inputs[0].dims) return axes;
  axes.rank = static_cast<std::int64_t>(inputs[0].dims->size());
  const bool has_tensorrt_modes = integer(node, info, "num_elementwise_dims").has_value();
  axes.batch_dims =
      integer(node, info, has_tensorrt_modes ? "num_elementwise_dims" : "batch_dims").value_or(0);
  if (axes.batch_dims < 0 && inputs[1].dims)  // OpenVINO's count from the end of the indices
    axes.batch_dims += static_cast<std::int64_t>(inputs[1].dims->size());
  if (info.name == "OneHot") ++*axes.rank;  // its axis is one of the output
  if (const std::size_t at = axis_input(info); at < info.inputs.size()) {
    const auto axis = at < inputs.size() ? known_value(inputs[at]) : std::nullopt;
    if (axis) set_axis(*axis, axes);
  } else if (takes_tuples(node, info)) {
    set_tuple_axes(inputs[1].dims, axes);
  } else if (info.name == "SegmentMax") {
    set_axis(0, axes);
  } else if (info.name == "SliceScatter") {
    axes.axes.emplace();
  } else if (const auto axis = integer(node, info, "axis")) {
    set_axis(*axis, axes);
  } else {
    set_axis(info.name == "KVCacheUpdate" ? -2 : -1, axes);
  }
  return axes;
}

}  // namespace internal

std::string to_string(const IndexedAxes& indexed) {
  if (!indexed.rank) return "?";
  std::string text = "?";
  if (indexed.axes && indexed.axes->empty()) text = "no axis";
  if (indexed.axes && !indexed.axes->empty()) {
    const auto [first, last] = std::pair(indexed.axes->front(), indexed.axes->back());
    text = (first == last ? "axis " : "axes ") + std::to_string(first) +
           (first == last ? "" : ".." + std::to_string(last));
  }
  text += " of " + std::to_string(*indexed.rank);
  if (indexed.batch_dims > 0) text += " (batch_dims " + std::to_string(indexed.batch_dims) + ")";
  return text;
}

}  // namespace windrow
