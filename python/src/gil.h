#ifndef WINDROW_PYTHON_GIL_H_
#define WINDROW_PYTHON_GIL_H_

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace windrow::python {

// Lets other Python threads run while it lives.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() { take(); }

  // Calls `body` with the GIL, and releases it again.
  template <class Body>
  void hold(const Body& body) {
    take();
    body();
    state_ = PyEval_SaveThread();
  }

 private:
  void take() const {
    try {
      PyEval_RestoreThread(state_);
    } catch (abi::__forced_unwind&) {
      // The interpreter has ended, and ends this thread. What its frames hold belongs to the
      // interpreter: they must not be left. The process takes the thread with it.
      for (;;) pause();
    }
  }

  PyThreadState* state_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_GIL_H_
