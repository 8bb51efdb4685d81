#ifndef WINDROW_PLAYGROUND_ONNX_NODE_H_
#define WINDROW_PLAYGROUND_ONNX_NODE_H_

#include <string>

#include "windrow/attributes.h"
#include "windrow/explain.h"
#include "windrow/operators.h"

namespace windrow::playground {

// Python that makes the node of a call with the package onnx, and its opset; empty for an operator
// of another dialect.
std::string onnx_node(const OperatorInfo& info, const Attributes& attributes,
                      const Explanation& explanation);

}  // namespace windrow::playground

#endif  // WINDROW_PLAYGROUND_ONNX_NODE_H_
