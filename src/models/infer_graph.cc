#include "src/models/infer_graph.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "src/models/check_inputs.h"
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

namespace {

// The number of nodes in bodies of loops that are inferred, in about a second. After that, shapes
// that a loop carries count as unknown immediately.
constexpr std::size_t kMostLookedAt = 1'000'000;

std::vector<Knowledge> outputs_of(const InferredGraph& body) {
  std::vector<Knowledge> outputs;
  outputs.reserve(body.graph().outputs.size());
  for (const ValueInfo& output : body.graph().outputs)
    outputs.push_back(body.find(output.name).copy());
  return outputs;
}

// What follows from several values. `find` gives it in one view of them; elements that it gives are
// dropped.
template <class Find>
Knowledge derive(std::span<const Knowledge* const> from, const Find& find) {
  Basis basis = Basis::kUnknown;
  for (const Knowledge* value : from) basis = std::max(basis, value->proven.basis);
  Knowledge known{find(View::kProven)};
  known.proven.elements.reset();
  known.proven.basis = is_unknown(known.proven) ? Basis::kUnknown : basis;
  const auto claimed = std::find_if(from.begin(), from.end(),
                                    [](const auto* value) { return value->completed.has_value(); });
  if (claimed == from.end()) return known;
  ValueInfo completed = find(View::kCompleted);
  completed.elements.reset();
  if (is_same(completed, known.proven)) return known;
  known.completed = std::move(completed);
  known.claim = (*claimed)->claim;
  return known;
}

template <class Change>
Knowledge change_dims(const Knowledge& from, const Change& change) {
  const Knowledge* const values[] = {&from};
  return derive(values, [&](View view) {
    ValueInfo value = from.in(view);
    change(value.dims);
    return value;
  });
}

// The values that a body hands from one iteration to the next.
struct States {
  std::size_t count;
  std::size_t first_input;   // of the body
  std::size_t first_output;  // of the body
};

// Widens what is known about the states so that it also holds after an iteration. Returns whether
// it already did.
bool widen(const States& states, const std::vector<Knowledge>& outputs,
           std::vector<Knowledge>& inputs) {
  bool were_so = true;
  for (std::size_t i = 0; i < states.count; ++i) {
    Knowledge& state = inputs[states.first_input + i];
    const std::size_t output = states.first_output + i;
    Knowledge joined = join(state, output < outputs.size() ? outputs[output] : Knowledge());
    were_so = were_so && is_same(joined, state) && joined.proven.basis == state.proven.basis;
    state = std::move(joined);
  }
  return were_so;
}

// Infers the body until what is known about the states holds in every iteration. `inputs` are those
// of the body: in the first iteration when called, in all iterations afterwards.
Status settle(InferredGraph& body, const States& states, std::vector<Knowledge>& inputs,
              LoopBudget& budget, const InferBody& infer) {
  constexpr int kMostPasses = 3;
  ++budget.depth;
  for (int pass = 1; pass <= kMostPasses; ++pass) {
    const bool is_spent = budget.looked_at >= kMostLookedAt;
    budget.was_spent = budget.was_spent || is_spent;
    const bool is_last = pass == kMostPasses || is_spent;
    // Types stay the same, as ONNX demands, so that nothing is left that an iteration could change.
    for (std::size_t i = 0; is_last && i < states.count; ++i) {
      Knowledge& state = inputs[states.first_input + i];
      state = change_dims(state, [](SymbolicShape& dims) { dims.reset(); });
    }
    if (Status status = infer(body, inputs); !status) return status;
    if (is_last || widen(states, outputs_of(body), inputs)) break;
  }
  --budget.depth;
  return {};
}

// A scalar that the loop passes to its body. Runtimes pass a tensor of rank 1 with one element to
// bodies that declare one.
Knowledge scalar(DType type, const Graph& body, std::size_t input) {
  Knowledge known{{{}, type, std::vector<Dim>(), std::nullopt, Basis::kProven}};
  const bool other_rank =
      input < body.inputs.size() && body.inputs[input].dims && !body.inputs[input].dims->empty();
  if (other_rank) known.proven.dims.reset();
  return known;
}

// An element of a list of axes; 0 where there is no list.
std::int64_t axis_of(const ModelNode& node, std::string_view name, std::size_t position) {
  const auto* const axes = attribute_of<std::vector<std::int64_t>>(node.attributes, name);
  return axes != nullptr && position < axes->size() ? (*axes)[position] : 0;
}

// The place of an axis among `rank`; nothing if it is out of range.
std::optional<std::ptrdiff_t> place_of(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<std::ptrdiff_t>(axis < 0 ? axis + signed_rank : axis);
}

// The scan inputs of a Scan, and the axis along which it goes through each.
struct Scans {
  std::vector<const Knowledge*> inputs;
  std::vector<std::int64_t> axes;
};

// The first extent along those axes that is known, or else the first name of one.
Dim length_of(const Scans& scans, View view) {
  Dim length;
  for (std::size_t i = 0; i < scans.inputs.size(); ++i) {
    const SymbolicShape& dims = scans.inputs[i]->in(view).dims;
    const auto place = dims ? place_of(scans.axes[i], dims->size()) : std::nullopt;
    if (!place) continue;
    const Dim& dim = (*dims)[static_cast<std::size_t>(*place)];
    if (dim.is_known()) return dim;
    if (length == Dim()) length = dim;
  }
  return length;
}

// An output of a Scan: all slices of an output of its body.
Knowledge stacked(const Knowledge& slice, const Scans& scans, std::int64_t axis) {
  std::vector<const Knowledge*> from = scans.inputs;
  from.push_back(&slice);
  return derive(from, [&](View view) {
    ValueInfo value = slice.in(view);
    const auto place = value.dims ? place_of(axis, value.dims->size() + 1) : std::nullopt;
    if (place) {
      value.dims->insert(value.dims->begin() + *place, length_of(scans, view));
    } else {
      value.dims.reset();
    }
    return value;
  });
}

}  // namespace

