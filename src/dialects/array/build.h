#ifndef WINDROW_DIALECTS_ARRAY_BUILD_H_
#define WINDROW_DIALECTS_ARRAY_BUILD_H_

#include <span>

#include "src/dialects/array/schema.h"
#include "src/dialects/operator.h"
#include "windrow/array_attributes.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/array.md.
namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::Take& op, const KnownInputs& inputs,
                            const CallOptions& options);
Operation build(const Rules& rules, const array::Take& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const array::TakeAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const array::TakeAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const array::PutAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const array::PutAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const array::IndexAdd& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const array::IndexReduce& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const array::IndexReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);
Result<SymbolicShape> check(const Rules& rules, const array::SegmentReduce& op,
                            const KnownInputs& inputs, const CallOptions& options);
Operation build(const Rules& rules, const array::SegmentReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_BUILD_H_
