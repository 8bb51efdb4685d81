#ifndef WINDROW_SRC_THREADS_FORKS_H_
#define WINDROW_SRC_THREADS_FORKS_H_

namespace windrow::internal {

// The number of forks between this process and the one that loaded the library. A pool that was
// made before the last of them has the memory of its threads, but not the threads.
unsigned fork_count() noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_SRC_THREADS_FORKS_H_
