#ifndef WINDROW_RANGES_ADD_INFERRED_H_
#define WINDROW_RANGES_ADD_INFERRED_H_

#include "src/models/inferred_graph.h"
#include "src/ranges/ranges.h"

namespace windrow::internal {

// Adds what inference knows of a value to its fact. `node` computes the value; null: none does.
// What inference proved is trusted: if it contradicts the fact, the model breaks a rule, and
// nothing is known of the value. What it has from InferOptions::infer_others is a claim: it is
// added only where nothing is known, with a premise that names the value, and dropped if it
// contradicts the fact.
void add_inferred(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
                  ValueFact& fact, Extents& extents);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_ADD_INFERRED_H_
