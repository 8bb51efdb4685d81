#ifndef WINDROW_PLAN_H_
#define WINDROW_PLAN_H_

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "windrow/export.h"
#include "windrow/interrupt.h"
#include "windrow/plan_description.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow {

namespace internal {
struct PlanState;
struct PlanAccess;
}  // namespace internal

struct RunOptions {
  Threads* threads = nullptr;  // null: the calling thread alone
  // Scratch memory of at least Plan::scratch_bytes(threads) bytes, 64-byte aligned; null: allocated
  // by the call if it needs any.
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
  // Nothing has touched the output's memory yet, as in a large new allocation. The system will
  // clear its pages one by one when they are first written, so that they are in a cache then, and a
  // large result is faster through the caches than past them. The result is the same.
  bool fresh_output = false;
  Interrupt* interrupt = nullptr;  // null: the run goes on to its end
};

// An operator compiled for fixed shapes, types and strides. Immutable and cheap to copy; many
// threads may run one plan at the same time.
class Plan {
 public:
  // Runs the operator. `inputs` are the operator's own, in its order, absent ones as default views;
  // types and shapes must be those of compile (kType, kShape); other strides cost a new lowering.
  // `out` has the result's type and shape, any strides allowed for outputs, and overlaps no input,
  // except that a scatter runs in place when `out` is exactly its data. Errors: kIndexOutOfRange
  // and kDuplicate with position and value; kOutOfMemory; kInterrupted. After an error an in-place
  // scatter has changed nothing, except that one that was interrupted may have made any part of its
  // updates; any other `out` is unspecified.
  WINDROW_EXPORT Status run(std::span<const TensorView> inputs, const MutableTensorView& out,
                            const RunOptions& options = {}) const;
  Status run(std::initializer_list<TensorView> inputs, const MutableTensorView& out,
             const RunOptions& options = {}) const {
    return run(std::span<const TensorView>(inputs.begin(), inputs.size()), out, options);
  }
  // The same into a new tensor.
  WINDROW_EXPORT Result<Tensor> run(std::span<const TensorView> inputs,
                                    const RunOptions& options = {}) const;
  Result<Tensor> run(std::initializer_list<TensorView> inputs,
                     const RunOptions& options = {}) const {
    return run(std::span<const TensorView>(inputs.begin(), inputs.size()), options);
  }

  WINDROW_EXPORT const TensorSpec& result() const noexcept;
  // Bytes of scratch that a run with as many threads uses; 0 for small plans.
  WINDROW_EXPORT std::size_t scratch_bytes(int threads = 1) const noexcept;
  // What a run is going to do, as fields.
  WINDROW_EXPORT PlanDescription description() const;
  // The same as several lines for people: to_string(description()).
  WINDROW_EXPORT std::string describe() const;
  // Warnings, for example that the operator's version is deprecated.
  WINDROW_EXPORT std::span<const std::string> notes() const noexcept;
  // "onnx.Gather-13"
  WINDROW_EXPORT std::string_view operator_name() const noexcept;
  // "plain", "avx2" or "avx512"
  WINDROW_EXPORT std::string_view kernel_set() const noexcept;

  explicit Plan(std::shared_ptr<const internal::PlanState> state) noexcept
      : state_(std::move(state)) {}

 private:
  friend struct internal::PlanAccess;
  std::shared_ptr<const internal::PlanState> state_;
};

}  // namespace windrow

#endif  // WINDROW_PLAN_H_
