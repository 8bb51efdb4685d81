#include "plugins/jax/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace windrow::jax {
namespace {

// XLA's side of the interface, set up by each test.
struct Host {
  std::vector<std::pair<XLA_FFI_Task*, void*>> waiting;
  std::vector<std::thread> threads;
  int errors = 0;  // created and not yet destroyed
  int accepted = 1 << 30;
  bool runs = false;
  std::int64_t size = 4;
};
Host* host = nullptr;

XLA_FFI_Error* refuse() {
  ++host->errors;
  return reinterpret_cast<XLA_FFI_Error*>(host);
}

XLA_FFI_Error* schedule(XLA_FFI_ThreadPool_Schedule_Args* args) {
  if (host->accepted-- <= 0) return refuse();
  if (host->runs)
    host->threads.emplace_back(args->task, args->data);
  else
    host->waiting.emplace_back(args->task, args->data);
  return nullptr;
}

XLA_FFI_Error* count_threads(XLA_FFI_ThreadPool_NumThreads_Args* args) {
  if (host->size == 0) return refuse();
  *args->num_threads = host->size;
  return nullptr;
}

void destroy(XLA_FFI_Error_Destroy_Args*) { --host->errors; }

class PoolTest : public testing::Test {
 protected:
  PoolTest() {
    host = &host_;
    api_.XLA_FFI_ThreadPool_Schedule = &schedule;
    api_.XLA_FFI_ThreadPool_NumThreads = &count_threads;
    api_.XLA_FFI_Error_Destroy = &destroy;
  }
  ~PoolTest() override {
    for (std::thread& thread : host_.threads) thread.join();
    EXPECT_EQ(host_.errors, 0);
  }
  // The number of times that each of the tasks ran.
  std::vector<int> run(int tasks) {
    std::vector<std::atomic<int>> counts(static_cast<std::size_t>(tasks));
    Pool pool(&api_, nullptr);
    pool.parallel(
        tasks,
        [](void* context, int index) {
          ++(*static_cast<std::vector<std::atomic<int>>*>(
              context))[static_cast<std::size_t>(index)];
        },
        &counts);
    return {counts.begin(), counts.end()};
  }

  Host host_;
  XLA_FFI_Api api_ = {};
};

TEST_F(PoolTest, HelpersThatNeverBeginAreNotWaitedFor) {
  EXPECT_EQ(run(10), std::vector<int>(10, 1));
  EXPECT_EQ(host_.waiting.size(), 3U);
  // The helpers begin long after the call is over.
  for (const auto& [task, data] : host_.waiting) task(data);
}

TEST_F(PoolTest, EveryTaskRunsOnceOnManyThreads) {
  host_.runs = true;
  for (int round = 0; round < 200; ++round) EXPECT_EQ(run(7), std::vector<int>(7, 1));
}

TEST_F(PoolTest, ARefusedHelperIsDoneWithout) {
  host_.accepted = 1;
  EXPECT_EQ(run(10), std::vector<int>(10, 1));
  EXPECT_EQ(host_.waiting.size(), 1U);
  for (const auto& [task, data] : host_.waiting) task(data);
}

TEST_F(PoolTest, NoMoreHelpersThanTasks) {
  EXPECT_EQ(run(2), std::vector<int>(2, 1));
  EXPECT_EQ(host_.waiting.size(), 1U);
  EXPECT_EQ(run(0), std::vector<int>());
  EXPECT_EQ(host_.waiting.size(), 1U);
  for (const auto& [task, data] : host_.waiting) task(data);
}

TEST_F(PoolTest, WithoutAPoolThereIsOneThread) {
  host_.size = 0;
  EXPECT_EQ(Pool(&api_, nullptr).count(), 1);
  EXPECT_EQ(run(5), std::vector<int>(5, 1));
  EXPECT_TRUE(host_.waiting.empty());
}

}  // namespace
}  // namespace windrow::jax
