#include "src/ranges/fact_finder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "src/models/host_ops/host_ops.h"
#include "src/ranges/comparisons.h"
#include "src/ranges/conversions.h"
#include "src/ranges/departures.h"
#include "src/ranges/distinct.h"
#include "src/ranges/fact_bodies.h"
#include "src/ranges/find_ranges.h"
#include "src/ranges/floats.h"

namespace windrow::internal {

FactGraph::FactGraph(const InferredGraph& inferred, FactGraph* around)
    : inferred_(&inferred),
      around_(around),
      is_main_(inferred.path() == "main"),
      facts_(inferred.numbers().value_count()),
      nodes_(inferred.numbers().value_count()) {}

ValueFact& FactGraph::define(ValueNumber number) {
  defined_ = std::max<std::size_t>(defined_, number + 1);
  return facts_[number];
}

ValueNumber FactGraph::number(std::string_view name) const {
  const ValueNumber found = inferred_->numbers().find(name);
  return found != kNoValue && found < defined_ ? found : kNoValue;
}

ValueFact* FactGraph::find(std::string_view name) {
  if (name.empty()) return nullptr;
  for (FactGraph* graph = this; graph != nullptr; graph = graph->around_) {
    const ValueNumber found = graph->number(name);
    if (found != kNoValue) return &graph->facts_[found];
  }
  return nullptr;
}

// The file is longer than 300 lines because its functions share the state of one walk over a graph;
// bodies are in fact_bodies.cc.

namespace {

// Constants of integers that are larger are read only if indices come from them.
constexpr std::int64_t kLargeBytes = 1 << 20;

// The version of an operator whose version is not known: no producer applies to it.
constexpr int kNoVersion = -1;

const ValueFact kUnknownValue;

// Whether the value is a constant whose elements have not been read yet.
bool is_unread(const ValueFact& fact) {
  return fact.constant != nullptr && interval_count(fact.range) == 0;
}

// Whether the elements of a constant are read at all.
bool is_worth_reading(const Constant& constant, bool is_wanted) {
  if (has_integer_intervals(constant.dtype()))
    return is_wanted || constant.byte_count() <= kLargeBytes;
  const auto count = element_count(constant.shape());
  return has_float_intervals(constant.dtype()) && count &&
         *count <= static_cast<std::int64_t>(kMostIntervals);
}

}  // namespace

// A node's inputs as a producer reads them.
class FactFinder::Inputs final : public ProductionInputs {
 public:
  Inputs(FactFinder& finder, FactGraph& graph, std::size_t node)
      : finder_(finder), graph_(graph), node_(node) {}

  void replace(std::size_t input, ValueFact fact) { replaced_[input] = std::move(fact); }
  const ValueFact& given(std::size_t input) override {
    if (input < replaced_.size() && replaced_[input]) return *replaced_[input];
    const ValueFact* const found = FactFinder::input(graph_, node_, input);
    return found == nullptr ? kUnknownValue : *found;
  }
  const ValueFact& read(std::size_t input) override {
    if (input < replaced_.size() && replaced_[input]) return *replaced_[input];
    return finder_.read(graph_, node_, input);
  }

 private:
  FactFinder& finder_;
  FactGraph& graph_;
  std::size_t node_;
  std::array<std::optional<ValueFact>, 3> replaced_;
};

const ModelNode* FactFinder::Values::node_of(const std::string& value) const {
  const ValueNumber number = graph_.number(value);
  return number == kNoValue ? nullptr : graph_.node_of(number);
}

std::unique_ptr<FactGraph> FactFinder::enter(InferredModel::Root& root) {
  root_ = &root;
  auto graph = std::make_unique<FactGraph>(*root.graph, nullptr);
  define_given(*graph, {});
  return graph;
}

std::unique_ptr<FactGraph> FactFinder::take_body(const InferredGraph& body) {
  const auto found = bodies_.find(&body);
  std::unique_ptr<FactGraph> graph = std::move(found->second);
  bodies_.erase(found);
  return graph;
}

// Defines constants, inputs and values that can't be represented. The inputs of the main graph are
// as declared, those of a body are what its node passes, and nothing is known of a function's.
void FactFinder::define_given(FactGraph& graph, std::span<const ValueFact> inputs) {
  const Graph& given = graph.graph();
  const NumberedGraph& numbers = graph.inferred().numbers();
  for (const auto& [name, constant] : given.constants)
    graph.define(numbers.find(name)) = constant_fact(constant);
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    ValueFact& fact = graph.define(numbers.find(given.inputs[i].name));
    if (graph.is_main()) fact = declared_fact(declared_.inputs[i], false);
    if (!graph.is_main() && i < inputs.size()) fact = inputs[i];
  }
  for (std::size_t i = 0; i < given.default_inputs.size(); ++i) {
    ValueFact& fact = graph.define(numbers.find(given.default_inputs[i].name));
    fact = graph.is_main() ? declared_fact(declared_.default_inputs[i], true) : ValueFact();
  }
  for (std::size_t number = 0; number < numbers.given_count(); ++number) {
    const auto value = static_cast<ValueNumber>(number);
    ValueFact& fact = graph.define(value);
    if (fact.constant != nullptr) continue;
    add_inferred(graph.inferred(), value, nullptr, fact, extents_);
    complete(fact, extents_);
  }
  find_wanted(graph);
}

