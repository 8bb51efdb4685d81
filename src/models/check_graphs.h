#ifndef WINDROW_MODELS_CHECK_GRAPHS_H_
#define WINDROW_MODELS_CHECK_GRAPHS_H_

#include "windrow/models.h"

namespace windrow::internal {

// Checks the main graph of a model, all bodies and functions: every value is defined once in its
// graph, and before the nodes that use it, there or, but for OpenVINO, in a graph around it;
// outputs are defined.
// Errors: kFormat, with the node, its body and the value.
Status check_graphs(const Model& model);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_CHECK_GRAPHS_H_
