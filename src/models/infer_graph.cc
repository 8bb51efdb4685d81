#include "src/models/infer_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "src/models/host_ops/host_ops.h"

namespace windrow::internal {
namespace {

// What is known of a constant that the library cannot represent; nothing if there is none of that
// name.
Knowledge opaque_constant(const Graph& graph, std::string_view name) {
  Knowledge known;
  const OpaqueConstant* const constant = find_in(graph.opaque_constants, name);
  if (constant != nullptr) known.proven.other_type = constant->other_type;
  if (has_type(known.proven)) known.proven.basis = Basis::kProven;
  return known;
}

bool is_claimed(const KnowledgeRef& value) { return value.claim != nullptr; }
bool is_of_onnx(const KnowledgeRef& value) { return value.proven->basis == Basis::kOnnx; }

Basis basis_of(const ValueInfo& result, std::span<const KnowledgeRef> inputs) {
  if (is_unknown(result)) return Basis::kUnknown;
  Basis basis = Basis::kProven;
  for (const KnowledgeRef& input : inputs) basis = std::max(basis, input.proven->basis);
  return basis;
}

}  // namespace

Knowledge declared_input(const ValueInfo& declared) {
  Knowledge known{declared};
  known.proven.elements.reset();
  known.proven.basis = is_unknown(declared) ? Basis::kUnknown : Basis::kProven;
  return known;
}

Status GraphWalk::infer(InferredGraph& graph, std::span<const Knowledge> inputs) {
  state_.faults -= graph.faults().size();
  graph.clear();
  if (state_.loops.depth > 0) state_.loops.looked_at += graph.graph().nodes.size();
  if (Status status = infer_given(graph, inputs); !status) return status;
  for (std::size_t i = 0; i < graph.graph().nodes.size(); ++i) {
    if (Status status = infer_node(graph, i); !status) return status;
  }
  return {};
}

Status GraphWalk::infer_given(InferredGraph& graph, std::span<const Knowledge> inputs) {
  const Graph& given = graph.graph();
  const NumberedGraph& numbers = graph.numbers();
  // A run may replace a default, so only its declaration holds.
  const std::vector<ValueInfo>& declared =
      &given == state_.main ? *state_.default_inputs : given.default_inputs;
  std::vector<const ValueInfo*> defaults(declared.empty() ? 0 : numbers.given_count());
  for (const ValueInfo& value : declared) defaults[numbers.find(value.name)] = &value;
  const auto define_default = [&](ValueNumber number) {
    define(graph, InferredGraph::kNoNode, number,
           graph.is_body() ? Knowledge() : declared_input(*defaults[number]));
  };
  ValueNumber number = 0;
  for (const auto& [name, constant] : given.constants) {
    if (!defaults.empty() && defaults[number] != nullptr) {
      define_default(number);
    } else {
      Result<ValueInfo> info = describe_constant(constant);
      if (!info) return info.error().with_context("constant '" + name + "'");
      define(graph, InferredGraph::kNoNode, number, {*std::move(info)});
    }
    ++number;
  }
  for (std::size_t i = 0; i < given.inputs.size(); ++i, ++number)
    define(graph, InferredGraph::kNoNode, number,
           i < inputs.size() ? Knowledge(inputs[i]) : Knowledge());
  for (; number < numbers.given_count(); ++number) {
    if (!defaults.empty() && defaults[number] != nullptr) {
      define_default(number);
    } else {
      define(graph, InferredGraph::kNoNode, number, opaque_constant(given, numbers.name(number)));
    }
  }
  return {};
}

Status GraphWalk::infer_node(InferredGraph& graph, std::size_t position) {
  const ModelNode& node = graph.graph().nodes[position];
  if (!node.bodies.empty()) return infer_node_with_bodies(graph, position);
  inputs_.clear();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs_.push_back(graph.input(position, i));
  const std::span<const ValueNumber> outputs = graph.numbers().outputs(position);
  Knowledge known = infer_result(graph, position);
  // The rules cover the first output only.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (rules_.found_none()) add_others(graph, node.outputs[i], known);
    define(graph, position, outputs[i], std::move(known));
    known = {};
  }
  return {};
}

