#ifndef WINDROW_OPERATORS_PLAN_STATE_H_
#define WINDROW_OPERATORS_PLAN_STATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/access/operation.h"
#include "src/execute/run_plan.h"
#include "src/operators/known_run.h"
#include "src/operators/prepared_run.h"
#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An operation lowered for one layout: the pass over its points, and what a scatter does before and
// after it.
struct LoweredOperation {
  LoweredPlan main;
  std::optional<LoweredPlan> copy;   // data into the output, unless it runs in place
  std::optional<LoweredPlan> fill;   // the neutral value into the cells that are written
  std::optional<LoweredPlan> count;  // of a mean: how many updates each cell takes
  Shape counts;                      // of count: its tensor's shape, which broadcasts to the result
};

// How a tensor of a run usually comes: with the type, shape and strides of compile. What the checks
// of such a tensor would find is known by then.
struct UsualTensor {
  bool known = false;  // false: no tensor is taken for the usual one
  DType dtype = DType::kAbsent;
  Shape shape;
  Strides strides;
  // Its elements lie in bytes [low, high) from the first one; none if it is absent.
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct PlanState {
  // What is lowered: for packed types the same on bytes.
  const Operation& byte_operation() const noexcept {
    return unpacked_operation ? *unpacked_operation : operation;
  }

  Operation operation;                          // what the caller asked for
  std::optional<Operation> unpacked_operation;  // absent: `operation` itself is lowered
  bool unpacks = false;  // the packed elements that it moves are unpacked to bytes first
  std::vector<TensorSpec> inputs;
  TensorSpec result;
  std::vector<UsualTensor> usual_inputs;  // by note_usual_tensors
  UsualTensor usual_result;
  Tuning tuning;
  const KernelSetEntry* kernels = nullptr;
  LoweredOperation lowered;  // for the strides in `inputs` and a row-major result
  PreparedRunPtr own_run;    // of an operator outside the equation; then nothing is lowered
};

// Lowers for inputs of these strides and an output of these. Errors: as lower().
Result<LoweredOperation> lower_operation(const Operation& operation,
                                         std::span<const TensorSpec> inputs,
                                         const Strides& result_strides, const Tuning& tuning);

// The type in which a mean counts the updates of a cell.
DType count_type(const Operation& operation);

// What the byte operation sees of an input spec or view: the same, but bytes for packed types.
TensorSpec byte_spec(const PlanState& state, std::size_t input);

// Whether an input is unpacked, one element to a byte, before the byte operation runs: packed
// indices always are.
bool unpacks_input(const PlanState& state, std::size_t input);

// Sets the usual tensors of a plan whose inputs and result are known: of numbers of a byte and
// more, with elements.
void note_usual_tensors(PlanState& state);

// What check_run finds out besides errors, and what the caller knows.
struct RunFacts {
  bool usual = false;     // all tensors are as usual: of the layout that the plan was lowered for
  bool in_place = false;  // the output is exactly the data of a scatter
  RunKnowledge knowledge = {};
};

// The checks of Plan::run: types, shapes and memory of inputs and output. Errors: kType, kShape,
// kInvalidArgument.
Status check_run(const PlanState& state, std::span<const TensorView> inputs,
                 const MutableTensorView& out, RunFacts& facts);

// Runs what check_run found right.
Status run_checked(const PlanState& state, std::span<const TensorView> inputs,
                   const MutableTensorView& out, const RunFacts& facts, const RunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_STATE_H_
