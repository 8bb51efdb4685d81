#include "src/models/infer_body.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "src/models/find_in.h"

namespace windrow::internal {
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
