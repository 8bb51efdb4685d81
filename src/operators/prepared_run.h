#ifndef WINDROW_OPERATORS_PREPARED_RUN_H_
#define WINDROW_OPERATORS_PREPARED_RUN_H_

#include <cstddef>
#include <memory>
#include <span>

#include "windrow/plan.h"
#include "windrow/plan_description.h"
#include "windrow/tensor.h"

namespace windrow::internal {

struct PlanState;

// How the plans of an operator run that is no loop nest over one addressed access: a recurrence,
// ragged loops. Its build() makes an Operation without a map, for names, labels and the result's
// shape, and this function, declared in a header that operator_rows.cc includes, makes the rest:
//
//   Result<std::shared_ptr<const PreparedRun>> prepare(const Op& op, const PlanState& plan);
//
// `plan` has everything but what is lowered, and outlives the run.
class PreparedRun {
 public:
  PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;
  virtual ~PreparedRun() = default;

  // As Plan::run. Types, shapes and memory of the tensors have been checked; strides are any. The
  // indices are checked here, and the result is the same on any number of threads.
  virtual Status run(std::span<const TensorView> inputs, const MutableTensorView& out,
                     const RunOptions& options) const = 0;

  // Of Plan::scratch_bytes.
  virtual std::size_t scratch_bytes(int threads) const noexcept = 0;

  // Adds how it runs to what every plan's description has.
  virtual void describe(PlanDescription& description) const = 0;
};

using PreparedRunPtr = std::shared_ptr<const PreparedRun>;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PREPARED_RUN_H_
