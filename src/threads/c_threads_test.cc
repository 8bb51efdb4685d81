#include "windrow/c_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "windrow/threads.h"

namespace {

using Pool = std::unique_ptr<windrow_thread_pool, void (*)(windrow_thread_pool*)>;

Pool make_pool(int count) { return {windrow_thread_pool_make(count), &windrow_thread_pool_free}; }

void expect_each_once(const windrow_threads& threads, int tasks) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(tasks));
  const auto count = [](void* context, int index) {
    ++static_cast<std::atomic<int>*>(context)[index];
  };
  threads.parallel(threads.user, tasks, count, counts.data());
  for (const auto& calls : counts) EXPECT_EQ(calls, 1) << threads.count << " threads";
}

TEST(CThreadPool, CallsEveryIndexOnce) {
  for (const int count : {1, 2, 5}) {
    const Pool pool = make_pool(count);
    const windrow_threads& threads = *windrow_thread_pool_threads(pool.get());
    EXPECT_EQ(threads.count, count);
    for (const int tasks : {0, 1, 2, 64, 1000}) expect_each_once(threads, tasks);
  }
}

TEST(CThreadPool, ServesSeveralCallersAtOnce) {
  const Pool pool = make_pool(3);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int call = 0; call < 200; ++call)
        expect_each_once(*windrow_thread_pool_threads(pool.get()), 1 + call % 9);
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(CThreadPool, TakesTheAllowedCoresIfNoneAreAskedFor) {
  for (const int count : {0, -1})
    EXPECT_EQ(windrow_thread_pool_threads(make_pool(count).get())->count, windrow::allowed_cores());
}

TEST(CThreadPool, FreesNull) { windrow_thread_pool_free(nullptr); }

TEST(CThreadPool, ANullPoolHasNoThreads) {
  EXPECT_EQ(windrow_thread_pool_threads(nullptr), nullptr);
}

}  // namespace
