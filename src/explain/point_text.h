#ifndef WINDROW_EXPLAIN_POINT_TEXT_H_
#define WINDROW_EXPLAIN_POINT_TEXT_H_

#include <string>

#include "windrow/explain.h"

namespace windrow::internal {

// The line of a gather's point in to_text(), without margin and line feed:
// "output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 on axis 1 (extent 4)".
std::string walk_text(const Explanation& explanation, const ExplainedPoint& walk);

// The same for a scatter's write, with its number in front: "0: updates[0] = 7 goes to ..".
std::string write_text(const Explanation& explanation, const ExplainedWrite& write);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_POINT_TEXT_H_
