#ifndef WINDROW_DIALECTS_OPENVINO_BUILD_H_
#define WINDROW_DIALECTS_OPENVINO_BUILD_H_

#include "src/dialects/openvino/schema.h"
#include "src/dialects/operator.h"
#include "windrow/openvino_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/openvino.md.
namespace windrow::internal {

WINDROW_DECLARE_OPERATOR(openvino::Gather);
WINDROW_DECLARE_OPERATOR(openvino::GatherElements);
WINDROW_DECLARE_OPERATOR(openvino::GatherND);
WINDROW_DECLARE_OPERATOR(openvino::ScatterUpdate);
WINDROW_DECLARE_OPERATOR(openvino::ScatterElementsUpdate);
WINDROW_DECLARE_OPERATOR(openvino::ScatterNDUpdate);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_BUILD_H_
