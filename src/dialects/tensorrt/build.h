#ifndef WINDROW_DIALECTS_TENSORRT_BUILD_H_
#define WINDROW_DIALECTS_TENSORRT_BUILD_H_

#include <span>

#include "src/access/operation.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/tensorrt_attributes.h"

// The builders: settings and input specs of one layer -> labelled checks -> Operation. The rules
// stand in docs/operators/tensorrt.md.
//
// In all functions the number of inputs, their element types, their sizes and the call options have
// been checked (CALL-*, A2, T*). Errors: kInvalidArgument, kType and kShape with the label of the
// rule.
namespace windrow::internal {

Result<Operation> build(const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const tensorrt::KVCacheUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_BUILD_H_