// What the rules say about a node's first output. Records a broken rule.
Knowledge GraphWalk::infer_result(InferredGraph& graph, std::size_t position) {
  const ModelNode& node = graph.graph().nodes[position];
  const auto record = [&](Status status, const std::string& claim, Basis by) {
    add_fault(graph, {position, Finding::Kind::kBrokenRule,
                      node.outputs.empty() ? std::string() : node.outputs.front(),
                      std::move(status), claim, by});
  };
  Result<std::optional<ValueInfo>> proven = rules_.find(node, inputs_, View::kProven);
  if (!proven) {
    const auto said = std::find_if(inputs_.begin(), inputs_.end(), is_of_onnx);
    const auto input = static_cast<std::size_t>(said - inputs_.begin());
    record(proven.error(), said == inputs_.end() ? std::string() : node.inputs[input],
           Basis::kOnnx);
    // The shape does not depend on the types.
    if (proven.error().code() != ErrorCode::kType) return {};
    proven = rules_.find(node, inputs_, View::kProven, false);
    if (!proven || !*proven) return {};
    Knowledge known{**std::move(proven)};
    known.proven.basis = basis_of(known.proven, inputs_);
    return known;
  }
  if (!*proven) {
    state_.met_other_operator = true;
    return {};
  }
  const auto lacks = [](const KnowledgeRef& input) {
    return !has_type(*input.proven) || !input.proven->dims;
  };
  if (rules_.found_operator() && !state_.lacks_knowledge) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      state_.lacks_knowledge |= !node.inputs[i].empty() && lacks(inputs_[i]);
  }
  Knowledge known{**std::move(proven)};
  known.proven.basis = basis_of(known.proven, inputs_);
  const auto claimed = std::find_if(inputs_.begin(), inputs_.end(), is_claimed);
  if (claimed == inputs_.end()) return known;
  Result<std::optional<ValueInfo>> more = rules_.find(node, inputs_, View::kCompleted);
  if (!more) {
    record(more.error(), *claimed->claim, Basis::kClaimed);
  } else if (!is_same(**more, known.proven)) {
    known.completed = **std::move(more);
    known.claim = *claimed->claim;
  }
  return known;
}

Status GraphWalk::infer_node_with_bodies(InferredGraph& graph, std::size_t position) {
  const ModelNode& node = graph.graph().nodes[position];
  const std::span<const std::unique_ptr<InferredGraph>> bodies = graph.bodies(position);
  const InferBody walk = [this](InferredGraph& body, std::span<const Knowledge> inputs) {
    return infer(body, inputs);
  };
  std::vector<Knowledge> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    inputs.push_back(graph.input(position, i).copy());
  const auto is = [&](std::string_view op_type) { return is_onnx_ && is_standard(node, op_type); };
  const bool has_one = bodies.size() == 1;
  Result<std::vector<Knowledge>> found = std::vector<Knowledge>();
  if (is("If")) {
    found = infer_if(bodies, walk);
  } else if (has_one && is("Loop")) {
    found = infer_loop(*bodies.front(), std::move(inputs), state_.loops, walk);
  } else if (has_one && is("Scan") && opset_ >= 9) {
    found = infer_scan(node, *bodies.front(), inputs, state_.loops, walk);
  } else {
    state_.met_other_operator = true;
    for (const std::unique_ptr<InferredGraph>& body : bodies) {
      if (Status status = infer(*body, {}); !status) return status;
    }
  }
  if (!found) return found.error();
  const std::span<const ValueNumber> outputs = graph.numbers().outputs(position);
  found->resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    add_others(graph, node.outputs[i], (*found)[i]);
    define(graph, position, outputs[i], std::move((*found)[i]));
  }
  return {};
}

void GraphWalk::add_others(const InferredGraph& graph, std::string_view name,
                           Knowledge& known) const {
  if (state_.others == nullptr) return;
  const ValueInfos* const values = find_in(*state_.others, graph.path());
  const ValueInfo* const found = values == nullptr ? nullptr : find_in(*values, name);
  if (found == nullptr) return;
  const ValueInfo& said = *found;
  if (contradicts(said, known.proven) || !adds(said, known.proven)) return;
  known.proven = completed(std::move(known.proven), said);
  known.proven.basis = Basis::kOnnx;
  if (!known.completed) return;
  if (!contradicts(said, *known.completed))
    known.completed = completed(*std::move(known.completed), said);
  if (contradicts(said, *known.completed) || is_same(*known.completed, known.proven))
    known.completed.reset();
}

void GraphWalk::define(InferredGraph& graph, std::size_t node, ValueNumber number,
                       Knowledge&& known) {
  if (number == kNoValue) return;
  for (const auto& [claimed_number, declared] : graph.claims(number)) {
    const bool against_proven = contradicts(*declared, known.proven);
    const ValueInfo& now = known.in(against_proven ? View::kProven : View::kCompleted);
    if (against_proven || contradicts(*declared, now)) {
      const bool is_of_onnx = against_proven && known.proven.basis == Basis::kOnnx;
      add_fault(graph,
                {node,
                 Finding::Kind::kContradiction,
                 declared->name,
                 {ErrorCode::kFormat, "the model declares '" + declared->name + "' as " +
                                          to_string(*declared) + ", but it is " + to_string(now)},
                 is_of_onnx       ? declared->name
                 : against_proven ? std::string()
                                  : known.claim,
                 is_of_onnx ? Basis::kOnnx : Basis::kClaimed});
    } else if (adds(*declared, now)) {
      ValueInfo more = completed(now, *declared);
      if (!known.completed) known.claim = declared->name;
      known.completed = std::move(more);
    }
  }
  graph.set(number, std::move(known));
}

void GraphWalk::add_fault(InferredGraph& graph, InferredGraph::Fault fault) {
  ++state_.faults;
  graph.faults().push_back(std::move(fault));
}

}  // namespace windrow::internal
