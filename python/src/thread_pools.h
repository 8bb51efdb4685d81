#ifndef WINDROW_PYTHON_THREAD_POOLS_H_
#define WINDROW_PYTHON_THREAD_POOLS_H_

#include <nanobind/nanobind.h>

#include "windrow/threads.h"

namespace windrow::python {

// The number of threads that a call's `threads` means: null or None is `otherwise`. Throws
// windrow::Error (kInvalidArgument) for what is no number of 1 or more.
int thread_count(PyObject* threads, int otherwise);

// The processors that the process could use when the package was imported.
int default_thread_count() noexcept;

// A pool of `count` threads, or of those that the system has, made at the first call and kept; null
// for one thread. The child of a fork gets pools of its own. With the GIL. Throws windrow::Error
// (kOutOfMemory) without memory for the pool.
Threads* threads_of(int count);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_THREAD_POOLS_H_
