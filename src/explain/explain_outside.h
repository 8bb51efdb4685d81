#ifndef WINDROW_EXPLAIN_EXPLAIN_OUTSIDE_H_
#define WINDROW_EXPLAIN_EXPLAIN_OUTSIDE_H_

#include <span>
#include <vector>

#include "src/access/access_map.h"
#include "windrow/explain.h"
#include "windrow/tensor.h"

// Operations outside the equation whose walks are not those of a gather: bags and beams.
namespace windrow::internal {

inline bool has_own_walks(const Operation& operation) noexcept {
  return operation.bags.has_value() || operation.beams.has_value();
}

// The inputs whose values say which elements a run reads.
std::vector<int> deciding_inputs(const Operation& operation);

// The axes of the output.
std::vector<ExplainedOutputAxis> explain_outside_axes(const Operation& operation);

// Fills in the walks, the numbers of searched and of illegal points, and why the call fails. A walk
// of bags is a sample's element, whose `direct` is the cell of the output to which it is added;
// several have the same one. A walk of beams is an element of the output, which has no cell, and an
// inside coordinate without a value, where the beam has ended. Preconditions: explanation.points is
// set, and the deciding inputs have their values.
void explain_outside(const Operation& operation, std::span<const TensorView> inputs,
                     const ExplainOptions& options, Explanation& explanation);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_OUTSIDE_H_
