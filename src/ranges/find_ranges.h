#ifndef WINDROW_RANGES_FIND_RANGES_H_
#define WINDROW_RANGES_FIND_RANGES_H_

#include "src/models/infer_node.h"
#include "src/ranges/production.h"

namespace windrow::internal {

// The producer of the library's own operators, gathers and scatters.
void produce_operator(Production& p, const NodeOperator& op);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FIND_RANGES_H_
