#ifndef WINDROW_PYTHON_TAKE_GIL_H_
#define WINDROW_PYTHON_TAKE_GIL_H_

#include <Python.h>

namespace windrow::python {

// PyEval_RestoreThread(), which does not return, and unwinds nothing, on a thread that comes back
// after the interpreter has ended: the thread waits until the process ends.
void take_gil(PyThreadState* state);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_TAKE_GIL_H_
