#ifndef WINDROW_THREADS_WORKER_POOL_H_
#define WINDROW_THREADS_WORKER_POOL_H_

#include <memory>

#include "windrow/threads.h"

namespace windrow::internal {

// The number of forks between this process and the one that loaded the library. A pool that was
// made before the last of them has the memory of its threads, but not the threads.
unsigned fork_count() noexcept;

// Makes a pool of `count` >= 1 threads, the calling one included, or of as many as the system
// allows. Throws std::bad_alloc.
//
// It keeps the contract of Threads and more: parallel() may be called by several threads at the
// same time and from inside a task; a caller that finds the workers busy runs its tasks itself. In
// the child of a fork, whatever the threads did at that moment, a pool made before the fork runs
// its tasks on the calling thread, and one made there has threads of its own.
std::unique_ptr<Threads> make_worker_pool(int count);

}  // namespace windrow::internal

#endif  // WINDROW_THREADS_WORKER_POOL_H_
