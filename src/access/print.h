#ifndef WINDROW_ACCESS_PRINT_H_
#define WINDROW_ACCESS_PRINT_H_

#include <string>

#include "src/access/operation.h"

namespace windrow::internal {

// The operation as one line in the style of the equation:
//   output[i0, i1, i2] = data[i0, indices[i1], i2]
//   output[indices[i0, 0], indices[i0, 1]] += updates[i0]
// i0, i1, .. are the loops, outermost first. An index that counts from the end is written like any
// other.
std::string equation(const Operation& operation);

// The sum that is an axis's coordinate before its policy, as the equation has it: "indices[i0, 0]",
// "write_indices[i0] + i1".
std::string sum_text(const AxisMap& axis, const Operation& operation);

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_PRINT_H_
