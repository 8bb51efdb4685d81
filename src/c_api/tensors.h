#ifndef WINDROW_C_API_TENSORS_H_
#define WINDROW_C_API_TENSORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/c.h"
#include "windrow/interrupt.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

// Converts C tensors to C++ tensors. Errors: kType (a number that is not a type), kShape (rank,
// extents), kInvalidArgument (null pointers, strides of a 4-bit tensor).
namespace windrow::internal {

// A view of the caller's memory. The strides of strings are those of windrow_string elements.
// `needs_data` refuses null data where there are elements.
Result<MutableTensorView> read_tensor(const windrow_tensor& tensor, bool needs_data);

Result<std::vector<TensorSpec>> read_specs(const windrow_tensor* inputs, std::size_t count);

// Inputs of a run; string tensors are dense copies with std::string elements.
struct Inputs {
  std::vector<TensorView> views;
  std::vector<Tensor> strings;
};
Result<Inputs> read_inputs(const windrow_tensor* inputs, std::size_t count);

// A tensor of std::string elements with the text of windrow_string elements.
Result<Tensor> copy_strings(const TensorView& from);

// Makes the windrow_string elements of `to` refer to the text in `from`, a string tensor of its
// shape.
void refer_to_strings(const Tensor& from, const MutableTensorView& to) noexcept;

// Converts a C caller's choices to C++. Errors: kInvalidArgument; kUnsupported (a member of a newer
// version of a struct is set).

Result<Attributes> read_attributes(const windrow_attribute* attributes, std::size_t count);

Result<CallOptions> read_call_options(const windrow_call_options* options);

// A C caller's threads behind the library's interface.
class CallerThreads final : public Threads {
 public:
  // Precondition: count >= 1 and parallel is not null.
  explicit CallerThreads(const windrow_threads& threads) noexcept : threads_(threads) {}
  int count() const noexcept override { return threads_.count; }
  void parallel(int tasks, void (*task)(void*, int), void* context) noexcept override {
    threads_.parallel(threads_.user, tasks, task, context);
  }

 private:
  const windrow_threads threads_;
};

// A C caller's interruption of a run, behind the library's interface.
class CallerInterrupt final : public Interrupt {
 public:
  // Precondition: `interrupted` is not null.
  explicit CallerInterrupt(const windrow_run_options& options) noexcept
      : interrupted_(options.interrupted), user_(options.interrupted_user) {}
  bool requested() noexcept override { return interrupted_(user_) != 0; }

 private:
  int32_t (*const interrupted_)(void* user);
  void* const user_;
};

// A C caller's objects behind the library's interfaces, during a run.
struct CallerObjects {
  std::optional<CallerThreads> threads;
  std::optional<CallerInterrupt> interrupt;
};

// Fills *run. It refers to *objects where the caller has threads or an interruption.
Status read_run_options(const windrow_run_options* options, CallerObjects* objects,
                        RunOptions* run);

}  // namespace windrow::internal

#endif  // WINDROW_C_API_TENSORS_H_
