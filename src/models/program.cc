#include "src/models/program.h"

#include <algorithm>
#include <utility>

#include "src/models/find_in.h"
#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// The number of operators that a message names.
constexpr std::size_t kShownOperators = 20;

Status check_supported(const Model& model) {
  const std::vector<std::string> unsupported = model.unsupported();
  if (unsupported.empty()) return {};
  return unsupported_error(
      "the model has operators that can't run here: ", listed(unsupported, "; ", kShownOperators),
      "; a gather or scatter node can run alone, by its name");
}

}  // namespace

Result<std::shared_ptr<const Program>> Program::of(std::shared_ptr<const Model> model) {
  Result<NumberedGraph> graph = NumberedGraph::of(*model, *model);
  if (!graph) return graph.error();
  if (Status status = check_supported(*model); !status) return status;
  const std::shared_ptr<Program> program(new Program(std::move(model), *std::move(graph)));
  if (Status status = program->read(); !status) return status;
  return std::shared_ptr<const Program>(program);
}

Status Program::read() {
  same_as_.resize(graph_.value_count());
  for (std::size_t i = 0; i < same_as_.size(); ++i) same_as_[i] = static_cast<ValueNumber>(i);
  add_given();
  Constants constants(graph_.value_count());
  if (Status status = add_constants(constants); !status) return status;
  steps_.reserve(model_->nodes.size());
  for (std::size_t i = 0; i < model_->nodes.size(); ++i) {
    Status status = add_node(i, constants);
    if (!status) return status.with_context("node '" + model_->nodes[i].name + "'");
  }
  for (const ValueInfo& output : model_->outputs)
    outputs_.push_back(resolved(graph_.find(output.name)));
  note_uses();
  for (std::size_t i = 0; i < constants.size(); ++i)
    if (constants[i] != nullptr && last_use_[i] != kNever)
      constants_.emplace_back(static_cast<ValueNumber>(i), std::move(constants[i]));
  return check_opaque();
}

// Inputs come first, since a run may replace a constant that is an input.
void Program::add_given() {
  for (const ValueInfo& input : model_->inputs)
    given_.push_back({input.name, graph_.find(input.name), nullptr, nullptr});
  for (const ValueInfo& input : model_->default_inputs) {
    const OpaqueConstant* const opaque = find_in(model_->opaque_constants, input.name);
    given_.push_back({input.name, graph_.find(input.name), find_in(model_->constants, input.name),
                      opaque == nullptr ? nullptr : &opaque->why});
  }
  std::sort(given_.begin(), given_.end(),
            [](const GivenInput& a, const GivenInput& b) { return a.name < b.name; });
}

// Only constants that something reads are loaded: others may be arbitrarily large.
Status Program::add_constants(Constants& constants) {
  std::vector<bool> is_read(graph_.value_count());
  for (std::size_t i = 0; i < model_->nodes.size(); ++i)
    for (const ValueNumber input : graph_.inputs(i))
      if (input != kNoValue) is_read[input] = true;
  for (const ValueInfo& output : model_->outputs) is_read[graph_.find(output.name)] = true;
  for (const GivenInput& given : given_) is_read[given.value] = false;
  ValueNumber value = 0;
  for (const auto& [name, constant] : model_->constants) {
    if (is_read[value]) {
      Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
      if (!tensor) return tensor.error().with_context("constant '" + name + "'");
      constants[value] = *std::move(tensor);
    }
    ++value;
  }
  return {};
}

Status Program::add_node(std::size_t position, Constants& constants) {
  const ModelNode& node = model_->nodes[position];
  const std::span<const ValueNumber> inputs = graph_.inputs(position);
  const ValueNumber output =
      graph_.outputs(position).empty() ? kNoValue : graph_.outputs(position).front();
  if (is_constant(node)) {
    if (Status status = check_arity(node, 0, 1); !status) return status;
    const Result<int> opset = opset_of(*model_, node.domain);
    if (!opset) return opset.error();
    Result<std::shared_ptr<const Tensor>> value = constant_value(node, *opset);
    if (!value) return value.error();
    constants[output] = *std::move(value);
    return {};
  }
  if (is_identity(node)) {
    if (Status status = check_arity(node, 1, 1); !status) return status;
    same_as_[output] = resolved(inputs.front());
    return {};
  }
  if (is_convert(*model_, node)) {
    if (Status status = check_arity(node, 1, 1); !status) return status;
    return add_conversion(node, resolved(inputs.front()), output, constants);
  }
  const Result<const NodeOperator*> op = operators_.find(node);
  if (!op) return op.error();
  steps_.push_back({&node, *op, DType::kAbsent, output, inputs_.size()});
  for (const ValueNumber input : inputs) inputs_.push_back(resolved(input));
  return {};
}

Status Program::add_conversion(const ModelNode& node, ValueNumber input, ValueNumber output,
                               Constants& constants) {
  const Result<DType> type = convert_type(node);
  if (!type) return type.error();
  if (constants[input] != nullptr) {
    Result<Tensor> converted = convert(constants[input]->view(), *type);
    if (!converted) return converted.error();
    constants[output] = std::make_shared<const Tensor>(*std::move(converted));
    return {};
  }
  steps_.push_back({&node, nullptr, *type, output, inputs_.size()});
  inputs_.push_back(input);
  return {};
}

void Program::note_uses() {
  last_use_.assign(graph_.value_count(), kNever);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    for (const ValueNumber input : inputs(i))
      if (input != kNoValue) last_use_[input] = i;
  for (const ValueNumber output : outputs_) last_use_[output] = kAtTheEnd;
}

std::size_t Program::position_of(std::string_view name) const {
  const auto found = std::lower_bound(
      given_.begin(), given_.end(), name,
      [](const GivenInput& input, std::string_view wanted) { return input.name < wanted; });
  if (found == given_.end() || found->name != name) return given_.size();
  return static_cast<std::size_t>(found - given_.begin());
}

// A constant that cannot be represented does no harm as long as nothing reads it or a run may
// replace it.
Status Program::check_opaque() const {
  for (const auto& [name, constant] : model_->opaque_constants) {
    const bool may_be_given = position_of(name) < given_.size();
    if (!may_be_given && last_use_[graph_.find(name)] != kNever)
      return unsupported_error("the constant '", name, "' can't be used here: ", constant.why);
  }
  return {};
}

}  // namespace windrow::internal
