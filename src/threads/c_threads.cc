#include "windrow/c_threads.h"

#include <memory>
#include <new>

#include "windrow/threads.h"

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
