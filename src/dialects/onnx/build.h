#ifndef WINDROW_DIALECTS_ONNX_BUILD_H_
#define WINDROW_DIALECTS_ONNX_BUILD_H_

#include <span>

#include "src/access/operation.h"
#include "windrow/onnx_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// The builders: attributes and input specs of one operator version -> labelled checks -> Operation.
// The rules stand in docs/operators/onnx.md.
//
// In all functions `op.version` is the operator's own version, the number of inputs, their element
// types, their sizes and the call options have been checked (CALL-*, A2, T*). Errors:
// kInvalidArgument, kType and kShape with the label of the rule.
namespace windrow::internal {

Result<Operation> build(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::GatherElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::ScatterElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::TensorScatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const onnx::ArrayFeatureExtractor& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_BUILD_H_
