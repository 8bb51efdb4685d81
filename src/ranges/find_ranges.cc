#include "src/ranges/find_ranges.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/models/inferred_model.h"
#include "src/models/walk_model.h"
#include "src/operators/left_out.h"
#include "src/operators/operator_row.h"
#include "src/ranges/fact_finder.h"
#include "src/ranges/floats.h"
#include "src/ranges/movement.h"
#include "src/ranges/ranges.h"
#include "src/ranges/shape_producers.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"
#include "windrow/value_ranges.h"

namespace windrow::internal {
namespace {

// The inputs, where every extent that is not fixed has a name of its own.
std::vector<ValueInfo> with_own_extents(std::vector<ValueInfo> inputs, Extents& extents) {
  for (ValueInfo& input : inputs) {
    if (!input.dims) continue;
    for (std::size_t axis = 0; axis < input.dims->size(); ++axis) {
      Dim& dim = (*input.dims)[axis];
      if (dim.is_known()) continue;
      std::string name = extent_name(input.name, axis);
      const std::int64_t high = std::min(dim.high, Extents::most_of(*input.dims, axis));
      extents.add(name, std::exchange(dim.symbol, name), dim.low, high);
    }
  }
  return inputs;
}

bool can_be_promised(DType type) { return is_integer(type) || has_float_intervals(type); }

// The nearest name of an input that can be promised.
std::string input_hint(const Model& model, const std::string& name) {
  NearestName nearest(name);
  for (const auto* inputs : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& input : *inputs) {
      if (can_be_promised(input.dtype)) nearest.consider(input.name);
    }
  }
  return nearest.hint();
}

Status check_assumptions(const Model& model, const RangeOptions& options) {
  for (const auto& [name, range] : options.assumed) {
    const auto is_it = [&name = name](const ValueInfo& input) {
      return input.name == name && can_be_promised(input.dtype);
    };
    const bool is_there =
        std::any_of(model.inputs.begin(), model.inputs.end(), is_it) ||
        std::any_of(model.default_inputs.begin(), model.default_inputs.end(), is_it);
    if (!is_there)
      return {ErrorCode::kInvalidArgument,
              "the assumption about '" + printable(name) +
                  "': the model has no input of integers or floats of that name" +
                  input_hint(model, name)};
    if (range.low > range.high)
      return {ErrorCode::kInvalidArgument, "the assumption about '" + name + "': the range " +
                                               std::to_string(range.low) + " to " +
                                               std::to_string(range.high) + " is empty"};
  }
  return {};
}

// Options that pass the model to infer_others with these inputs: their symbols are the extents'
// names, and default inputs, whose elements a run may replace, are inputs without elements.
InferOptions with_inputs(const InferOptions& options, const DeclaredInputs& declared) {
  if (!options.infer_others) return options;
  return {[&options, declared](const Model& model) {
    Model renamed = model;
    renamed.inputs = declared.inputs;
    for (const ValueInfo& input : declared.default_inputs) {
      renamed.constants.erase(input.name);
      renamed.opaque_constants.erase(input.name);
      renamed.inputs.push_back(input);
    }
    renamed.default_inputs.clear();
    hide_operators(renamed);
    return options.infer_others(renamed);
  }};
}

// The facts in one arithmetic: of the graphs that are entered, and of a node's values.
class Proof {
 public:
  Proof(const Model& model, const DeclaredInputs& declared, const RangeOptions& options,
        Extents& extents)
      : finder_(model, declared, options, extents) {}

  void enter(InferredModel::Root& root, const InferredGraph& graph) {
    graphs_.push_back(graphs_.empty() ? finder_.enter(root) : finder_.take_body(graph));
  }
  void leave() { graphs_.pop_back(); }

  NodeFacts find(const NodePlace& place, std::size_t position, const NodeOperator* op) {
    FactGraph& facts = *graphs_.back();
    if (graphs_.size() == 1) finder_.find(facts, position);
    inputs_.clear();
    for (std::size_t i = 0; i < place.node.inputs.size(); ++i)
      inputs_.push_back(&finder_.read(facts, position, i));
    outputs_.clear();
    for (const ValueNumber output : facts.inferred().numbers().outputs(position))
      outputs_.push_back(&finder_.read(output == kNoValue ? nullptr : &facts.fact(output)));
    return {place, op, inputs_, outputs_};
  }

 private:
  FactFinder finder_;
  std::vector<std::unique_ptr<FactGraph>> graphs_;
  std::vector<const ValueFact*> inputs_;
  std::vector<const ValueFact*> outputs_;
};

// Calls `visit` with every node and the facts of its inputs and outputs.
class RangeWalk final : public InferredWalk {
 public:
  RangeWalk(const InferredModel& inferred, std::deque<Proof>& proofs,
            const std::function<void(std::span<const NodeFacts>)>& visit)
      : InferredWalk(inferred), proofs_(proofs), visit_(visit) {}

