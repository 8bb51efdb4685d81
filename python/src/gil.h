#ifndef WINDROW_PYTHON_GIL_H_
#define WINDROW_PYTHON_GIL_H_

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace windrow::python {

// Releases the GIL as long as the object lives.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() { take(); }

  // Calls `body` with the GIL held, and releases it again.
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
      // The interpreter has ended and wants to end this thread. The objects in its frames belong to
      // the interpreter and must not be destroyed, so the thread waits until the process ends.
      for (;;) pause();
    }
  }

  PyThreadState* state_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_GIL_H_
