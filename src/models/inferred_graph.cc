#include "src/models/inferred_graph.h"

#include <algorithm>

#include "src/models/find_in.h"

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

}  // namespace windrow::internal
