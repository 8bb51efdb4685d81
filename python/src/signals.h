#ifndef WINDROW_PYTHON_SIGNALS_H_
#define WINDROW_PYTHON_SIGNALS_H_

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <utility>

#include "python/src/take_gil.h"
#include "windrow/interrupt.h"
#include "windrow/plan.h"
#include "windrow/threads.h"

namespace windrow::python {

// Releases the GIL as long as the object lives.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() { take(); }

  // Calls `body` with the GIL held, and releases it again, also if it throws.
  template <class Body>
  void hold(const Body& body) {
    take();
    const Held held(*this);
    body();
  }

 private:
  struct Held {
    explicit Held(GilRelease& all) : all_(all) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { all_.state_ = PyEval_SaveThread(); }
    GilRelease& all_;
  };

  void take() const { take_gil(state_); }

  PyThreadState* state_;
};

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

// The number of threads that a call's `threads` stands for; `otherwise` if it is null or None.
// Throws windrow::Error (kInvalidArgument) unless it is an integer of at least 1.
int thread_count(PyObject* threads, int otherwise);

// The number of processors that the process could use when the package was imported.
int default_thread_count() noexcept;

// A pool of `count` threads, or of those that the system supplies. Made by the first call and kept.
// Null for one thread. The child of a fork gets pools of its own. The GIL must be held. Throws
// windrow::Error (kOutOfMemory) if the pool cannot be allocated.
Threads* threads_of(int count);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_SIGNALS_H_
