#include "src/ranges/fact_bodies.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "src/models/knowledge.h"
#include "src/ranges/extents.h"
#include "src/ranges/fact_finder.h"
#include "src/ranges/value_range.h"
#include "windrow/printable.h"

// The facts of the values of bodies: of ONNX's If, Loop and Scan, and of others, for which only
// inference is used.
namespace windrow::internal {
namespace {

// What is known of a part of a value: a slice that a body reads, or the value that a body computes
// in one iteration of many.
ValueFact part_of(const ValueFact& whole, const Extents& extents) {
  ValueFact part;
  part.dtype = whole.dtype;
  part.type_premises = whole.type_premises;
  part.source_input = whole.source_input;
  part.dispute = whole.dispute;
  part.range = collapsed(whole.range, extents);
  return part;
}

// What is known of a stacked value that may be that of an earlier run, whose extents were others.
ValueFact of_any_run(ValueFact fact) {
  for (Interval& interval : fact.range.integers) interval.above = interval.below = std::nullopt;
  fact.dispute = Dispute::kRank;
  return fact;
}

}  // namespace

// What is known of a value that is one of two. If the shapes differ, inference finds the shape.
ValueFact FactFinder::either(const ValueFact& a, const ValueFact& b) const {
  ValueFact result;
  result.dispute = std::max(a.dispute, b.dispute);
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

// What is known of a carried value once the last iteration has ended: it is the first or a later
// one.
ValueFact FactFinder::carried(const ValueFact& first, const ValueFact& later,
                              const ValueFact& invariant) const {
  ValueFact result = either(first, later);
  result.dims = invariant.dims;
  result.shape_premises = invariant.shape_premises;
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

// `in` is what is known of the body's first inputs. Those of `states` are what is known of the
// first carried values, and become what holds of them in every iteration; the body's outputs from
// number `first_output` on are their next values.
FactFinder::Facts FactFinder::run_iterations(FactGraph& graph, const InferredGraph& body, Facts& in,
                                             std::span<ValueFact> states,
                                             std::size_t first_output) {
  const Facts first(states.begin(), states.end());
  std::transform(first.begin(), first.end(), states.begin(),
                 [this](const ValueFact& state) { return first_invariant(state, extents_); });
  // Bodies in bodies in bodies would be run very often.
  const int rounds = nesting_ < kMostRepeatedNesting ? kMostRounds : 0;
  ++nesting_;
  Facts outputs;
  bool holds = false;
  bool is_weaker = false;
  for (int round = 0; round < rounds && !holds; ++round) {
    outputs = outputs_of(run_body(graph, body, in));
    holds = true;
    for (std::size_t i = 0; i < states.size() && first_output + i < outputs.size(); ++i)
      holds = weaken(states[i], outputs[first_output + i], round, extents_) && holds;
    is_weaker |= !holds;
  }
  if (!holds) {
    std::transform(first.begin(), first.end(), states.begin(), type_invariant);
  } else if (is_weaker) {
    for (std::size_t i = 0; i < states.size() && first_output + i < outputs.size(); ++i)
      narrow(states[i], first[i], outputs[first_output + i], extents_);
  }
  if (!holds || is_weaker) outputs = outputs_of(run_body(graph, body, in));
  --nesting_;
  return outputs;
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
  for (ValueFact& fact : found) {
    if (!extents_.profile().may_lose_values_of_if) break;
    fact.range = ValueRange();
    fact.distinct = {};
    fact.source_input.clear();
  }
  return found;
}

// ONNX lets the number of the iteration be of rank 0 or 1. Inference knows where it is a scalar in
// every runtime. That it has rank 1 where the body says so is a premise: onnx's evaluator gives a
// scalar.
void FactFinder::give_declared_rank(const Graph& body, ValueFact& iteration) {
  if (body.inputs.empty() || !body.inputs[0].dims || body.inputs[0].dims->size() != 1) return;
  iteration.dims.emplace(1, Dim{1, {}});
  iteration.shape_premises =
      extents_.premise(body.inputs[0].name + " has the shape int64[1], as its body declares");
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
  const InferredGraph& body = *graph.inferred().bodies(node).front();
  give_declared_rank(body.graph(), in[0]);
  in[1].dtype = DType::kBool;
  for (std::size_t i = 2; i < of.inputs.size(); ++i) in.push_back(read(graph, node, i));
  const std::span<ValueFact> states = std::span(in).subspan(2);
  const Facts outputs = run_iterations(graph, body, in, states, 1);
  const bool may_be_old = extents_.profile().keeps_stacked_values && may_have_no_trip(graph, node);
  Facts found;
  for (std::size_t i = 0; i + 1 < outputs.size(); ++i) {
    found.push_back(i < states.size() ? carried(read(graph, node, i + 2), outputs[i + 1], states[i])
                                      : part_of(outputs[i + 1], extents_));
    if (i >= states.size() && may_be_old) found.back() = of_any_run(std::move(found.back()));
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
  const auto carried_count = static_cast<std::size_t>(count - *scanned);
  Facts in;
  for (std::size_t i = 0; i < of.inputs.size(); ++i) {
    const ValueFact& given = read(graph, node, i);
    in.push_back(i < carried_count ? given : part_of(given, extents_));
  }
  const std::span<ValueFact> states = std::span(in).first(carried_count);
  const Facts outputs = run_iterations(graph, body, in, states, 0);
  Facts found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    found.push_back(i < states.size() ? carried(read(graph, node, i), outputs[i], states[i])
                                      : part_of(outputs[i], extents_));
  }
  return found;
}

namespace {

// Adds premises; returns whether they were all there.
bool add(const Premises& more, Premises& premises) {
  if (std::includes(premises.begin(), premises.end(), more.begin(), more.end())) return true;
  premises = united(premises, more);
  return false;
}

bool includes(const Dim& dim, const Dim& later) {
  if (are_same(dim, later)) return true;
  if (dim.is_known() || !dim.symbol.empty()) return false;
  return dim.low <= least(later) && most(later) <= dim.high;
}

bool weaken_shape(ValueFact& invariant, const ValueFact& later) {
  if (!invariant.dims) return true;
  if (!later.dims || later.dims->size() != invariant.dims->size()) {
    invariant.dims.reset();
    invariant.shape_premises.clear();
    return false;
  }
  bool holds = add(later.shape_premises, invariant.shape_premises);
  for (std::size_t axis = 0; axis < later.dims->size(); ++axis) {
    Dim& dim = (*invariant.dims)[axis];
    if (includes(dim, (*later.dims)[axis])) continue;
    dim = Dim();
    holds = false;
  }
  return holds;
}

// A bound that makes room for `later`: the bound of small numbers, whose sums and products no type
// of 32 bits wraps, or that of the type.
constexpr std::int64_t kSmall = std::int64_t{1} << 20;
std::int64_t lower(std::int64_t later, std::int64_t of_type) {
  for (const std::int64_t bound : {std::int64_t{0}, -kSmall})
    if (bound <= later && bound >= of_type) return bound;
  return of_type;
}
std::int64_t higher(std::int64_t later, std::int64_t of_type) {
  return later <= kSmall && kSmall <= of_type ? kSmall : of_type;
}

bool weaken_interval(Interval& kept, const Interval& later, int round, const Interval& all) {
  const Interval before = kept;
  if (later.low < kept.low) kept.low = round == 0 ? later.low : lower(later.low, all.low);
  if (later.high > kept.high) kept.high = round == 0 ? later.high : higher(later.high, all.high);
  if (kept.above != later.above) kept.above.reset();
  if (kept.below != later.below) kept.below.reset();
  return kept == before;
}

bool weaken_interval(FloatInterval& kept, const FloatInterval& later, int round) {
  const FloatInterval before = kept;
  if (later.low < kept.low) kept.low = round == 0 ? later.low : FloatInterval().low;
  if (later.high > kept.high) kept.high = round == 0 ? later.high : FloatInterval().high;
  kept.may_be_nan |= later.may_be_nan;
  return kept == before;
}

}  // namespace

ValueFact type_invariant(const ValueFact& first) {
  ValueFact fact;
  fact.dtype = first.dtype;
  fact.type_premises = first.type_premises;
  fact.dispute = first.dispute;
  return fact;
}

ValueFact first_invariant(const ValueFact& first, const Extents& extents) {
  ValueFact fact = type_invariant(first);
  fact.dims = first.dims;
  fact.shape_premises = first.shape_premises;
  fact.range = collapsed(first.range, extents);
  return fact;
}

bool weaken(ValueFact& invariant, const ValueFact& later, int round, const Extents& extents) {
  bool holds = weaken_shape(invariant, later);
  holds = holds && later.dispute <= invariant.dispute;
  invariant.dispute = std::max(invariant.dispute, later.dispute);
  if (interval_count(invariant.range) == 0) return holds;
  const ValueRange range = collapsed(later.range, extents);
  const bool is_alike = later.dtype == invariant.dtype &&
                        range.integers.size() == invariant.range.integers.size() &&
                        range.floats.size() == invariant.range.floats.size();
  if (!is_alike) {
    invariant.range = ValueRange();
    return false;
  }
  const Interval all = extents.profile().anything(invariant.dtype);
  for (std::size_t i = 0; i < range.integers.size(); ++i)
    holds = weaken_interval(invariant.range.integers[i], range.integers[i], round, all) && holds;
  for (std::size_t i = 0; i < range.floats.size(); ++i)
    holds = weaken_interval(invariant.range.floats[i], range.floats[i], round) && holds;
  holds = add(range.premises, invariant.range.premises) && holds;
  if (says_nothing(invariant, extents)) invariant.range = ValueRange();
  return holds;
}

void narrow(ValueFact& invariant, const ValueFact& first, const ValueFact& later,
            const Extents& extents) {
  if (interval_count(invariant.range) == 0) return;
  invariant.range = collapsed(join(first, later, extents), extents);
}

namespace {

// What the finder and inference together know of an extent; nothing if they contradict each other.
std::optional<Dim> both(const Dim& found, const Dim& inferred) {
  if (found.is_known() && inferred.is_known() && found.value != inferred.value) return std::nullopt;
  if (inferred.is_known()) return inferred;
  return found.is_known() || found.symbol != "" || inferred.symbol.empty() ? found : inferred;
}

// Adds the type where none is known. Returns whether it did.
bool add_type(const ValueInfo& inferred, ValueFact& fact) {
  if (fact.dtype != DType::kAbsent || !fact.other_type.empty() || !has_type(inferred)) return false;
  fact.dtype = inferred.dtype;
  fact.other_type = inferred.other_type;
  return true;
}

void add_proven(const ValueInfo& inferred, ValueFact& fact) {
  const bool other_type = fact.dtype != DType::kAbsent && inferred.dtype != DType::kAbsent &&
                          fact.dtype != inferred.dtype;
  bool contradicts = other_type;
  if (fact.dims && inferred.dims) {
    contradicts = contradicts || fact.dims->size() != inferred.dims->size();
    for (std::size_t i = 0; !contradicts && i < fact.dims->size(); ++i) {
      const std::optional<Dim> dim = both((*fact.dims)[i], (*inferred.dims)[i]);
      contradicts = !dim;
      if (dim) (*fact.dims)[i] = *dim;
    }
  } else if (inferred.dims) {
    fact.dims = inferred.dims;
  }
  if (contradicts) {
    const DType type = other_type ? DType::kAbsent : fact.dtype;
    fact = ValueFact();
    fact.dtype = type;
  } else {
    add_type(inferred, fact);
  }
}

// "y (MaxPool) has the shape float32[1, 8, 4, 4], as onnx infers"
std::string claim_text(const InferredGraph& graph, const ModelNode* node, const ValueInfo& claim) {
  std::string text = printable(claim.name);
  if (node != nullptr) text += " (" + printable(node->op_type) + ")";
  if (graph.path() != "main") text += " of " + printable(graph.path());
  if (!claim.dims) return text + " has the type " + type_text(claim) + ", as onnx infers";
  return text + " has the shape " + to_string(claim) + ", as onnx infers";
}

// Adds the claimed extents of which nothing is known, as far as claim_text() shows them. Returns
// whether there are any.
bool add_dims(const SymbolicShape& claimed, SymbolicShape& dims) {
  if (!claimed) return false;
  bool is_any = !dims;
  if (!dims) dims.emplace(claimed->size());
  for (std::size_t axis = 0; axis < dims->size(); ++axis) {
    Dim& dim = (*dims)[axis];
    const Dim& said = (*claimed)[axis];
    if (dim != Dim() || (!said.is_known() && said.symbol.empty())) continue;
    dim = Dim{said.value, said.symbol};
    is_any = true;
  }
  return is_any;
}

void add_claim(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
               ValueFact& fact, Extents& extents) {
  const ValueInfo& inferred = *graph.find(value).proven;
  ValueInfo claim{std::string(graph.numbers().name(value)), fact.dtype, fact.dims};
  claim.other_type = fact.other_type;
  if (contradicts(inferred, claim)) return;
  const bool adds_type = add_type(inferred, fact);
  const bool adds_dims = add_dims(inferred.dims, fact.dims);
  if (!adds_type && !adds_dims) return;
  claim.dtype = fact.dtype;
  claim.other_type = fact.other_type;
  claim.dims = adds_dims ? fact.dims : std::nullopt;
  const Premises premise = extents.premise(claim_text(graph, node, claim));
  if (adds_type) fact.type_premises = premise;
  if (adds_dims) fact.shape_premises = united(fact.shape_premises, premise);
}

// Whether every extent that onnx infers is the one that was found.
bool agrees(const ValueInfo& inferred, const ValueFact& fact) {
  if (!inferred.dims || !fact.dims || inferred.dims->size() != fact.dims->size()) return false;
  for (std::size_t axis = 0; axis < fact.dims->size(); ++axis) {
    const Dim& said = (*inferred.dims)[axis];
    if (said.is_known() && said.value != (*fact.dims)[axis].value) return false;
  }
  return true;
}

}  // namespace

void add_inferred(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
                  ValueFact& fact, Extents& extents) {
  const ValueInfo& inferred = *graph.find(value).proven;
  if (inferred.basis == Basis::kOnnx) {
    add_claim(graph, value, node, fact, extents);
    const bool is_read = extents.profile().infers_as_onnx && agrees(inferred, fact);
    if (is_read) fact.dispute = Dispute::kNone;
  } else if (fact.dispute != Dispute::kNone) {
    add_type(inferred, fact);
  } else {
    add_proven(inferred, fact);
  }
}

}  // namespace windrow::internal
