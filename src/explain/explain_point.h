#ifndef WINDROW_EXPLAIN_EXPLAIN_POINT_H_
#define WINDROW_EXPLAIN_EXPLAIN_POINT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/access/access_map.h"
#include "windrow/explain.h"

namespace windrow::internal {

// The line of a gather's point in to_text(), without margin and line feed:
// "output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 on axis 1 (extent 4)".
std::string walk_text(const Explanation& explanation, const ExplainedPoint& walk);

// The same for a scatter's write, with its number in front: "0: updates[0] = 7 goes to ..".
std::string write_text(const Explanation& explanation, const ExplainedWrite& write);

// Whether an input needs no memory (it is absent or empty) or has its memory.
bool has_values(const TensorView& input);

// One coordinate of the indirect tensor at these loop counters; see explain_point().
ExplainedCoordinate explain_coordinate(const AxisMap& axis, std::span<const TensorView> inputs,
                                       const Dims& counters);

// Point `number` of an operation's loops, in row-major order, without `value`, and of bags without
// `direct`. Index tensors may have any strides, and may be packed. Preconditions: the number is
// less than the loops' element count, and every index tensor has its values.
ExplainedPoint explain_point(const Operation& operation, std::span<const TensorView> inputs,
                             std::int64_t number);

// The extents of the block that ExplainOptions::corner shows: at most `most` points of `loops`.
Shape corner_block(const Shape& loops, std::int64_t most);

// Whether counters lie in a block of these extents.
bool is_in_block(const Dims& counters, const Shape& block);

// Whether one of a point's indices makes the call fail.
bool is_illegal(const ExplainedPoint& point);

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

#endif  // WINDROW_EXPLAIN_EXPLAIN_POINT_H_
