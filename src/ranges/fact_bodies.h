#ifndef WINDROW_RANGES_FACT_BODIES_H_
#define WINDROW_RANGES_FACT_BODIES_H_

#include "src/models/inferred_model.h"
#include "src/ranges/ranges.h"

// What holds of a value that a body passes from one iteration to the next, in every iteration: it
// holds of the first value, and of a later one if it does of the value before.
namespace windrow::internal {

// What is taken to hold of a carried value, from the first one: its type, shape and one interval.
ValueFact first_invariant(const ValueFact& first, const Extents& extents);
// The same, of which only the type is sure.
ValueFact type_invariant(const ValueFact& first);

// Whether all that `invariant` says, premises included, holds of the value that the body computes
// from values of which it holds. If not, takes back what does not hold: in the first round as much
// as `later` demands, then in large steps, so that few rounds suffice.
bool weaken(ValueFact& invariant, const ValueFact& later, int round, const Extents& extents);

// The interval of the first value and of those that the body computes, which all carried values
// are, where `invariant` holds: it may have been weakened further than that.
void narrow(ValueFact& invariant, const ValueFact& first, const ValueFact& later,
            const Extents& extents);

// Adds what inference knows of a value to its fact. `node` computes the value; null: none does.
// What inference proved is trusted: if it contradicts the fact, the model breaks a rule, and
// nothing is known of the value. What it has from InferOptions::infer_others is a claim: it is
// added only where nothing is known, with a premise that names the value, and dropped if it
// contradicts the fact.
void add_inferred(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
                  ValueFact& fact, Extents& extents);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACT_BODIES_H_
