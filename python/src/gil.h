#ifndef WINDROW_PYTHON_GIL_H_
#define WINDROW_PYTHON_GIL_H_

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace windrow::python {

// Lets other Python threads run while it lives, if `released`.
class GilRelease {
 public:
  explicit GilRelease(bool released = true) : state_(released ? PyEval_SaveThread() : nullptr) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() {
    if (state_ == nullptr) return;
    try {
      PyEval_RestoreThread(state_);
    } catch (abi::__forced_unwind&) {
      // The interpreter has ended, and ends this thread. What its frames hold belongs to the
      // interpreter: they must not be left. The process takes the thread with it.
      for (;;) pause();
    }
  }

 private:
  PyThreadState* state_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_GIL_H_
