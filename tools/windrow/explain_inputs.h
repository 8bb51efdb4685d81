#ifndef WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_

#include <string>
#include <vector>

#include "windrow/operators.h"
#include "windrow/options.h"

namespace windrow::tool {

// The inputs of a call as `windrow explain` takes them.
struct ExplainInputs {
  std::vector<Tensor> tensors;    // what the views refer to
  std::vector<TensorView> views;  // in the operator's order; absent ones are default views
};

// The inputs that pairs of words name: "--data" "3x4x2". A value is a shape (extents with x between
// them, "5x" for one axis), whose elements then count from 0, or are unknown where there are too
// many; single values or lists of them as JSON writes them; or a file of a tensor. `types`: what
// --dtype says of each input, kAbsent for float32, and int64 for indices. Throws Error on words
// that are not such pairs.
ExplainInputs parse_explain_inputs(const OperatorInfo& info, const std::vector<std::string>& words,
                                   const std::vector<DType>& types);

// Gives a scatter updates that count from 0 if none are given and the rule fixes their shape: of
// the shapes that updates of any scatter have, exactly one makes a legal call.
void add_missing_updates(const OperatorId& id, const OperatorInfo& info,
                         const Attributes& attributes, const CallOptions& options,
                         ExplainInputs& inputs);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_
