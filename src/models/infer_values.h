#ifndef WINDROW_MODELS_INFER_VALUES_H_
#define WINDROW_MODELS_INFER_VALUES_H_

#include <vector>

#include "src/models/node_operator.h"
#include "src/models/numbered_graph.h"
#include "windrow/models.h"

namespace windrow::internal {

// Model::infer by number: one ValueInfo per value of the graph. `operators` are those of the model.
Result<std::vector<ValueInfo>> infer_values(const Model& model, const NumberedGraph& graph,
                                            NodeOperators& operators);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFER_VALUES_H_
