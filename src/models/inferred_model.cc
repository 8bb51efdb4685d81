#include "src/models/inferred_model.h"

#include <algorithm>
#include <utility>

#include "src/models/check_inputs.h"
#include "src/models/function_calls.h"
#include "src/models/infer_graph.h"

namespace windrow::internal {
namespace {

const ValueInfo kUnknownValue;

}  // namespace

InferredGraph::InferredGraph(const Graph& graph, const NumberedGraph& numbers, std::string path,
                             const InferredGraph* around, std::size_t visible)
    : graph_(&graph),
      numbers_(&numbers),
      path_(std::move(path)),
      around_(around),
      visible_(visible) {
  const auto add = [&](const std::vector<ValueInfo>& declared) {
    for (const ValueInfo& value : declared) {
      const ValueNumber number = numbers.find(value.name);
      if (number != kNoValue && !is_unknown(value)) claims_.emplace_back(number, &value);
    }
  };
  if (is_body()) {
    add(graph.inputs);
    add(graph.default_inputs);
  }
  add(graph.values);
  add(graph.outputs);
  std::stable_sort(claims_.begin(), claims_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

void InferredGraph::clear() {
  values_.clear();
  values_.resize(numbers_->value_count());
  claimed_.clear();
  faults_.clear();
}

void InferredGraph::set(ValueNumber number, Knowledge&& known) {
  if (number == kNoValue) return;
  ValueInfo& value = values_[number];
  if (known.completed) {
    value = *std::move(known.completed);
    value.basis = Basis::kClaimed;
    claimed_.insert_or_assign(number, Claimed{std::move(known.proven), std::move(known.claim)});
  } else {
    value = std::move(known.proven);
  }
  value.name = numbers_->name(number);
}

KnowledgeRef InferredGraph::find(ValueNumber number) const {
  const ValueInfo& value = values_[number];
  if (value.basis != Basis::kClaimed) return {&value, &value, nullptr};
  const Claimed& claimed = claimed_.find(number)->second;
  return {&claimed.proven, &value, &claimed.claim};
}

std::pair<const InferredGraph*, ValueNumber> InferredGraph::place_of(std::string_view name) const {
  const InferredGraph* graph = this;
  std::size_t visible = numbers_->value_count();
  while (graph != nullptr) {
    const ValueNumber number = graph->numbers_->find(name);
    if (number != kNoValue && number < visible) return {graph, number};
    visible = graph->visible_;
    graph = graph->around_;
  }
  return {nullptr, kNoValue};
}

KnowledgeRef InferredGraph::find(std::string_view name) const {
  if (!name.empty()) {
    const auto [graph, number] = place_of(name);
    if (graph != nullptr) return graph->find(number);
  }
  return {&kUnknownValue, &kUnknownValue, nullptr};
}

KnowledgeRef InferredGraph::input(std::size_t node, std::size_t position) const {
  const ValueNumber number = numbers_->inputs(node)[position];
  return number != kNoValue ? find(number)
                            : find(std::string_view(graph_->nodes[node].inputs[position]));
}

const Constant* InferredGraph::constant(std::string_view name) const {
  const InferredGraph* const graph = place_of(name).first;
  return graph == nullptr ? nullptr : find_in(graph->graph_->constants, name);
}

std::span<const InferredGraph::Claims::value_type> InferredGraph::claims(ValueNumber number) const {
  const auto [first, last] =
      std::equal_range(claims_.begin(), claims_.end(), Claims::value_type(number, nullptr),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return {first, last};
}

void InferredGraph::add_body(std::size_t node, std::unique_ptr<InferredGraph> body) {
  body_nodes_.push_back(node);
  bodies_.push_back(std::move(body));
}

std::span<const std::unique_ptr<InferredGraph>> InferredGraph::bodies(std::size_t node) const {
  const auto [first, last] = std::equal_range(body_nodes_.begin(), body_nodes_.end(), node);
  return std::span(bodies_).subspan(static_cast<std::size_t>(first - body_nodes_.begin()),
                                    static_cast<std::size_t>(last - first));
}

namespace {

// Makes an InferredGraph for every graph of a model, in the root that it belongs to.
class GraphMaker final : public ModelWalk {
 public:
  explicit GraphMaker(InferredModel& inferred) : inferred_(inferred) {}

  void enter(const std::string& path, const Graph& graph) override {
    InferredGraph* const around = frames_.empty() ? nullptr : frames_.back().graph;
    const NumberedGraph& numbers = around == nullptr
                                       ? inferred_.roots()[roots_]->numbers
                                       : around->numbers().bodies()[around->bodies().size()];
    auto made = std::make_unique<InferredGraph>(graph, numbers, path, around,
                                                around == nullptr ? 0 : frames_.back().visible);
    InferredGraph* const entered = made.get();
    if (around == nullptr) {
      inferred_.roots()[roots_++]->graph = std::move(made);
    } else {
      around->add_body(frames_.back().node, std::move(made));
    }
    frames_.push_back({entered, 0, 0, numbers.given_count()});
  }

  void visit(const NodePlace& /*place*/, std::size_t position) override {
    Frame& frame = frames_.back();
    frame.node = position;
    frame.visible = frame.defined;
    for (const ValueNumber output : frame.graph->numbers().outputs(position))
      frame.defined += output == kNoValue ? 0 : 1;
  }

  void leave() override { frames_.pop_back(); }

 private:
  struct Frame {
    InferredGraph* graph;
    std::size_t node;     // the last one that was visited
    std::size_t visible;  // the number of values that are defined before it
    std::size_t defined;  // the same with its own values
  };

  InferredModel& inferred_;
  std::size_t roots_ = 0;  // that were entered
  std::vector<Frame> frames_;
};

bool has_only_main(const Model& model) {
  return model.functions.empty() &&
         std::all_of(model.nodes.begin(), model.nodes.end(),
                     [](const ModelNode& node) { return node.bodies.empty(); });
}

// Gathers the first `most` faults of all graphs, with the paths of their nodes.
class FindingsWalk final : public InferredWalk {
 public:
  FindingsWalk(const InferredModel& inferred, std::size_t most)
      : InferredWalk(inferred), most_(most) {}

  void enter(const std::string& path, const Graph& entered) override {
    InferredWalk::enter(path, entered);
    next_.push_back(0);
    take(InferredGraph::kNoNode, {});
  }
  void visit(const NodePlace& place, std::size_t position) override { take(position, place.path); }
  void leave() override {
    next_.pop_back();
    InferredWalk::leave();
  }

  Findings findings;

 private:
  void take(std::size_t node, const std::string& path) {
    const std::vector<InferredGraph::Fault>& faults = graph().faults();
    for (std::size_t& next = next_.back(); next < faults.size() && faults[next].node == node;
         ++next) {
      const InferredGraph::Fault& fault = faults[next];
      if (findings.list.size() == most_) {
        ++findings.left_out;
      } else {
        findings.list.push_back({fault.kind, graph().path(), path, fault.value, fault.status,
                                 fault.claim, fault.claimed_by});
      }
    }
  }

  std::size_t most_;

  std::vector<std::size_t> next_;  // the first fault that was not taken, of each entered graph
};

// Infers a function for each of its different calls, to find what is wrong in any of them, and then
// for all of them at once. Takes the calls in it.
Status infer_function(std::size_t function, InferredGraph& graph, GraphWalk& walk,
                      InferenceState& state, FunctionCalls& calls) {
  // Calls that the function itself makes are of others.
  const FunctionCalls::Calls& own = calls.of(function);
  KeptFaults kept;
  for (std::size_t i = 0; own.different.size() > 1 && i < own.different.size(); ++i) {
    if (Status status = walk.infer(graph, own.different[i]); !status) return status;
    calls.add(graph);
    kept.keep(graph);
  }
  if (Status status = walk.infer(graph, own.all); !status) return status;
  calls.add(graph);
  state.faults += kept.restore(graph);
  return {};
}

}  // namespace

void InferredWalk::enter(const std::string& /*path*/, const Graph& /*graph*/) {
  if (graphs_.empty()) {
    graphs_.push_back({inferred_.roots()[roots_++]->graph.get()});
  } else {
    Entered& around = graphs_.back();
    graphs_.push_back({around.graph->bodies()[around.bodies++].get()});
  }
}

Status InferredModel::number(const Model& model) {
  const auto add = [&](const Graph& graph, NodeOperators operators) -> Status {
    Result<NumberedGraph> numbers = NumberedGraph::of(model, graph);
    if (!numbers) return numbers.error();
    roots_.push_back(std::make_unique<Root>(Root{*std::move(numbers), std::move(operators)}));
    return {};
  };
  if (Status status = add(model, NodeOperators(model)); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = add(function.graph, NodeOperators(model, function));
    if (!status) return status.with_context("function '" + function.graph.name + "'");
  }
  if (has_only_main(model)) {
    Root& main = *roots_.front();
    main.graph = std::make_unique<InferredGraph>(model, main.numbers, "main", nullptr, 0);
  } else {
    GraphMaker maker(*this);
    walk_model(model, maker);
  }
  return {};
}

Status InferredModel::infer(const Model& model, const DeclaredInputs& declared,
                            const InferOptions& options) {
  std::vector<Knowledge> inputs;
  inputs.reserve(declared.inputs.size());
  for (const ValueInfo& input : declared.inputs) inputs.push_back(declared_input(input));
  InferenceState state;
  state.main = &model;
  state.default_inputs = &declared.default_inputs;
  const auto walk_all = [&]() -> Status {
    Root& main = *roots_.front();
    if (Status status = GraphWalk(model, main.operators, state).infer(*main.graph, inputs); !status)
      return status;
    FunctionCalls calls(model);
    calls.add(*main.graph);
    for (const std::size_t function : calls.order()) {
      Root& root = *roots_[function + 1];
      GraphWalk walk(model, root.operators, state);
      Status status = infer_function(function, *root.graph, walk, state, calls);
      if (!status) return status.with_context(root.graph->path());
    }
    return {};
  };
  if (Status status = walk_all(); !status) return status;
  if (state.lacks_knowledge && state.met_other_operator && options.infer_others) {
    const Result<GraphValueInfos> others = options.infer_others(model);
    if (!others) notes_.push_back(others.error().message());
    if (others && !others->empty()) {
      state.others = &*others;
      state.loops = {};
      if (Status status = walk_all(); !status) return status;
      state.others = nullptr;
    }
  }
  fault_count_ = state.faults;
  if (state.loops.was_spent)
    notes_.emplace_back(
        "the model's loops are too large to find the shapes that they carry from one iteration to "
        "the next");
  return {};
}

Result<InferredModel> InferredModel::of(const Model& model, const DeclaredInputs& declared,
                                        const InferOptions& options) {
  InferredModel inferred;
  inferred.model_ = &model;
  if (Status status = inferred.number(model); !status) return status;
  if (Status status = inferred.infer(model, declared, options); !status) return status;
  return inferred;
}

Findings InferredModel::findings(std::size_t most) const {
  FindingsWalk walk(*this, most);
  if (fault_count_ > 0) walk_model(*model_, walk);
  return std::move(walk.findings);
}

}  // namespace windrow::internal
