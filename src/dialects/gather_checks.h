#ifndef WINDROW_DIALECTS_GATHER_CHECKS_H_
#define WINDROW_DIALECTS_GATHER_CHECKS_H_

#include "src/dialects/rules.h"
#include "windrow/shape.h"

// Shape rules of gathers that dialects share.
namespace windrow::internal {

// C1 of GatherElements: data and indices of one rank, at least 1.
Status check_common_rank(const Rules& rules, const Shape& data, const Shape& indices);

// indices.shape[d] <= data.shape[d] off the axis.
Status check_not_longer(const Rules& rules, std::string_view rule, const Shape& data,
                        const Shape& indices, int axis);

// C1 of GatherND: both of rank 1 or more.
Status check_tuple_ranks(const Rules& rules, const Shape& data, const Shape& indices);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_GATHER_CHECKS_H_
