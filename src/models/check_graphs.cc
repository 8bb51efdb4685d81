#include "src/models/check_graphs.h"

#include "src/models/numbered_graph.h"

namespace windrow::internal {

Status check_graphs(const Model& model) {
  if (Status status = NumberedGraph::of(model, model).error(); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = NumberedGraph::of(model, function.graph).error();
    if (!status) return status.with_context("function '" + function.graph.name + "'");
  }
  return {};
}

}  // namespace windrow::internal
