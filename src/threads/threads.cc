#include "windrow/threads.h"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <thread>

#include "src/threads/worker_pool.h"
#include "windrow/c_threads.h"

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
    const int cores = allowed_cores();
    return internal::make_worker_pool(count > 0 ? std::min(count, cores) : cores);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace windrow

struct windrow_thread_pool {
  std::unique_ptr<windrow::Threads> threads;
  windrow_threads seen_from_c;
};

namespace {

void run_in_parallel(void* user, int tasks, void (*task)(void* context, int index), void* context) {
  static_cast<windrow::Threads*>(user)->parallel(tasks, task, context);
}

}  // namespace

windrow_thread_pool* windrow_thread_pool_make(int count) {
  std::unique_ptr<windrow::Threads> threads = windrow::make_threads(count);
  if (threads == nullptr) return nullptr;
  const windrow_threads seen_from_c = {threads->count(), &run_in_parallel, threads.get()};
  return new (std::nothrow) windrow_thread_pool{std::move(threads), seen_from_c};
}

const windrow_threads* windrow_thread_pool_threads(const windrow_thread_pool* pool) {
  return pool == nullptr ? nullptr : &pool->seen_from_c;
}

void windrow_thread_pool_free(windrow_thread_pool* pool) { delete pool; }
