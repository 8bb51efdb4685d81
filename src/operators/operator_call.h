#ifndef WINDROW_OPERATORS_OPERATOR_CALL_H_
#define WINDROW_OPERATORS_OPERATOR_CALL_H_

#include <span>
#include <vector>

#include "src/operators/operator_row.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An operator version with its attributes: what calls by name and typed calls have in common.
struct OperatorCall {
  const OperatorRow& row;
  const void* op;  // the row's struct, which parse() or the caller made
};

// Precondition of compile_call() and run_call(): check_input_count(). The plan is that of an equal
// call before, if it is still kept. Errors: those of windrow::compile but for the ones of names.
Result<Plan> compile_call(const OperatorCall& call, std::span<const TensorSpec> inputs,
                          const CallOptions& options);

// windrow::compile with the row that find_row() gives.
Result<Plan> compile_row(const OperatorRow& row, const Attributes& attributes,
                         std::span<const TensorSpec> inputs, const CallOptions& options);

// Compiles for the inputs and runs. The value that a plan is compiled for is read once.
Result<Tensor> run_call(const OperatorCall& call, std::span<const TensorView> inputs,
                        const CallOptions& options, const RunOptions& run);

// What compile_call() takes for inputs in memory. An element that the plan is compiled for is left
// out where it is none (the operator's rules say what is wrong). Errors: kOutOfMemory.
Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_CALL_H_
