#ifndef WINDROW_PYTHON_SIGNALS_H_
#define WINDROW_PYTHON_SIGNALS_H_

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <utility>

#include "python/src/gil.h"
#include "windrow/interrupt.h"
#include "windrow/plan.h"

namespace windrow::python {

// Lets Python handle signals, such as Ctrl-C, during a long run that has released the GIL. If a
// handler raises an error, the run ends and the error becomes the thread's Python error.
class SignalHandling final : public Interrupt {
 public:
  // Belongs to a run that ends before `released` is destroyed.
  explicit SignalHandling(GilRelease& released) : released_(released) {}

  bool requested() noexcept override {
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    released_.hold([this] { raised_ = PyErr_CheckSignals() != 0; });
    next_ = Clock::now() + kPause;
    return raised_;
  }

  bool raised() const { return raised_; }

 private:
  using Clock = std::chrono::steady_clock;
  // The time between two checks for signals: taking the GIL may need some milliseconds.
  static constexpr std::chrono::milliseconds kPause{100};

  GilRelease& released_;
  Clock::time_point next_ = Clock::now() + kPause;
  bool raised_ = false;
};

// Returns the result of `run`, which runs with these options while others may hold the GIL. Throws
// the Python error of a signal's handler if that has ended the run.
template <class Run>
auto without_gil(RunOptions& options, const Run& run) {
  std::optional<decltype(run())> result;
  bool raised = false;
  {
    GilRelease released;
    SignalHandling signals(released);
    options.interrupt = &signals;
    result.emplace(run());
    options.interrupt = nullptr;
    raised = signals.raised();
  }
  if (raised) throw nanobind::python_error();
  return *std::move(result);
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_SIGNALS_H_
