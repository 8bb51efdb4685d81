#ifndef WINDROW_SRC_THREADS_POOL_H_
#define WINDROW_SRC_THREADS_POOL_H_

#include <memory>

#include "windrow/threads.h"

namespace windrow::internal {

// A pool of `count` >= 1 threads, the calling one included. Its twins stand in pool_tbb.cc and
// pool_std.cc; a build links one of them. Throws what the system's refusal throws
// (std::bad_alloc, std::system_error).
//
// Both keep the contract of Threads and more: parallel() may be called by several threads at the
// same time, from inside a task, and in the child of a fork.
std::unique_ptr<Threads> make_pool(int count);

// All the tasks on the calling thread.
inline void run_serially(int tasks, void (*task)(void* context, int index),
                         void* context) noexcept {
  for (int index = 0; index < tasks; ++index) task(context, index);
}

}  // namespace windrow::internal

#endif  // WINDROW_SRC_THREADS_POOL_H_
