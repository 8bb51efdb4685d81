#ifndef WINDROW_EXECUTE_PARALLEL_FOR_H_
#define WINDROW_EXECUTE_PARALLEL_FOR_H_

#include "windrow/threads.h"

namespace windrow::internal {

// Calls body(index) for each index of [0, tasks) on the threads; a single one on the calling
// thread, and then `threads` may be null.
template <class Body>
void parallel_for(int tasks, Threads* threads, const Body& body) {
  if (tasks == 1) return body(0);
  const auto run = [](void* opaque, int index) { (*static_cast<const Body*>(opaque))(index); };
  threads->parallel(tasks, run, const_cast<Body*>(&body));
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PARALLEL_FOR_H_