  void enter(const std::string& path, const Graph& entered) override {
    InferredWalk::enter(path, entered);
    for (Proof& proof : proofs_) proof.enter(root(), graph());
  }

  void visit(const NodePlace& place, std::size_t position) override {
    const Result<const NodeOperator*> op = root().operators.find(place.node);
    std::vector<NodeFacts> facts;
    for (Proof& proof : proofs_) {
      facts.push_back(proof.find(place, position, op ? *op : nullptr));
      facts.back().opset_imports = &root().operators.opset_imports();
      if (!op) facts.back().no_operator = op.error();
    }
    visit_(facts);
  }

  void leave() override {
    for (Proof& proof : proofs_) proof.leave();
    InferredWalk::leave();
  }

 private:
  std::deque<Proof>& proofs_;
  const std::function<void(std::span<const NodeFacts>)>& visit_;
};

}  // namespace

Status find_ranges(const Model& model, const RangeOptions& options,
                   std::span<Extents* const> proofs,
                   const std::function<void(std::span<const NodeFacts>)>& visit) {
  if (Status status = check_assumptions(model, options); !status) return status;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> default_inputs;
  for (Extents* const extents : proofs) {
    inputs = with_own_extents(model.inputs, *extents);
    default_inputs = with_own_extents(model.default_inputs, *extents);
  }
  const DeclaredInputs declared{inputs, default_inputs};
  Result<InferredModel> made =
      InferredModel::of(model, declared, with_inputs(options.infer, declared));
  if (!made) return made.error();
  const auto inferred = std::make_shared<const InferredModel>(*std::move(made));
  if (options.take_inferred) options.take_inferred(inferred);
  std::deque<Proof> found;
  for (Extents* const extents : proofs) found.emplace_back(model, declared, options, *extents);
  RangeWalk walk(*inferred, found, visit);
  walk_model(model, walk);
  return {};
}

KeptNode::KeptNode(std::span<const NodeFacts> facts) : place_(facts.front().place) {
  for (const NodeFacts& each : facts)
    facts_.push_back({place_, each.op, keep(each.inputs), keep(each.outputs), each.no_operator,
                      each.opset_imports});
}

std::span<const ValueFact* const> KeptNode::keep(std::span<const ValueFact* const> values) {
  std::vector<const ValueFact*>& list = lists_.emplace_back();
  for (const ValueFact* const value : values) list.push_back(&values_.emplace_back(*value));
  return list;
}

Status find_ranges(const Model& model, const RangeOptions& options, Extents& extents,
                   const std::function<void(const NodeFacts&)>& visit) {
  Extents* const proof = &extents;
  return find_ranges(model, options, std::span(&proof, 1),
                     [&visit](std::span<const NodeFacts> facts) { visit(facts.front()); });
}

}  // namespace windrow::internal

namespace windrow {
namespace {

using internal::ExtentBound;
using internal::Extents;
using internal::Interval;
using internal::ValueFact;

std::optional<ExtentTerm> term(const std::optional<ExtentBound>& bound, const Extents& extents) {
  if (!bound) return std::nullopt;
  if (!internal::is_simple(*bound)) return std::nullopt;
  return ExtentTerm{extents.name(bound->extent), bound->offset, bound->factor};
}

IntegerRange integers(const Interval& interval, const Extents& extents) {
  IntegerRange range{std::nullopt, std::nullopt, term(interval.above, extents),
                     term(interval.below, extents)};
  if (interval.low != Interval::kLowest) range.low = interval.low;
  if (interval.high != Interval::kHighest) range.high = interval.high;
  return range;
}

std::vector<std::string> texts(const internal::Premises& premises, const Extents& extents) {
  std::vector<std::string> result;
  for (const int premise : premises) result.push_back(extents.premise_text(premise));
  return result;
}

RangedValue value(const std::string& name, const ValueFact& fact, const Extents& extents) {
  RangedValue result;
  result.name = name;
  result.dtype = fact.dtype;
  result.dims = fact.dims;
  result.grain = static_cast<RangedValue::Grain>(fact.range.grain);
  result.axis = fact.range.axis;
  for (const Interval& interval : fact.range.integers)
    result.integers.push_back(integers(interval, extents));
  for (const internal::FloatInterval& interval : fact.range.floats)
    result.floats.push_back({interval.low, interval.high, interval.may_be_nan});
  result.premises = texts(internal::premises_of_values(fact), extents);
  result.type_premises = texts(fact.type_premises, extents);
  result.shape_premises = texts(fact.shape_premises, extents);
  result.source_input = fact.source_input;
  return result;
}

}  // namespace

Status find_value_ranges(const Model& model, const ValueRangeOptions& options,
                         const std::function<void(const NodeRanges&)>& visit) {
  internal::RangeOptions inner{options.infer, {}};
  for (const auto& [name, assumed] : options.assume)
    inner.assumed.emplace(name, Interval{assumed.low, assumed.high});
  Extents extents(options.runtime.empty() ? internal::specified_arithmetic()
                                          : internal::profile_of(options.runtime, options.device));
  return internal::find_ranges(model, inner, extents, [&](const internal::NodeFacts& facts) {
    NodeRanges node{facts.place.path, {}};
    for (std::size_t i = 0; i < facts.outputs.size(); ++i)
      node.outputs.push_back(value(facts.place.node.outputs[i], *facts.outputs[i], extents));
    visit(node);
  });
}

}  // namespace windrow

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

