#ifndef WINDROW_DIALECTS_OPENVINO_BUILD_H_
#define WINDROW_DIALECTS_OPENVINO_BUILD_H_

#include <span>

#include "src/access/operation.h"
#include "windrow/openvino_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// The builders: attributes and input specs of one operator version -> labelled checks -> Operation.
// The rules stand in docs/operators/openvino.md.
//
// In all functions `op.version` is the operator's own version, the number of inputs, their element
// types, their sizes and the call options have been checked (CALL-*, A2, T*). Errors:
// kInvalidArgument, kType and kShape with the label of the rule.
namespace windrow::internal {

Result<Operation> build(const openvino::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const openvino::GatherElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const openvino::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const openvino::ScatterUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const openvino::ScatterElementsUpdate& op,
                        std::span<const TensorSpec> inputs, const CallOptions& options);
Result<Operation> build(const openvino::ScatterNDUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_BUILD_H_
