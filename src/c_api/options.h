#ifndef WINDROW_SRC_C_API_OPTIONS_H_
#define WINDROW_SRC_C_API_OPTIONS_H_

#include <cstddef>
#include <optional>

#include "windrow/attributes.h"
#include "windrow/c.h"
#include "windrow/interrupt.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/threads.h"

// Converts a C caller's choices to C++. Errors: kInvalidArgument; kUnsupported (a member of a newer
// version of a struct is set).
namespace windrow::internal {

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

#endif  // WINDROW_SRC_C_API_OPTIONS_H_
