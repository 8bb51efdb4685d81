#ifndef WINDROW_PLUGINS_JAX_COMPILED_CALL_H_
#define WINDROW_PLUGINS_JAX_COMPILED_CALL_H_

#include <xla/ffi/api/c_api.h>

#include <cfenv>
#include <cstddef>
#include <memory>
#include <vector>

#include "windrow/call_cache.h"
#include "windrow/dtype.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::jax {

// The element type of an XLA buffer; kAbsent for types that the library does not have, or that XLA
// stores in another layout (types of less than a byte).
DType dtype_of(XLA_FFI_DataType type) noexcept;

// Everything in a call frame except its memory: attributes, and the types and shapes of operands
// and results. Two frames with equal keys run the same plan.
CallKey key_of(const XLA_FFI_CallFrame& frame) noexcept;

// Bytes of a scalar attribute; 0 for types that no operator's attribute has.
std::size_t scalar_bytes(XLA_FFI_DataType type) noexcept;

// As long as the object lives, this thread's floating-point unit computes with subnormal numbers,
// as the operators' folds do everywhere else. XLA's threads treat them as zero.
class SubnormalNumbers {
 public:
  SubnormalNumbers() noexcept {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~SubnormalNumbers() { std::fesetenv(&before_); }
  SubnormalNumbers(const SubnormalNumbers&) = delete;
  SubnormalNumbers& operator=(const SubnormalNumbers&) = delete;

 private:
  std::fenv_t before_;
};

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
