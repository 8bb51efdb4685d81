#ifndef WINDROW_OPERATORS_PLAN_STATE_H_
#define WINDROW_OPERATORS_PLAN_STATE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "src/access/access_map.h"
#include "src/execute/run_plan.h"
#include "src/operators/known_run.h"
#include "src/plan/lower.h"
#include "src/plan/tuning.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// An input that a run first copies, row-major and without gaps, to scratch memory. Everything else
// that the run does, the checks of indices included, then reads the copy and never the input. Along
// leading axes the copy may repeat its elements as the input does (stride 0).
struct DenseCopy {
  std::size_t input = 0;
  std::int64_t bytes = 0;
  Strides strides;  // of the copy, in bytes
  LoweredPlan copy;
};

// What a run takes by estimate_time(), on one thread, if these inputs are first copied.
struct CandidateTime {
  std::vector<std::size_t> copied;
  double nanoseconds = 0;
};

// An operation lowered for one layout: the pass over its points, and the passes of a scatter before
// and after it.
struct LoweredOperation {
  std::vector<DenseCopy> dense_copies;  // made before any pass, which are lowered for them
  // The choices of dense copies that were compared, this one first; empty if there was no choice.
  std::vector<CandidateTime> candidates;
  LoweredPlan main;
  std::optional<LoweredPlan> copy;   // copies data into the output, unless the run is in place
  std::optional<LoweredPlan> fill;   // writes the neutral value to the cells that are updated
  std::optional<LoweredPlan> count;  // for a mean: counts the updates of each cell
  Shape counts;                      // the shape of the counts, which broadcasts to the result
};

// An operation lowered for the layout of one run's tensors.
struct LaidOut {
  std::vector<Strides> inputs;
  Strides out;
  LoweredOperation lowered;
};

// The latest layout, other than the one that a plan was compiled for, for which a run has lowered
// it. Threads share it; one that finds it in use does without, also in a process that was forked
// meanwhile.
class LatestLayout {
 public:
  // Null if the latest layout is another one.
  std::shared_ptr<const LaidOut> find(std::span<const TensorView> inputs,
                                      const MutableTensorView& out) const noexcept;
  void keep(std::shared_ptr<const LaidOut> latest) noexcept;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const LaidOut> latest_;
};

// The common form of a tensor of a run: the type, shape and strides of compile. The results of the
// checks of such a tensor are known at that time.
struct UsualTensor {
  bool known = false;  // if false, no tensor counts as the usual one
  DType dtype = DType::kAbsent;
  Shape shape;
  Strides strides;
  // Its elements lie in bytes [low, high) after the first one; the range is empty if it is absent.
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct PlanState {
  // The operation that is lowered: for packed types, the same operation on bytes.
  const Operation& byte_operation() const noexcept {
    return unpacked_operation ? *unpacked_operation : operation;
  }

  Operation operation;                          // what the caller asked for
  std::optional<Operation> unpacked_operation;  // absent: `operation` itself is lowered
  bool unpacks = false;  // whether the packed elements that it moves are first unpacked to bytes
  std::vector<TensorSpec> inputs;
  TensorSpec result;
  std::vector<UsualTensor> usual_inputs;  // set by note_usual_tensors()
  UsualTensor usual_result;
  Tuning tuning;
  const KernelSetEntry* kernels = nullptr;
  // For the strides in `inputs` and a row-major result. Of bags: the gather whose rows are added
  // up; of quantised look-ups: that of the numbers of rows; of beams: nothing.
  LoweredOperation lowered;
  mutable LatestLayout latest;
};

// Lowers for the given strides of inputs and output, with the dense copies that pay by
// estimate_time() or that the tuning forces. Errors: as lower().
Result<LoweredOperation> lower_operation(const Operation& operation,
                                         std::span<const TensorSpec> inputs,
                                         const Strides& result_strides, const Tuning& tuning);

// The same without dense copies, whatever the tuning.
Result<LoweredOperation> lower_as_laid_out(const Operation& operation,
                                           std::span<const TensorSpec> inputs,
                                           const Strides& result_strides, const Tuning& tuning);

// The error of an operation that cannot be lowered, which only happens if its sizes exceed any
// memory.
Status too_large(const Operation& operation, const Status& reason);

// The type in which a mean counts the updates of a cell.
DType count_type(const Operation& operation);

// An input spec or view as the byte operation sees it: the same, but bytes for packed types, and
// the segments of offsets in place of the ids that the call does not give.
TensorSpec byte_spec(const PlanState& state, std::size_t input);

// Whether an input is unpacked to one element per byte before the byte operation runs. Packed
// indices always are.
bool unpacks_input(const PlanState& state, std::size_t input);

// Sets the usual tensors of a plan whose inputs and result are known. Only tensors with elements,
// of numbers of at least a byte, have one.
void note_usual_tensors(PlanState& state);

// The results of check_run() besides errors, and what the caller knows.
struct RunFacts {
  // All tensors are usual: they have the layout for which the plan was lowered.
  bool usual = false;
  bool in_place = false;  // the output is exactly the data of a scatter
  RunKnowledge knowledge = {};
};

// The checks of Plan::run: types, shapes and memory of inputs and output. Errors: kType, kShape,
// kInvalidArgument.
Status check_run(const PlanState& state, std::span<const TensorView> inputs,
                 const MutableTensorView& out, RunFacts& facts);

// The check of one input: its type, shape and memory. Errors: as check_run().
Status check_input(const PlanState& state, std::size_t input, const TensorView& view);

// Checks that `out` has the type and shape of the result, and no two elements of it share a byte.
// Errors: kType, kShape, kInvalidArgument.
Status check_output(const PlanState& state, const MutableTensorView& out);

// Plan::run: checks the tensors, then runs.
Status run_checked(const PlanState& state, std::span<const TensorView> inputs,
                   const MutableTensorView& out, const RunKnowledge& knowledge,
                   const RunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_STATE_H_
