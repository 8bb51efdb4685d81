#ifndef WINDROW_DIALECTS_ARRAY_BUILD_H_
#define WINDROW_DIALECTS_ARRAY_BUILD_H_

#include <span>

#include "src/access/operation.h"
#include "windrow/array_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// The builders: attributes and input specs of one operator -> labelled checks -> Operation. The
// rules stand in docs/operators/array.md.
//
// In all functions the number of inputs, their element types, their sizes and the call options have
// been checked (CALL-*, A2, T*). Errors: kInvalidArgument, kType and kShape with the label of the
// rule.
namespace windrow::internal {

Result<Operation> build(const array::Take& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const array::TakeAlongAxis& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const array::PutAlongAxis& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const array::IndexReduce& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);
Result<Operation> build(const array::SegmentReduce& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_BUILD_H_
