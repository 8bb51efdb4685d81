#ifndef WINDROW_OPERATORS_OPERATOR_CALL_H_
#define WINDROW_OPERATORS_OPERATOR_CALL_H_

#include <span>
#include <vector>

#include "src/operators/operator_row.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An operator version with its attributes, for calls by name as well as typed calls.
struct OperatorCall {
  const OperatorRow& row;
  const void* op;  // the row's struct, which parse() or the caller made
};

// Precondition of compile_call() and run_call(): check_input_count(). Returns the plan of an
// earlier equal call if it is still kept. Errors: those of windrow::compile, except for those of
// names.
Result<Plan> compile_call(const OperatorCall& call, std::span<const TensorSpec> inputs,
                          const CallOptions& options);

// windrow::compile for the row that find_row() returned.
Result<Plan> compile_row(const OperatorRow& row, const Attributes& attributes,
                         std::span<const TensorSpec> inputs, const CallOptions& options);

// Compiles for the inputs and runs. The value that a plan is compiled for is read only once.
Result<Tensor> run_call(const OperatorCall& call, std::span<const TensorView> inputs,
                        const CallOptions& options, const RunOptions& run);

// The arguments of compile_call() for inputs in memory. If an input that the plan is compiled for
// is not a single element, its value is left out (the operator's rules report the error). Errors:
// kOutOfMemory.
Result<std::vector<TensorSpec>> specs_of(const OperatorRow& row,
                                         std::span<const TensorView> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_CALL_H_
