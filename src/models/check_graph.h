#ifndef WINDROW_MODELS_CHECK_GRAPH_H_
#define WINDROW_MODELS_CHECK_GRAPH_H_

#include "windrow/models.h"

namespace windrow::internal {

// That every value is defined once, and before the nodes that use it, and that outputs are defined.
// Errors: kFormat, with the node and the value.
Status check_graph(const Model& model);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_CHECK_GRAPH_H_
