#ifndef WINDROW_EXPLAIN_EXPLAIN_AXES_H_
#define WINDROW_EXPLAIN_EXPLAIN_AXES_H_

#include <span>
#include <string>
#include <vector>

#include "src/access/operation.h"
#include "windrow/explain.h"

namespace windrow::internal {

// The specification's names of an input and of the indirect tensor.
const std::string& input_name(const Operation& operation, int input);
std::string indirect_name(const Operation& operation);

// The axes of the direct tensor, one per loop.
std::vector<ExplainedAxis> explain_loops(const Operation& operation);

// The axes of the output. `inputs` are the operation's, and `loops` is the result of
// explain_loops().
std::vector<ExplainedOutputAxis> explain_output_axes(const Operation& operation,
                                                     std::span<const TensorView> inputs,
                                                     std::span<const ExplainedAxis> loops);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_AXES_H_
