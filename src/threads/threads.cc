#include "windrow/threads.h"

#include <sched.h>

#include <exception>
#include <memory>
#include <thread>

#include "src/threads/worker_pool.h"

namespace windrow {

int allowed_cores() noexcept {
  // The mask may be wider than cpu_set_t; the kernel says so with an error until it fits.
  for (int cpus = 1024; cpus <= (1 << 20); cpus *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    cpu_set_t* mask = CPU_ALLOC(cpus);
    if (mask == nullptr) break;
    const int failed = sched_getaffinity(0, bytes, mask);
    const int cores = failed ? 0 : CPU_COUNT_S(bytes, mask);
    CPU_FREE(mask);
    if (cores > 0) return cores;
  }
  const unsigned known = std::thread::hardware_concurrency();
  return known > 0 ? static_cast<int>(known) : 1;
}

std::unique_ptr<Threads> make_threads(int count) {
  try {
    return internal::make_worker_pool(count > 0 ? count : allowed_cores());
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace windrow
