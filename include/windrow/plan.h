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

// From this size on, glibc maps every allocation anew from the system and unmaps it when it is
// freed: the pages of a new tensor, or of a new NumPy array, have not been touched.
inline constexpr std::int64_t kFreshBytes = std::int64_t{32} << 20;

struct RunOptions {
  Threads* threads = nullptr;  // null: the calling thread alone
  // Scratch memory of at least Plan::scratch_bytes(threads) bytes, 64-byte aligned. Null: the call
  // allocates its own if it needs any.
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
  // Whether the output's memory has never been touched, as in a large new allocation. The system
  // zeroes its pages one by one when they are first written, so that they are then in a cache, and
  // ordinary stores write a large result faster than non-temporal ones. The result is the same.
  bool fresh_output = false;
  Interrupt* interrupt = nullptr;  // null: the run cannot be interrupted
  // The number of bad indices that an error for indices out of range lists (IndexFault::listed).
  std::int64_t listed_indices = 0;
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
  // scatter has changed nothing, unless it was interrupted: then any part of its updates may have
  // been made. The contents of any other `out` are unspecified.
  WINDROW_EXPORT Status run(std::span<const TensorView> inputs, const MutableTensorView& out,
                            const RunOptions& options = {}) const;
  Status run(std::initializer_list<TensorView> inputs, const MutableTensorView& out,
             const RunOptions& options = {}) const {
    return run(std::span<const TensorView>(inputs.begin(), inputs.size()), out, options);
  }
  // Runs the operator into a new tensor.
  WINDROW_EXPORT Result<Tensor> run(std::span<const TensorView> inputs,
                                    const RunOptions& options = {}) const;
  Result<Tensor> run(std::initializer_list<TensorView> inputs,
                     const RunOptions& options = {}) const {
    return run(std::span<const TensorView>(inputs.begin(), inputs.size()), options);
  }

  // Lists the first indices, at most options.listed_indices, that would make a run fail because
  // they are out of range, in the tensor that its error would name; none if every index is in
  // range. Runs nothing. Only the inputs that hold indices are read; the others may be absent.
  // Errors: as run().
  WINDROW_EXPORT Result<BadIndices> bad_indices(std::span<const TensorView> inputs,
                                                const RunOptions& options) const;

  WINDROW_EXPORT const TensorSpec& result() const noexcept;
  // Bytes of scratch that a run with this number of threads uses; 0 for small plans.
  WINDROW_EXPORT std::size_t scratch_bytes(int threads = 1) const noexcept;
  // How a run proceeds, as fields.
  WINDROW_EXPORT PlanDescription description() const;
  // The description as readable lines: to_string(description()).
  WINDROW_EXPORT std::string describe() const;
  // Warnings, for example that the operator's version is deprecated.
  WINDROW_EXPORT std::span<const std::string> notes() const noexcept;
  // "onnx.Gather-13"
  WINDROW_EXPORT std::string_view operator_name() const noexcept;
  // "plain", "avx2", "avx512", "neon" or "sve"
  WINDROW_EXPORT std::string_view kernel_set() const noexcept;

  explicit Plan(std::shared_ptr<const internal::PlanState> state) noexcept
      : state_(std::move(state)) {}

 private:
  friend struct internal::PlanAccess;
  std::shared_ptr<const internal::PlanState> state_;
};

}  // namespace windrow

#endif  // WINDROW_PLAN_H_
