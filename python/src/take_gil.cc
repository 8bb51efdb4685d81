#include "python/src/take_gil.h"

#include <pthread.h>
#include <unistd.h>

namespace windrow::python {
namespace {

void wait_for_end(void* /*unused*/) {
  for (;;) pause();
}

}  // namespace

// An interpreter before 3.14 ends such a thread with pthread_exit(), which unwinds its frames. The
// objects in them belong to the interpreter and must not be destroyed, and the C++ library linked
// to this extension may not know the unwinder of the C library. This file is compiled without
// exceptions, for which pthread_cleanup_push() ends the unwinding here.
void take_gil(PyThreadState* state) {
#ifdef __EXCEPTIONS
#error "compile this file with -fno-exceptions"
#endif
  pthread_cleanup_push(wait_for_end, nullptr);
  PyEval_RestoreThread(state);
  pthread_cleanup_pop(0);
}

}  // namespace windrow::python
