#ifndef WINDROW_MODELS_WALK_MODEL_H_
#define WINDROW_MODELS_WALK_MODEL_H_

#include <cstddef>
#include <string>

#include "windrow/models.h"

namespace windrow::internal {

// What is told of a model during a walk over it. Every node is told before the graphs that it has.
class ModelWalk {
 public:
  ModelWalk() = default;
  ModelWalk(const ModelWalk&) = delete;
  ModelWalk& operator=(const ModelWalk&) = delete;
  virtual ~ModelWalk() = default;

  // The nodes up to the leave() that belongs to this enter() are of `graph` and its bodies. `path`
  // is that of the graph: "main", "main/loop_3.body", "function mine.Twice".
  virtual void enter(const std::string& path, const Graph& graph) = 0;
  // `position`: among the graph's nodes.
  virtual void visit(const NodePlace& place, std::size_t position) = 0;
  virtual void leave() = 0;
};

// Goes through the main graph, the bodies of its nodes, and the functions with theirs.
void walk_model(const Model& model, ModelWalk& walk);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_WALK_MODEL_H_
