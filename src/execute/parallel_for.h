#ifndef WINDROW_EXECUTE_PARALLEL_FOR_H_
#define WINDROW_EXECUTE_PARALLEL_FOR_H_

#include "windrow/threads.h"

namespace windrow::internal {

// Calls body(index) for each index in [0, tasks) on the threads. A single task runs on the calling
// thread; `threads` may then be null.
template <class Body>
void parallel_for(int tasks, Threads* threads, const Body& body) {
  if (tasks == 1) return body(0);
  const auto run = [](void* opaque, int index) { (*static_cast<const Body*>(opaque))(index); };
  threads->parallel(tasks, run, const_cast<Body*>(&body));
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PARALLEL_FOR_H_
