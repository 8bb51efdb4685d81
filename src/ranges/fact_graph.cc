#include "src/ranges/fact_graph.h"

#include <algorithm>

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

}  // namespace windrow::internal
