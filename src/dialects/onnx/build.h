#ifndef WINDROW_DIALECTS_ONNX_BUILD_H_
#define WINDROW_DIALECTS_ONNX_BUILD_H_

#include "src/dialects/onnx/schema.h"
#include "src/dialects/operator.h"
#include "windrow/onnx_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/onnx.md.
namespace windrow::internal {

WINDROW_DECLARE_OPERATOR(onnx::Gather);
WINDROW_DECLARE_OPERATOR(onnx::GatherElements);
WINDROW_DECLARE_OPERATOR(onnx::GatherND);
WINDROW_DECLARE_OPERATOR(onnx::Scatter);
WINDROW_DECLARE_OPERATOR(onnx::ScatterElements);
WINDROW_DECLARE_OPERATOR(onnx::ScatterND);
WINDROW_DECLARE_OPERATOR(onnx::TensorScatter);
WINDROW_DECLARE_OPERATOR(onnx::OneHot);
WINDROW_DECLARE_OPERATOR(onnx::ArrayFeatureExtractor);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_BUILD_H_
