#ifndef WINDROW_PYTHON_RESULT_MEMORY_H_
#define WINDROW_PYTHON_RESULT_MEMORY_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// The capsule of a memory handler of NumPy's whose memory comes from the pool of results and
// returns to it. Arrays that are made while it is set own their memory as any other array does.
// Returns a borrowed reference, or null with a Python error.
PyObject* result_memory_handler() noexcept;

// Whether memory that the handler allocated came from the pool of results.
bool is_recycled(const void* memory) noexcept;

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_RESULT_MEMORY_H_
