#ifndef WINDROW_DIALECTS_ARRAY_BUILD_H_
#define WINDROW_DIALECTS_ARRAY_BUILD_H_

#include "src/dialects/array/schema.h"
#include "src/dialects/operator.h"
#include "windrow/array_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/array.md.
namespace windrow::internal {

WINDROW_DECLARE_OPERATOR(array::Take);
WINDROW_DECLARE_OPERATOR(array::TakeAlongAxis);
WINDROW_DECLARE_OPERATOR(array::PutAlongAxis);
WINDROW_DECLARE_OPERATOR(array::IndexAdd);
WINDROW_DECLARE_OPERATOR(array::IndexReduce);
WINDROW_DECLARE_OPERATOR(array::SegmentReduce);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_BUILD_H_
