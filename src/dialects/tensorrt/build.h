#ifndef WINDROW_DIALECTS_TENSORRT_BUILD_H_
#define WINDROW_DIALECTS_TENSORRT_BUILD_H_

#include "src/dialects/operator.h"
#include "src/dialects/tensorrt/schema.h"
#include "windrow/tensorrt_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/tensorrt.md.
namespace windrow::internal {

WINDROW_DECLARE_OPERATOR(tensorrt::Gather);
WINDROW_DECLARE_OPERATOR(tensorrt::Scatter);
WINDROW_DECLARE_OPERATOR(tensorrt::OneHot);
WINDROW_DECLARE_OPERATOR(tensorrt::KVCacheUpdate);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_BUILD_H_