Result<std::vector<Knowledge>> infer_if(std::span<const std::unique_ptr<InferredGraph>> branches,
                                        const InferBody& infer) {
  std::vector<Knowledge> found;
  for (const std::unique_ptr<InferredGraph>& branch : branches) {
    if (Status status = infer(*branch, {}); !status) return status;
    std::vector<Knowledge> outputs = outputs_of(*branch);
    if (branch == branches.front()) {
      found = std::move(outputs);
      continue;
    }
    found.resize(std::min(found.size(), outputs.size()));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = join(found[i], outputs[i]);
  }
  return found;
}

Result<std::vector<Knowledge>> infer_loop(InferredGraph& body, std::vector<Knowledge> inputs,
                                          LoopBudget& budget, const InferBody& infer) {
  inputs.resize(std::max<std::size_t>(inputs.size(), 2));
  inputs[0] = scalar(DType::kInt64, body.graph(), 0);
  inputs[1] = scalar(DType::kBool, body.graph(), 1);
  const States states{inputs.size() - 2, 2, 1};
  if (Status status = settle(body, states, inputs, budget, infer); !status) return status;
  std::vector<Knowledge> found(inputs.begin() + 2, inputs.end());
  const std::vector<Knowledge> outputs = outputs_of(body);
  for (std::size_t i = states.first_output + states.count; i < outputs.size(); ++i) {
    found.push_back(change_dims(outputs[i], [](SymbolicShape& dims) {
      if (dims) dims->insert(dims->begin(), Dim());
    }));
  }
  return found;
}

Result<std::vector<Knowledge>> infer_scan(const ModelNode& node, InferredGraph& body,
                                          const std::vector<Knowledge>& inputs, LoopBudget& budget,
                                          const InferBody& infer) {
  const std::int64_t scanned = integer_of(node.attributes, "num_scan_inputs", 0);
  if (scanned < 1 || scanned > static_cast<std::int64_t>(inputs.size())) {
    if (Status status = infer(body, {}); !status) return status;
    return std::vector<Knowledge>();
  }
  const States states{inputs.size() - static_cast<std::size_t>(scanned), 0, 0};
  std::vector<Knowledge> body_inputs = inputs;
  Scans scans;
  for (std::size_t i = states.count; i < inputs.size(); ++i) {
    const std::int64_t axis = axis_of(node, "scan_input_axes", i - states.count);
    scans.inputs.push_back(&inputs[i]);
    scans.axes.push_back(axis);
    body_inputs[i] = change_dims(inputs[i], [axis](SymbolicShape& dims) {
      const auto place = dims ? place_of(axis, dims->size()) : std::nullopt;
      if (place) {
        dims->erase(dims->begin() + *place);
      } else {
        dims.reset();
      }
    });
  }
  if (Status status = settle(body, states, body_inputs, budget, infer); !status) return status;
  const auto first_scan = body_inputs.begin() + static_cast<std::ptrdiff_t>(states.count);
  std::vector<Knowledge> found(body_inputs.begin(), first_scan);
  const std::vector<Knowledge> outputs = outputs_of(body);
  for (std::size_t i = states.count; i < outputs.size(); ++i)
    found.push_back(
        stacked(outputs[i], scans, axis_of(node, "scan_output_axes", i - states.count)));
  return found;
}

}  // namespace windrow::internal
