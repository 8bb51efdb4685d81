#ifndef WINDROW_THREADS_H_
#define WINDROW_THREADS_H_

#include <memory>

#include "windrow/export.h"

namespace windrow {

// The caller's threads, as the library sees them. The result of an operator does not depend on
// them.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  virtual ~Threads() = default;

  // The number of tasks that can run at the same time; at least 1.
  virtual int count() const noexcept = 0;

  // Calls task(context, i) once for every i in [0, tasks), on any threads and in any order, and
  // returns when all have returned. Tasks do not throw and never wait for one another.
  virtual void parallel(int tasks, void (*task)(void* context, int index),
                        void* context) noexcept = 0;
};

// The number of processors that the calling thread may run on (its affinity mask, which the threads
// that it makes take over); at least 1.
WINDROW_EXPORT int allowed_cores() noexcept;  // in windrow::threads

// A pool of `count` threads, including the calling one, but of at most allowed_cores(), because
// more than those would only wait for one another; 0 takes allowed_cores(). If the system
// refuses threads, now or at a later call, those that exist do all the tasks. Returns null only if
// there is no memory for the pool itself. In the child of a fork, a pool that was made before the
// fork runs its tasks on the calling thread; one made in the child has threads of its own. In the
// library windrow::threads; the core has no threads of its own.
WINDROW_EXPORT std::unique_ptr<Threads> make_threads(int count = 0);

}  // namespace windrow

#endif  // WINDROW_THREADS_H_
