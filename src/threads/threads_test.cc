#include "windrow/threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "src/threads/worker_pool.h"
#include "windrow/c_threads.h"

namespace windrow {
namespace {

using internal::make_worker_pool;

// How often each index was called. Plain ints: a second call of one index at the same time, or a
// return before all tasks have, is a race that the thread sanitizer sees.
struct Calls {
  explicit Calls(int tasks) : counts(static_cast<std::size_t>(tasks), 0) {}
  static void count(void* context, int index) {
    ++static_cast<Calls*>(context)->counts.at(static_cast<std::size_t>(index));
  }
  std::vector<int> counts;
};

void expect_each_once(Threads& threads, int tasks) {
  Calls calls(tasks);
  threads.parallel(tasks, &Calls::count, &calls);
  EXPECT_EQ(calls.counts, std::vector<int>(static_cast<std::size_t>(tasks), 1))
      << threads.count() << " threads";
}

class PoolOf : public testing::TestWithParam<int> {};

TEST_P(PoolOf, SaysItsCount) { EXPECT_EQ(make_worker_pool(GetParam())->count(), GetParam()); }

TEST_P(PoolOf, CallsEveryIndexOnce) {
  const auto threads = make_worker_pool(GetParam());
  for (const int tasks : {0, 1, 2, 3, 5, 64, 1000}) expect_each_once(*threads, tasks);
}

TEST_P(PoolOf, RunsManySmallCalls) {
  const auto threads = make_worker_pool(GetParam());
  for (int call = 0; call < 2000; ++call) expect_each_once(*threads, 1 + call % 7);
}

TEST_P(PoolOf, ServesSeveralCallersAtOnce) {
  const auto threads = make_worker_pool(GetParam());
  std::vector<std::thread> callers;
  callers.reserve(6);
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&] {
      for (int call = 0; call < 200; ++call) expect_each_once(*threads, 1 + call % 9);
    });
  for (std::thread& caller : callers) caller.join();
}

TEST_P(PoolOf, RunsNestedCalls) {
  struct Outer {
    Threads* threads;
    std::atomic<int> inner_calls = 0;
  };
  const auto threads = make_worker_pool(GetParam());
  Outer outer{threads.get()};
  const auto run_inner = [](void* context, int) {
    auto& self = *static_cast<Outer*>(context);
    self.threads->parallel(
        10, [](void* inner, int) { ++static_cast<Outer*>(inner)->inner_calls; }, context);
  };
  threads->parallel(8, run_inner, &outer);
  EXPECT_EQ(outer.inner_calls, 80);
}

TEST_P(PoolOf, WorksInTheChildOfAFork) {
  const auto threads = make_worker_pool(GetParam());
  expect_each_once(*threads, 64);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(30);
    Calls calls(64);
    threads->parallel(64, &Calls::count, &calls);
    _exit(calls.counts == std::vector<int>(64, 1) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "wait status " << status;
}

// Sanitizers have locks of their own that do not survive a fork.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

// Whether the child of a fork has the tasks of a pool run, those of a pool of its own, and ends as
// a process does that returns from main.
bool works_in_a_child(Threads& before) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    for (const int tasks : {2, 64}) {
      Calls calls(tasks);
      before.parallel(tasks, &Calls::count, &calls);
      const auto own = make_worker_pool(3);
      own->parallel(tasks, &Calls::count, &calls);
      if (calls.counts != std::vector<int>(static_cast<std::size_t>(tasks), 2)) _exit(1);
    }
    exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(PoolOf, WorksInTheChildOfAForkDuringCalls) {
  const auto threads = make_worker_pool(GetParam());
  std::atomic<bool> stop = false;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      while (!stop) {
        Calls calls(16);
        threads->parallel(16, &Calls::count, &calls);
      }
    });
  int worked = 0;
  for (int round = 0; round < 8; ++round) worked += works_in_a_child(*threads) ? 1 : 0;
  stop = true;
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(worked, 8);
}

#endif

INSTANTIATE_TEST_SUITE_P(Threads, PoolOf, testing::Values(1, 2, 5, 16));

TEST(Threads, ComeAndGo) {
  for (int round = 0; round < 50; ++round) {
    const auto idle = make_worker_pool(4);
    const auto used = make_worker_pool(3);
    expect_each_once(*used, 6);
  }
}

