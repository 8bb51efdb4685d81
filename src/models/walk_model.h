#ifndef WINDROW_MODELS_WALK_MODEL_H_
#define WINDROW_MODELS_WALK_MODEL_H_

#include <cstddef>
#include <string>

#include "windrow/models.h"

namespace windrow::internal {

// The callbacks of a walk over a model. Every node is visited before its bodies.
class ModelWalk {
 public:
  ModelWalk() = default;
  ModelWalk(const ModelWalk&) = delete;
  ModelWalk& operator=(const ModelWalk&) = delete;
  virtual ~ModelWalk() = default;

  // The nodes up to the matching leave() are those of `graph` and its bodies. `path` is that of the
  // graph: "main", "main/loop_3.body", "function mine.Twice".
  virtual void enter(const std::string& path, const Graph& graph) = 0;
  // `position`: among the graph's nodes.
  virtual void visit(const NodePlace& place, std::size_t position) = 0;
  virtual void leave() = 0;
};

// Goes through the main graph, the bodies of its nodes, and the functions with theirs.
void walk_model(const Model& model, ModelWalk& walk);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_WALK_MODEL_H_
