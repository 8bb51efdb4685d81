#ifndef WINDROW_RANGES_OPERATOR_RANGE_H_
#define WINDROW_RANGES_OPERATOR_RANGE_H_

#include "src/models/node_operator.h"
#include "src/ranges/production.h"

namespace windrow::internal {

// The producer of the library's own operators, gathers and scatters.
void produce_operator(Production& p, const NodeOperator& op);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_OPERATOR_RANGE_H_