#ifndef __SANITIZE_THREAD__

// Leaves the process `more` threads. A limit of threads counts those of a user, and not of root's.
void allow_threads(rlim_t more) {
  constexpr uid_t kNobodyElse = 47'113;
  if (getuid() == 0 && setuid(kNobodyElse) != 0) _exit(3);
  const rlimit limit = {1 + more, 1 + more};
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) _exit(4);
}

// Leaves the process too little memory for the stack of a thread.
[[maybe_unused]] void allow_little_memory() {
  const rlimit limit = {std::size_t{1} << 20, std::size_t{1} << 20};
  if (setrlimit(RLIMIT_DATA, &limit) != 0) _exit(5);
}

// Ends the process with 0 if a pool of five threads runs every task once.
void end_with_calls(Threads& threads) {
  for (int round = 0; round < 20; ++round)
    for (const int tasks : {2, 5, 64, 1000}) {
      Calls calls(tasks);
      threads.parallel(tasks, &Calls::count, &calls);
      if (calls.counts != std::vector<int>(static_cast<std::size_t>(tasks), 1)) _exit(1);
    }
  _exit(0);
}

// In processes of their own, which no other thread has been in.
class RefusedThreads : public testing::TestWithParam<int> {
 protected:
  RefusedThreads() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_P(RefusedThreads, OfANewPoolAreDoneWithout) {
  const auto run = [] {
    alarm(30);
    allow_threads(static_cast<rlim_t>(GetParam()));
    end_with_calls(*make_worker_pool(5));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "^$");
}

TEST_P(RefusedThreads, OfAnOldPoolAreDoneWithout) {
  const auto run = [] {
    alarm(30);
    const auto threads = make_worker_pool(5);
    allow_threads(static_cast<rlim_t>(GetParam()));
    end_with_calls(*threads);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "^$");
}

INSTANTIATE_TEST_SUITE_P(MoreThan, RefusedThreads, testing::Values(0, 1, 2, 3));

#ifndef __SANITIZE_ADDRESS__  // which needs memory of its own for every call

TEST(RefusedMemory, ForThreadsIsDoneWithout) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto run = [] {
    alarm(30);
    allow_little_memory();
    end_with_calls(*make_worker_pool(5));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "^$");
}

#endif

#endif

// Whether as many tasks as a pool has threads wait for one another and go on.
bool tasks_meet(Threads& threads) {
  struct Meeting {
    int tasks;
    std::atomic<int> arrived = 0;
    std::atomic<bool> met = false;
  };
  Meeting meeting{threads.count()};
  const auto wait_for_the_others = [](void* context, int) {
    auto& self = *static_cast<Meeting*>(context);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    if (++self.arrived == self.tasks) self.met = true;
    while (!self.met && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  };
  threads.parallel(meeting.tasks, wait_for_the_others, &meeting);
  return meeting.met;
}

TEST(Threads, RunTasksAtTheSameTime) { EXPECT_TRUE(tasks_meet(*make_worker_pool(2))); }

TEST(Threads, APoolHasItsThreadsBesideASmallerOne) {
  const auto small = make_worker_pool(3);
  EXPECT_TRUE(tasks_meet(*small));
  testing::internal::CaptureStderr();
  EXPECT_TRUE(tasks_meet(*make_worker_pool(8)));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(tasks_meet(*small));
}

TEST(Threads, ZeroTakesTheAllowedCores) {
  EXPECT_EQ(make_threads(0)->count(), allowed_cores());
  EXPECT_EQ(make_threads()->count(), allowed_cores());
}

TEST(Threads, AreNoMoreThanTheAllowedCores) {
  const int cores = allowed_cores();
  EXPECT_EQ(make_threads(1)->count(), 1);
  EXPECT_EQ(make_threads(cores)->count(), cores);
  EXPECT_EQ(make_threads(cores + 1)->count(), cores);
  EXPECT_EQ(make_threads(1000)->count(), cores);
}

TEST(AllowedCores, FollowTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(allowed_cores(), CPU_COUNT(&before));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const int cores = allowed_cores();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(cores, 1);
}

}  // namespace
}  // namespace windrow

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
    EXPECT_EQ(threads.count, std::min(count, windrow::allowed_cores()));
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