bool has_type_of_result(const OperatorInput& input) { return input.type_group == "T"; }

KnownValue known_numbers(const ValueFact& fact) {
  return is_integer(fact.dtype) ? known_integers(fact) : std::nullopt;
}

// The value of an input with one element.
std::optional<std::int64_t> known_number(const ValueFact& fact) {
  const KnownValue numbers = known_numbers(fact);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

// The value of an input on which the shape depends; of one that the node leaves out, as the ids
// say.
KnownValue shape_value(Production& p, const OperatorInput& input, std::size_t position) {
  if (!input.value_at_compile) return std::nullopt;
  if (p.has(position)) return known_numbers(p.parameter(position));
  if (input.counted_input < 0) return std::nullopt;
  const auto ids = static_cast<std::size_t>(input.counted_input);
  return count_by_last_id(p.given(ids).dims, known_numbers(p.parameter(ids)));
}

SymbolicShape result_shape(Production& p, const NodeOperator& op) {
  std::vector<SymbolicShape> shapes;
  std::vector<KnownValue> values;
  std::vector<OperandType> given;
  for (std::size_t i = 0; i < op.info.inputs.size(); ++i) {
    shapes.push_back(p.given(i).dims);
    values.push_back(shape_value(p, op.info.inputs[i], i));
    given.push_back({DType::kAbsent, p.has(i)});
  }
  // A broken rule is reported by inference.
  const Result<SymbolicShape> shape =
      infer_shape(op.id, p.node().attributes, shapes, values, given);
  return shape ? *shape : std::nullopt;
}

// The positions of an axis that valid indices of the interval read, of which negative ones count
// from the end; nothing if no index is valid.
struct Positions {
  std::size_t first;
  std::size_t last;
};
std::optional<Positions> positions_of(const Interval& index, std::int64_t extent) {
  const std::int64_t low = std::max(index.low, -extent);
  const std::int64_t high = std::min(index.high, extent - 1);
  if (low > high) return std::nullopt;
  if (low < 0 && high >= 0) return Positions{0, static_cast<std::size_t>(extent - 1)};
  const std::int64_t shift = low < 0 ? extent : 0;
  return Positions{static_cast<std::size_t>(low + shift), static_cast<std::size_t>(high + shift)};
}

// The number of elements that are read for the indices of one node.
constexpr std::size_t kMostLookUps = 65536;

// The elements of a vector that each interval of indices can read.
ValueRange looked_up(const ValueFact& data, const ValueFact& indices, const Extents& extents) {
  const ValueRange& from = data.range;
  ValueRange result;
  result.grain = indices.range.grain;
  result.axis = indices.range.axis;
  const auto extent = static_cast<std::int64_t>((*data.dims)[0].value);
  for (const Interval& index : indices.range.integers) {
    const auto all = Positions{0, static_cast<std::size_t>(extent - 1)};
    const Positions read = positions_of(index, extent).value_or(all);
    const std::size_t count = read.last - read.first + 1;
    if (!from.integers.empty())
      result.integers.push_back(join(std::span(from.integers).subspan(read.first, count), extents));
    if (!from.floats.empty())
      result.floats.push_back(join(std::span(from.floats).subspan(read.first, count)));
  }
  return result;
}

// Gather along one axis, without batch axes.
ValueRange gathered_along(const ValueFact& data, const ValueFact& indices, std::size_t axis,
                          const SymbolicShape& result, const Extents& extents) {
  const ValueRange& from = data.range;
  if (from.grain == Grain::kTensor) return from;
  const bool by_axis = from.grain == Grain::kAxis;
  if (data.dims->size() == 1 && !indices.range.integers.empty()) {
    const std::size_t work = from.integers.size() * indices.range.integers.size();
    return work <= kMostLookUps ? looked_up(data, indices, extents) : collapsed(from, extents);
  }
  if (!indices.dims) return collapsed(from, extents);
  if (by_axis && static_cast<std::size_t>(from.axis) != axis) {
    ValueRange kept = from;
    if (static_cast<std::size_t>(from.axis) > axis)
      kept.axis += static_cast<int>(indices.dims->size()) - 1;
    return kept;
  }
  const auto numbers = known_integers(indices);
  if (!numbers || numbers->empty()) return collapsed(from, extents);
  const std::int64_t extent = (*data.dims)[axis].value;
  std::vector<std::size_t> chosen;
  for (const std::int64_t number : *numbers) {
    const auto place = place_of_axis(number, static_cast<std::size_t>(extent));
    if (!place) return collapsed(from, extents);
    chosen.push_back(*place);
  }
  ValueFact rows = data;
  rows.range = selected(data, axis, chosen, extents);
  (*rows.dims)[axis] = Dim{static_cast<std::int64_t>(chosen.size()), {}};
  return reshaped_range(rows, result, extents);
}

// The axis of Gather or GatherElements; nothing if it is not known, or there are batch axes.
std::optional<std::size_t> gather_axis(Production& p, const NodeOperator& op) {
  const SymbolicShape& data = p.given(0).dims;
  if (!data || p.attribute("batch_dims", 0) != 0) return std::nullopt;
  const bool is_input = op.info.inputs.size() > 2 && op.info.inputs[2].name == "axis";
  const std::optional<std::int64_t> axis =
      is_input ? known_number(p.parameter(2)) : p.attribute("axis", 0);
  return axis ? place_of_axis(*axis, data) : std::nullopt;
}

void gather(Production& p, const NodeOperator& op, ValueFact& result) {
  const ValueFact& data = p.input(0);
  const bool is_plain = op.info.name == "Gather" && op.info.dialect != "tensorrt";
  const std::optional<std::size_t> axis =
      is_plain || op.info.name == "GatherElements" ? gather_axis(p, op) : std::nullopt;
  if (is_plain && axis) {
    result.range = gathered_along(data, p.input(1), *axis, result.dims, p.extents());
  } else {
    result.range = mixed_along(data, axis, p.extents());
  }
  result.source_input = data.source_input;
  if (op.info.out_of_range != OutOfRange::kZero) return;
  const bool counts_from_end = !(op.info.dialect == "openvino" && op.info.since_version < 8);
  const bool is_within =
      is_plain && axis && p.lies_within(p.integer(1), (*data.dims)[*axis], counts_from_end);
  if (is_within) return;
  result.source_input.clear();
  add_zero(result.range, p.extents());
}

// Whether the result holds sums or products, of which nothing is known, whatever the attributes
// are.
bool is_computed(const OperatorInfo& info) {
  return info.name.starts_with("Embedding") || info.name == "GatherBlockQuantized";
}

// The result has elements of step_ids, and end_token.
void gather_tree(Production& p, ValueFact& result) {
  ValueFact steps;
  steps.range = mixed_along(p.input(0), std::nullopt, p.extents());
  result.range = join(steps, p.input(3), p.extents());
}

// The result has elements of the data and the updates, or of the values of OneHot. Of reductions
// other than max and min nothing is known.
void scatter(Production& p, const NodeOperator& op, ValueFact& result) {
  const std::string reduction = p.text("reduction", "none");
  if (reduction != "none" && reduction != "max" && reduction != "min") return;
  bool is_first = true;
  for (std::size_t i = 0; i < op.info.inputs.size(); ++i) {
    if (!has_type_of_result(op.info.inputs[i])) continue;
    const ValueFact& part = p.input(i);
    ValueFact all;
    all.range = result.range;
    result.range = is_first ? collapsed(part.range, p.extents()) : join(all, part, p.extents());
    if (is_first) result.source_input = part.source_input;
    if (result.source_input != part.source_input) result.source_input.clear();
    is_first = false;
  }
}

// The result has elements of the data, and in segments without rows what the fill mode says.
void segment_max(Production& p, const NodeOperator& op, ValueFact& result) {
  const std::string mode = p.text("fill_mode", {});
  if (mode != "ZERO" && mode != "zero") return;
  scatter(p, op, result);
  result.source_input.clear();
  add_zero(result.range, p.extents());
}

}  // namespace

void produce_operator(Production& p, const NodeOperator& op) {
  ValueFact& result = p.output();
  const auto typed = std::find_if(op.info.inputs.begin(), op.info.inputs.end(), has_type_of_result);
  const auto position = static_cast<std::size_t>(typed - op.info.inputs.begin());
  if (p.input_count() > op.info.inputs.size() || p.outputs().empty()) return;
  result.dtype = p.given(position).dtype;
  result.dims = result_shape(p, op);
  if (is_computed(op.info)) return;
  if (op.info.name == "GatherTree") {
    gather_tree(p, result);
  } else if (op.info.name == "SegmentMax") {
    segment_max(p, op, result);
  } else if (op.info.scatter) {
    scatter(p, op, result);
  } else {
    gather(p, op, result);
  }
}

}  // namespace windrow::internal