bool FactFinder::misreads_empty_constants() const {
  return extents_.profile().misreads_empty_constants && model_.dialect == "onnx" &&
         !options_.has_given_values;
}

ValueFact FactFinder::constant_fact(const Constant& constant) const {
  ValueFact fact;
  fact.dtype = constant.dtype();
  if (element_count(constant.shape()) == 0 && misreads_empty_constants()) {
    fact.dispute = Dispute::kRank;
  } else {
    fact.dims = symbolic(constant.shape());
  }
  fact.constant = &constant;
  fact.is_fixed = true;
  return fact;
}

ValueFact FactFinder::declared_fact(const ValueInfo& declared, bool is_default) const {
  ValueFact fact;
  fact.dtype = declared.dtype;
  fact.dims = declared.dims;
  fact.is_fixed = is_default;
  if (is_default && may_be_empty(declared.dims) && misreads_empty_constants()) {
    fact.dims.reset();
    fact.dispute = Dispute::kRank;
  }
  if (has_integer_intervals(declared.dtype) && declared.dtype != DType::kBool)
    fact.range =
        tensor_range(extents_.profile().given(declared.dtype, type_interval(declared.dtype)));
  if (!is_integer(declared.dtype) && !has_float_intervals(declared.dtype)) return fact;
  if (!is_default) fact.source_input = declared.name;
  const auto assumed = options_.assumed.find(declared.name);
  if (assumed == options_.assumed.end()) return fact;
  const Interval& range = assumed->second;
  if (has_float_intervals(declared.dtype)) {
    fact.range = tensor_range(FloatArithmetic(declared.dtype).cast(range, DType::kInt64));
    fact.range.premises = extents_.assumption(declared.name, range);
    return fact;
  }
  const Interval given = meet(type_interval(declared.dtype), range, extents_);
  fact.range = tensor_range(extents_.profile().given(declared.dtype, given));
  fact.range.premises = extents_.assumption(declared.name, range);
  return fact;
}

// Finds the large constants of the graph that are read: those whose elements become indices.
void FactFinder::find_wanted(FactGraph& graph) {
  const Graph& given = graph.graph();
  const NumberedGraph& numbers = graph.inferred().numbers();
  const auto is_large = [](const auto& constant) {
    return has_integer_intervals(constant.second.dtype()) &&
           constant.second.byte_count() > kLargeBytes;
  };
  std::vector<bool> is_wanted(numbers.value_count());
  const bool any = std::any_of(given.constants.begin(), given.constants.end(), is_large);
  for (std::size_t node = any ? given.nodes.size() : 0; node-- > 0;) {
    const auto outputs = numbers.outputs(node);
    const bool all = std::any_of(outputs.begin(), outputs.end(), [&](ValueNumber number) {
      return number != kNoValue && is_wanted[number];
    });
    const Result<const NodeOperator*> op = root_->operators.find(given.nodes[node]);
    const auto inputs = numbers.inputs(node);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_index =
          op && i < (*op)->info.inputs.size() && (*op)->info.inputs[i].holds_indices();
      if (inputs[i] != kNoValue && (all || is_index)) is_wanted[inputs[i]] = true;
    }
  }
  for (const auto& [name, constant] : given.constants) {
    const ValueNumber number = numbers.find(name);
    ValueFact& fact = graph.fact(number);
    if (fact.constant != nullptr && !is_worth_reading(constant, is_wanted[number]))
      complete(fact, extents_);
  }
}

const ValueFact& FactFinder::read(ValueFact* fact) {
  if (fact == nullptr) return kUnknownValue;
  if (is_unread(*fact)) {
    const auto tensor = fact->constant->tensor();
    if (tensor) fact->range = range_of(**tensor).value_or(ValueRange());
    for (Interval& interval : fact->range.integers)
      interval = extents_.profile().given(fact->dtype, interval);
    complete(*fact, extents_);
    fact->distinct = distinct_elements(*fact);
  }
  const std::size_t size = interval_count(fact->range);
  if (size > 1) work_ += size;
  if (work_ > kMostWork) fact->range = collapsed(fact->range, extents_);
  return *fact;
}

ValueFact* FactFinder::input(FactGraph& graph, std::size_t node, std::size_t input) {
  const auto numbers = graph.inferred().numbers().inputs(node);
  if (input >= numbers.size()) return nullptr;
  if (numbers[input] != kNoValue) return &graph.fact(numbers[input]);
  return graph.find(graph.graph().nodes[node].inputs[input]);
}

const ValueFact& FactFinder::read(FactGraph& graph, std::size_t node, std::size_t position) {
  return read(input(graph, node, position));
}

