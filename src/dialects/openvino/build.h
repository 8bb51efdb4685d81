#ifndef WINDROW_DIALECTS_OPENVINO_BUILD_H_
#define WINDROW_DIALECTS_OPENVINO_BUILD_H_

#include <span>

#include "src/dialects/openvino/schema.h"
#include "src/dialects/operator.h"
#include "windrow/openvino_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/openvino.md.
namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const openvino::Gather& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const openvino::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const openvino::GatherND& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::GatherND& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::ScatterUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterNDUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const openvino::ScatterNDUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_BUILD_H_
