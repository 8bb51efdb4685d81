// The facts of the values of bodies: of ONNX's If, Loop and Scan, and of others, for which only
// inference is used.

#include <algorithm>
#include <utility>

#include "src/ranges/fact_finder.h"

namespace windrow::internal {
namespace {

// What is known of a part of a value: a slice that a body reads, or the value that a body computes
// in one iteration of many.
ValueFact part_of(const ValueFact& whole, const Extents& extents) {
  ValueFact part;
  part.dtype = whole.dtype;
  part.type_premises = whole.type_premises;
  part.source_input = whole.source_input;
  part.is_shape_disputed = whole.is_shape_disputed;
  part.range = collapsed(whole.range, extents);
  return part;
}

// What is known in every iteration of a value that a body carries: its type stays the same.
ValueFact type_of(const ValueFact& first) {
  ValueFact fact;
  fact.dtype = first.dtype;
  fact.type_premises = first.type_premises;
  fact.is_shape_disputed = first.is_shape_disputed;
  return fact;
}

// What is known of a stacked value that may be that of an earlier run, whose extents were others.
ValueFact of_any_run(ValueFact fact) {
  for (Interval& interval : fact.range.integers) interval.above = interval.below = std::nullopt;
  fact.is_shape_disputed = true;
  return fact;
}

}  // namespace

// What is known of a value that is one of two. If the shapes differ, inference finds the shape.
ValueFact FactFinder::either(const ValueFact& a, const ValueFact& b) const {
  ValueFact result;
  result.is_shape_disputed = a.is_shape_disputed || b.is_shape_disputed;
  if (a.dtype != b.dtype) return result;
  result.dtype = a.dtype;
  result.type_premises = united(a.type_premises, b.type_premises);
  if (a.dims == b.dims) {
    result.dims = a.dims;
    result.shape_premises = united(a.shape_premises, b.shape_premises);
  }
  if (a.source_input == b.source_input) result.source_input = a.source_input;
  result.range = join(a, b, extents_);
  return result;
}

// What is known of a value that a body passes from one iteration to the next, maybe in a new shape.
ValueFact FactFinder::carried(const ValueFact& first, const ValueFact& later) const {
  ValueFact result = either(first, later);
  result.dims.reset();
  result.shape_premises.clear();
  result.range = collapsed(result.range, extents_);
  return result;
}

// `in` is what is known of the body's first inputs; for the others it is what inference knows.
FactGraph& FactFinder::run_body(FactGraph& graph, const InferredGraph& body,
                                std::span<const ValueFact> in) {
  // OpenVINO's bodies cannot read values of the graph around them.
  FactGraph* const around = model_.dialect == "openvino" ? nullptr : &graph;
  auto made = std::make_unique<FactGraph>(body, around);
  FactGraph& facts = *made;
  define_given(facts, in);
  for (std::size_t node = 0; node < body.graph().nodes.size(); ++node) find(facts, node);
  bodies_.insert_or_assign(&body, std::move(made));
  return facts;
}

FactFinder::Facts FactFinder::outputs_of(FactGraph& body) {
  Facts outputs;
  for (const ValueInfo& output : body.graph().outputs) {
    outputs.push_back(read(body.find(output.name)));
    outputs.back().constant = nullptr;
  }
  return outputs;
}

FactFinder::Facts FactFinder::find_bodies(FactGraph& graph, std::size_t node) {
  const ModelNode& of = graph.graph().nodes[node];
  const auto bodies = graph.inferred().bodies(node);
  const bool is_standard = model_.dialect == "onnx" && of.domain.empty() && of.unsupported.empty();
  if (is_standard && of.op_type == "If") return find_if(graph, node);
  if (is_standard && of.op_type == "Loop" && bodies.size() == 1) return find_loop(graph, node);
  if (is_standard && of.op_type == "Scan" && bodies.size() == 1 && version_of(of) >= 9)
    return find_scan(graph, node);
  for (const std::unique_ptr<InferredGraph>& body : bodies) run_body(graph, *body, {});
  return {};
}

FactFinder::Facts FactFinder::find_if(FactGraph& graph, std::size_t node) {
  Facts found;
  bool is_first = true;
  for (const std::unique_ptr<InferredGraph>& body : graph.inferred().bodies(node)) {
    Facts outputs = outputs_of(run_body(graph, *body, {}));
    if (is_first) {
      found = std::move(outputs);
    } else {
      found.resize(std::min(found.size(), outputs.size()));
      for (std::size_t i = 0; i < found.size(); ++i) found[i] = either(found[i], outputs[i]);
    }
    is_first = false;
  }
  return found;
}

// The body's inputs are the number of the iteration, the condition and the carried values; its
// outputs are the condition, the carried values, and values that are concatenated over the
// iterations.
FactFinder::Facts FactFinder::find_loop(FactGraph& graph, std::size_t node) {
  const ModelNode& of = graph.graph().nodes[node];
  Facts in(2);
  in[0].dtype = DType::kInt64;
  in[0].range = tensor_range(Interval{0, Interval::kHighest});
  const ValueFact& trips = read(graph, node, 0);
  if (trips.dtype == DType::kInt64 && !trips.range.integers.empty()) {
    Interval number =
        IntegerArithmetic(DType::kInt64, extents_).subtract(integer_of(trips, extents_), {1, 1});
    number.above.reset();
    number.low = 0;
    number.high = std::max<std::int64_t>(number.high, 0);
    in[0].range = tensor_range(number);
    in[0].range.premises = premises_of_values(trips);
  }
  in[1].dtype = DType::kBool;
  for (std::size_t i = 2; i < of.inputs.size(); ++i) in.push_back(type_of(read(graph, node, i)));
  const Facts outputs = outputs_of(run_body(graph, *graph.inferred().bodies(node).front(), in));
  const std::size_t states = of.inputs.size() < 2 ? 0 : of.inputs.size() - 2;
  const bool may_be_old = extents_.profile().keeps_stacked_values && may_have_no_trip(graph, node);
  Facts found;
  for (std::size_t i = 0; i + 1 < outputs.size(); ++i) {
    found.push_back(i < states ? carried(read(graph, node, i + 2), outputs[i + 1])
                               : part_of(outputs[i + 1], extents_));
    if (i >= states && may_be_old) found.back() = of_any_run(std::move(found.back()));
  }
  return found;
}

// Whether a Loop may end before its first iteration.
bool FactFinder::may_have_no_trip(FactGraph& graph, std::size_t node) {
  const std::vector<std::string>& inputs = graph.graph().nodes[node].inputs;
  const auto may_be_none = [&](std::size_t position) {
    if (position >= inputs.size() || inputs[position].empty()) return false;
    return integer_of(read(graph, node, position), extents_).low <= 0;
  };
  return may_be_none(0) || may_be_none(1);
}

// The body's inputs are states, then slices of the scanned inputs; its outputs are states, then
// slices of the scanned outputs.
FactFinder::Facts FactFinder::find_scan(FactGraph& graph, std::size_t node) {
  const ModelNode& of = graph.graph().nodes[node];
  const auto given = of.attributes.find("num_scan_inputs");
  const auto* const scanned =
      given == of.attributes.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
  const InferredGraph& body = *graph.inferred().bodies(node).front();
  const auto count = static_cast<std::int64_t>(of.inputs.size());
  if (scanned == nullptr || *scanned < 1 || *scanned > count) {
    run_body(graph, body, {});
    return {};
  }
  const auto states = static_cast<std::size_t>(count - *scanned);
  Facts in;
  for (std::size_t i = 0; i < states; ++i) in.push_back(type_of(read(graph, node, i)));
  for (std::size_t i = states; i < of.inputs.size(); ++i)
    in.push_back(part_of(read(graph, node, i), extents_));
  const Facts outputs = outputs_of(run_body(graph, body, in));
  Facts found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    found.push_back(i < states ? carried(read(graph, node, i), outputs[i])
                               : part_of(outputs[i], extents_));
  }
  return found;
}

}  // namespace windrow::internal
