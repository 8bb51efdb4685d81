#ifndef WINDROW_PLUGINS_JAX_COMPILED_CALL_H_
#define WINDROW_PLUGINS_JAX_COMPILED_CALL_H_

#include <xla/ffi/api/c_api.h>

#include <memory>
#include <vector>

#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::jax {

// The request of a call frame, compiled for its types and shapes. Constant.
struct CompiledCall {
  Plan plan;
  // The inputs given by attributes; they follow the operands.
  std::vector<std::shared_ptr<const Tensor>> constants;
};

// Errors: kUnsupported, kInvalidArgument (attributes, number of operands and results), kType and
// kShape (operands; a result that is not what the operator returns).
Result<CompiledCall> compile_call(const XLA_FFI_CallFrame& frame);

// Runs a call compiled for a frame with the same key. Errors: those of Plan::run.
Status run_call(const CompiledCall& call, const XLA_FFI_CallFrame& frame);

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_COMPILED_CALL_H_