int FactFinder::version_of(const ModelNode& node) const {
  if (node.version) return *node.version;
  if (model_.dialect != "onnx") return 0;
  const Result<int> opset = opset_of(root_->operators.opset_imports(), node.domain);
  return opset ? *opset : kNoVersion;
}

const ProducerRow* FactFinder::producer_of(const ModelNode& node) const {
  if (!node.domain.empty() || !node.unsupported.empty() || !node.bodies.empty()) return nullptr;
  const ProducerRow* const row = find_producer(model_.dialect, node.op_type, version_of(node));
  if (row == nullptr || model_.dialect != "openvino" || !row->is_elementwise) return row;
  // PaddlePaddle's broadcasting aligns shapes at a given axis, not at the last.
  const auto mode = node.attributes.find("auto_broadcast");
  const auto* const text =
      mode == node.attributes.end() ? nullptr : std::get_if<std::string>(&mode->second);
  return text == nullptr || *text == "numpy" || *text == "none" ? row : nullptr;
}

void FactFinder::find(FactGraph& graph, std::size_t node) {
  const ModelNode& of = graph.graph().nodes[node];
  Facts found;
  if (!of.bodies.empty()) {
    found = find_bodies(graph, node);
  } else if (is_constant(of)) {
    found = find_constant(of);
  } else {
    found = produce(graph, node);
  }
  define_outputs(graph, node, std::move(found));
}

FactFinder::Facts FactFinder::find_constant(const ModelNode& node) {
  const Result<int> opset = opset_of(root_->operators.opset_imports(), node.domain);
  if (!opset) return {};
  const Result<std::shared_ptr<const Tensor>> value = constant_value(node, *opset);
  if (!value) return {};
  constants_.emplace_back(*value);
  ValueFact fact = constant_fact(constants_.back());
  // The elements are in memory, so that even large constants are read.
  if (!is_worth_reading(constants_.back(), true)) complete(fact, extents_);
  return {std::move(fact)};
}

FactFinder::Facts FactFinder::produce(FactGraph& graph, std::size_t node) {
  const ModelNode& of = graph.graph().nodes[node];
  const ProducerRow* const row = producer_of(of);
  const Result<const NodeOperator*> op =
      row == nullptr ? root_->operators.find(of) : Result<const NodeOperator*>(nullptr);
  if (row == nullptr && !op) return {};
  Inputs inputs(*this, graph, node);
  const bool chooses =
      row != nullptr && of.inputs.size() == 3 && (of.op_type == "Where" || of.op_type == "Select");
  if (chooses) {
    Values values(*this, graph);
    for (const std::size_t branch : {1U, 2U}) {
      const std::vector<Assumption> assumptions =
          assumptions_of(of.inputs[0], branch == 1, values, extents_);
      inputs.replace(branch, fact_under(of.inputs[branch], assumptions, values, extents_));
    }
  }
  Production production(of, model_.dialect, version_of(of), inputs, extents_);
  if (graph.is_main()) production.name_extents();
  if (row != nullptr) {
    row->produce(production);
  } else {
    produce_operator(production, **op);
  }
  production.pass_disputes();
  weaken_by_departures(production);
  find_distinct(production);
  return production.take_outputs(row != nullptr && row->is_elementwise);
}

void FactFinder::define_outputs(FactGraph& graph, std::size_t node, Facts found) {
  const auto numbers = graph.inferred().numbers().outputs(node);
  const ModelNode& of = graph.graph().nodes[node];
  bool is_fixed = of.bodies.empty();
  for (std::size_t i = 0; is_fixed && i < of.inputs.size(); ++i) {
    const ValueFact* const given = input(graph, node, i);
    is_fixed = of.inputs[i].empty() || (given != nullptr && given->is_fixed);
  }
  found.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kNoValue) continue;
    ValueFact& fact = graph.define(numbers[i]);
    fact = std::move(found[i]);
    fact.is_fixed = is_fixed;
    if (i == 0) graph.set_node(numbers[i], of);
    add_inferred(graph.inferred(), numbers[i], &of, fact, extents_);
    for (std::size_t axis = 0; graph.is_main() && fact.dims && axis < fact.dims->size(); ++axis) {
      Dim& dim = (*fact.dims)[axis];
      if (dim.is_known() || extents_.find(dim.symbol) >= 0) continue;
      const std::int64_t high = std::min(dim.high, Extents::most_of(*fact.dims, axis));
      dim = extents_.name_inner(graph.inferred().numbers().name(numbers[i]), axis, dim.low, high);
    }
    if (is_unread(fact)) continue;
    complete(fact, extents_);
    if (work_ > kMostWork) fact.range = collapsed(fact.range, extents_);
    if (!says_nothing(fact, extents_)) continue;
    // What source_input says holds by these premises, too.
    Premises premises = std::move(fact.range.premises);
    fact.range = ValueRange();
    complete(fact, extents_);
    if (!fact.source_input.empty()) fact.range.premises = std::move(premises);
  }
}

}  // namespace windrow::internal
