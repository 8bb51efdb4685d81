#ifndef WINDROW_PYTHON_THREAD_POOLS_H_
#define WINDROW_PYTHON_THREAD_POOLS_H_

#include <nanobind/nanobind.h>

#include "windrow/threads.h"

namespace windrow::python {

// The number of threads that a call's `threads` stands for; `otherwise` if it is null or None.
// Throws windrow::Error (kInvalidArgument) unless it is an integer of at least 1.
int thread_count(PyObject* threads, int otherwise);

// The number of processors that the process could use when the package was imported.
int default_thread_count() noexcept;

// A pool of `count` threads, or of those that the system supplies. Made by the first call and kept.
// Null for one thread. The child of a fork gets pools of its own. The GIL must be held. Throws
// windrow::Error (kOutOfMemory) if there is no memory for the pool.
Threads* threads_of(int count);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_THREAD_POOLS_H_
