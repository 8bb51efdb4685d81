#ifndef WINDROW_DIALECTS_ONNX_BUILD_H_
#define WINDROW_DIALECTS_ONNX_BUILD_H_

#include <span>

#include "src/dialects/onnx/schema.h"
#include "src/dialects/operator.h"
#include "windrow/onnx_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/onnx.md.
namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::Gather& op, const KnownInputs& inputs,
                            const CallOptions& options);
Operation build(const Rules& rules, const onnx::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const onnx::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::GatherND& op, const KnownInputs& inputs,
                            const CallOptions& options);
Operation build(const Rules& rules, const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::Scatter& op, const KnownInputs& inputs,
                            const CallOptions& options);
Operation build(const Rules& rules, const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterElements& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const onnx::ScatterElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterND& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::TensorScatter& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const onnx::TensorScatter& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::OneHot& op, const KnownInputs& inputs,
                            const CallOptions& options);
Operation build(const Rules& rules, const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const onnx::ArrayFeatureExtractor& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const onnx::ArrayFeatureExtractor& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_BUILD_H_
