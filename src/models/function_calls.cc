#include "src/models/function_calls.h"

#include <algorithm>
#include <memory>

#include "src/models/check_inputs.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMostDifferent = 16;

bool are_same(const std::vector<Knowledge>& a, const std::vector<Knowledge>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Knowledge& x, const Knowledge& y) { return is_same(x, y); });
}

void add_call(std::vector<Knowledge> inputs, FunctionCalls::Calls& calls) {
  if (calls.all.empty()) {
    calls.all = inputs;
  } else {
    for (std::size_t i = 0; i < inputs.size(); ++i) calls.all[i] = join(calls.all[i], inputs[i]);
  }
  const bool is_known =
      std::any_of(calls.different.begin(), calls.different.end(),
                  [&inputs](const auto& known) { return are_same(known, inputs); });
  if (!is_known && calls.different.size() < kMostDifferent)
    calls.different.push_back(std::move(inputs));
}

bool is_same_fault(const InferredGraph::Fault& a, const InferredGraph::Fault& b) {
  return a.node == b.node && a.kind == b.kind && a.value == b.value &&
         a.status.constraint() == b.status.constraint();
}

}  // namespace

FunctionCalls::FunctionCalls(const Model& model)
    : model_(model), is_recursive_(model.functions.size(), true), calls_(model.functions.size()) {
  std::vector<std::pair<std::string, std::string>> shared;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    std::pair<std::string, std::string> name(model.functions[i].domain,
                                             model.functions[i].graph.name);
    if (!positions_.emplace(name, i).second) shared.push_back(std::move(name));
  }
  for (const auto& name : shared) positions_.erase(name);
  find_order();
}

std::optional<std::size_t> FunctionCalls::called_by(const ModelNode& node) const {
  const auto* const position = find_in(positions_, std::pair(node.domain, node.op_type));
  return position == nullptr ? std::nullopt : std::optional(*position);
}

void FunctionCalls::count_calls(const Graph& graph, Counts& counts) const {
  for (const ModelNode& node : graph.nodes) {
    if (const std::optional<std::size_t> called = called_by(node)) ++counts[*called];
    for (const NodeBody& body : node.bodies) count_calls(*body.graph, counts);
  }
}

// Functions that call themselves, which ONNX forbids, come last.
void FunctionCalls::find_order() {
  const std::size_t count = model_.functions.size();
  std::vector<Counts> called(count);
  std::vector<std::size_t> callers(count);
  for (std::size_t i = 0; i < count; ++i) {
    count_calls(model_.functions[i].graph, called[i]);
    for (const auto& [callee, calls] : called[i]) callers[callee] += calls;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (callers[i] == 0) order_.push_back(i);
  for (std::size_t done = 0; done < order_.size(); ++done) {
    is_recursive_[order_[done]] = false;
    for (const auto& [callee, calls] : called[order_[done]]) {
      callers[callee] -= calls;
      if (callers[callee] == 0) order_.push_back(callee);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (is_recursive_[i]) order_.push_back(i);
}

void FunctionCalls::add(const InferredGraph& graph) {
  const std::vector<ModelNode>& nodes = graph.graph().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::optional<std::size_t> called = called_by(nodes[i]);
    if (!called || is_recursive_[*called]) continue;
    std::vector<Knowledge> inputs(model_.functions[*called].graph.inputs.size());
    for (std::size_t k = 0; k < inputs.size() && k < nodes[i].inputs.size(); ++k)
      inputs[k] = graph.input(i, k).copy();
    add_call(std::move(inputs), calls_[*called]);
  }
  for (const std::unique_ptr<InferredGraph>& body : graph.bodies()) add(*body);
}

void KeptFaults::keep(const InferredGraph& graph) {
  std::size_t next = 0;
  keep(graph, next);
}

void KeptFaults::keep(const InferredGraph& graph, std::size_t& next) {
  const std::size_t own = next++;
  if (faults_.size() <= own) faults_.resize(own + 1);
  std::vector<InferredGraph::Fault>& kept = faults_[own];
  for (const InferredGraph::Fault& fault : graph.faults()) {
    if (std::none_of(kept.begin(), kept.end(),
                     [&fault](const auto& known) { return is_same_fault(known, fault); }))
      kept.push_back(fault);
  }
  for (const std::unique_ptr<InferredGraph>& body : graph.bodies()) keep(*body, next);
}

std::size_t KeptFaults::restore(InferredGraph& graph) const {
  std::size_t next = 0;
  return restore(graph, next);
}

std::size_t KeptFaults::restore(InferredGraph& graph, std::size_t& next) const {
  if (next >= faults_.size()) return 0;
  std::vector<InferredGraph::Fault>& faults = graph.faults();
  std::size_t added = 0;
  for (const InferredGraph::Fault& kept : faults_[next++]) {
    if (std::any_of(faults.begin(), faults.end(),
                    [&kept](const auto& known) { return is_same_fault(known, kept); }))
      continue;
    faults.push_back(kept);
    ++added;
  }
  // Faults of values that no node gives, whose node is the largest number, come first.
  std::stable_sort(faults.begin(), faults.end(),
                   [](const auto& a, const auto& b) { return a.node + 1 < b.node + 1; });
  for (const std::unique_ptr<InferredGraph>& body : graph.bodies()) added += restore(*body, next);
  return added;
}

}  // namespace windrow::internal
