#ifndef WINDROW_DIALECTS_TENSORRT_BUILD_H_
#define WINDROW_DIALECTS_TENSORRT_BUILD_H_

#include <span>

#include "src/dialects/operator.h"
#include "src/dialects/tensorrt/schema.h"
#include "windrow/tensorrt_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/tensorrt.md.
namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const tensorrt::Gather& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const tensorrt::Scatter& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const tensorrt::OneHot& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_BUILD_H_
