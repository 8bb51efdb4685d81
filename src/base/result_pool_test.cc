#include "src/base/result_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "src/base/memory.h"
#include "windrow/tensor.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

FreeBlock block(std::size_t bytes) { return {allocate_elements(bytes), bytes}; }

void destroy(const FreeBlock& taken) { free_elements(taken.data, taken.bytes); }

// A pool of its own, which frees its blocks at the end.
class ResultPoolTest : public ::testing::Test {
 protected:
  ~ResultPoolTest() override { pool_.release(); }

  ResultPool pool_{100 * kMiB};
};

TEST_F(ResultPoolTest, GivesBackWhatWasKept) {
  const FreeBlock kept = block(10 * kMiB);
  pool_.give(kept);
  EXPECT_EQ(pool_.held(), 10 * kMiB);
  const FreeBlock taken = pool_.take(10 * kMiB);
  EXPECT_EQ(taken.data, kept.data);
  EXPECT_EQ(pool_.held(), 0U);
  std::memset(taken.data, 1, taken.bytes);
  EXPECT_EQ(pool_.take(10 * kMiB).data, nullptr);
  destroy(taken);
}

TEST_F(ResultPoolTest, TakesTheSmallestThatIsLargeEnough) {
  const FreeBlock ten = block(10 * kMiB);
  const FreeBlock eight = block(8 * kMiB);
  for (const FreeBlock& kept : {block(12 * kMiB), eight, ten, block(7 * kMiB)}) pool_.give(kept);
  const FreeBlock first = pool_.take(8 * kMiB);
  const FreeBlock second = pool_.take(8 * kMiB);
  EXPECT_EQ(first.data, eight.data);
  EXPECT_EQ(second.data, ten.data);
  EXPECT_EQ(second.bytes, 10 * kMiB);
  EXPECT_EQ(pool_.held(), 19 * kMiB);
  destroy(first);
  destroy(second);
}

TEST_F(ResultPoolTest, TakesTheLastKeptOfEqualBlocks) {
  const FreeBlock last = block(4 * kMiB);
  pool_.give(block(4 * kMiB));
  pool_.give(last);
  const FreeBlock taken = pool_.take(4 * kMiB);
  EXPECT_EQ(taken.data, last.data);
  destroy(taken);
}

TEST_F(ResultPoolTest, WastesAtMostAFifthOfABlock) {
  pool_.give(block(10 * kMiB));
  EXPECT_EQ(pool_.take(8 * kMiB - 1).data, nullptr);
  EXPECT_EQ(pool_.take(10 * kMiB + 1).data, nullptr);
  const FreeBlock taken = pool_.take(8 * kMiB);
  EXPECT_NE(taken.data, nullptr);
  destroy(taken);
}

TEST_F(ResultPoolTest, KeepsNoMoreThanItsBoundAndDropsTheLongestKept) {
  pool_.give(block(60 * kMiB));
  pool_.give(block(30 * kMiB));
  pool_.give(block(20 * kMiB));
  EXPECT_EQ(pool_.held(), 50 * kMiB);
  EXPECT_EQ(pool_.take(60 * kMiB).data, nullptr);
  pool_.give(block(101 * kMiB));
  EXPECT_EQ(pool_.held(), 50 * kMiB);
}

TEST_F(ResultPoolTest, KeepsANumberOfBlocks) {
  for (std::size_t i = 0; i < ResultPool::kMostBlocks + 5; ++i) pool_.give(block(64));
  EXPECT_EQ(pool_.held(), ResultPool::kMostBlocks * 64);
}

TEST_F(ResultPoolTest, ASmallerBoundFreesWhatExceedsIt) {
  pool_.give(block(30 * kMiB));
  pool_.give(block(20 * kMiB));
  EXPECT_EQ(pool_.set_bound(25 * kMiB), 100 * kMiB);
  EXPECT_EQ(pool_.held(), 20 * kMiB);
  EXPECT_EQ(pool_.set_bound(0), 25 * kMiB);
  EXPECT_EQ(pool_.held(), 0U);
  pool_.give(block(64));
  EXPECT_EQ(pool_.held(), 0U);
}

TEST_F(ResultPoolTest, ReleaseFreesAllAndKeepsTheBound) {
  pool_.give(block(30 * kMiB));
  pool_.give(block(20 * kMiB));
  EXPECT_EQ(pool_.release(), 50 * kMiB);
  EXPECT_EQ(pool_.release(), 0U);
  EXPECT_EQ(pool_.bound(), 100 * kMiB);
}

// Every thread writes its number all over the blocks that it has and finds nothing else there.
TEST_F(ResultPoolTest, NoBlockIsGivenToTwoThreads) {
  pool_.set_bound(2 * kMiB);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this, t, &wrong] {
      for (std::size_t i = 0; i < 2000; ++i) {
        const std::size_t bytes = 100'000 + 7000 * (i % 11);
        FreeBlock mine = pool_.take(bytes);
        if (mine.data == nullptr) mine = block(bytes);
        auto* const numbers = static_cast<unsigned char*>(mine.data);
        std::memset(numbers, t, bytes);
        std::this_thread::yield();
        if (numbers[0] != t || numbers[bytes - 1] != t ||
            std::memcmp(numbers, numbers + 1, bytes - 1) != 0)
          ++wrong;
        if (i % 100 == 0) pool_.release();
        pool_.give(mine);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(pool_.held(), 2 * kMiB);
}

TEST(ResultPoolBound, IsDecimalDigitsAlone) {
  EXPECT_EQ(parse_pool_bound("0"), 0U);
  EXPECT_EQ(parse_pool_bound("1048576"), kMiB);
  EXPECT_EQ(parse_pool_bound("18446744073709551615"), ~std::size_t{0});
  for (const char* text :
       {"", " ", "-1", "+1", "1 ", " 1", "1e9", "0x10", "256MB", "18446744073709551616", "1\n",
        "\xff\xfe", "99999999999999999999999999999999999999999999999999"})
    EXPECT_EQ(parse_pool_bound(text), std::nullopt) << text;
}

// The pool of the process, with a known bound, empty before and after.
class ProcessPool : public ::testing::Test {
 protected:
  ProcessPool() : before_(set_result_pool(8 * kLeast)) { release_result_pool(); }
  ~ProcessPool() override {
    release_result_pool();
    set_result_pool(before_);
  }

  static Tensor tensor(std::size_t bytes) {
    return Tensor::allocate(DType::kUint8, {static_cast<std::int64_t>(bytes)}).value();
  }

  static constexpr std::size_t kLeast = kLeastPooledBytes;

 private:
  std::size_t before_;
};

TEST_F(ProcessPool, LargeTensorsAreRecycled) {
  const void* address = nullptr;
  {
    const Tensor first = tensor(kLeast);
    EXPECT_FALSE(first.is_recycled());
    address = first.data();
  }
  EXPECT_EQ(result_pool_held(), kLeast);
  const Tensor second = tensor(kLeast - kLeast / 8);  // too small for the pool
  EXPECT_FALSE(second.is_recycled());
  const Tensor third = tensor(kLeast);
  EXPECT_TRUE(third.is_recycled());
  EXPECT_EQ(third.data(), address);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % 64, 0U);
}

TEST_F(ProcessPool, SmallTensorsAreNotKept) {
  { const Tensor small = tensor(kLeast - 1); }
  EXPECT_EQ(result_pool_held(), 0U);
}

TEST_F(ProcessPool, SmallMemoryIsKeptForThoseWhoAskForIt) {
  const ResultMemory first = allocate_pooled(5000);
  EXPECT_FALSE(first.is_recycled);
  free_pooled(first);
  EXPECT_EQ(result_pool_held(), 5000U);
  const ResultMemory second = allocate_pooled(4500);
  EXPECT_EQ(second.data, first.data);
  EXPECT_EQ(second.bytes, 5000U);
  EXPECT_TRUE(second.is_recycled);
  free_pooled(second);
  free_pooled({});
  EXPECT_EQ(result_pool_held(), 5000U);
}

TEST_F(ProcessPool, TensorsOfTheWholeBlockReturnIt) {
  { const Tensor larger = tensor(kLeast + kLeast / 5); }
  { const Tensor smaller = tensor(kLeast); }
  EXPECT_EQ(result_pool_held(), kLeast + kLeast / 5);
}

TEST_F(ProcessPool, ZerosAreZerosInRecycledMemory) {
  {
    Tensor ones = tensor(kLeast);
    std::memset(ones.data(), 1, kLeast);
  }
  const Tensor zeros = Tensor::zeros(DType::kUint8, {static_cast<std::int64_t>(kLeast)}).value();
  EXPECT_TRUE(zeros.is_recycled());
  const auto values = zeros.values<std::uint8_t>();
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](std::uint8_t v) { return v == 0; }));
}

TEST_F(ProcessPool, StringsAreDestroyedBeforeTheirMemoryIsKept) {
  const auto count = static_cast<std::int64_t>(kLeast / sizeof(std::string));
  { const Tensor numbers = tensor(kLeast); }
  {
    Tensor strings = Tensor::allocate(DType::kString, {count}).value();
    EXPECT_TRUE(strings.values<std::string>().back().empty());
    static_cast<std::string*>(strings.data())[count - 1] = std::string(100, 'x');
  }
  EXPECT_EQ(result_pool_held(), kLeast);
}

TEST_F(ProcessPool, WhatATensorUsesIsNotKept) {
  const Tensor first = tensor(kLeast);
  EXPECT_EQ(result_pool_held(), 0U);
  EXPECT_NE(tensor(kLeast).data(), first.data());
}

TEST_F(ProcessPool, AForkEmptiesThePoolOfBoth) {
  { const Tensor kept = tensor(kLeast); }
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    if (result_pool_held() != 0) ::_exit(1);
    { const Tensor own = tensor(kLeast); }
    ::_exit(result_pool_held() == kLeast ? 0 : 2);
  }
  EXPECT_EQ(result_pool_held(), 0U);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(ProcessPool, AForkDuringAllocationsLeavesNothingClosed) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> busy;
  for (int t = 0; t < 2; ++t)
    busy.emplace_back([&stop] {
      while (!stop) free_result(allocate_result(kLeast));
    });
  for (int i = 0; i < 30; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      free_result(allocate_result(kLeast));
      ::_exit(result_pool_held() >= kLeast ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  for (std::thread& thread : busy) thread.join();
}

// Sanitizers reserve more addresses than any limit leaves.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

std::size_t mapped_bytes() {
  std::size_t pages = 0;
  FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%zu", &pages) != 1) pages = 0;
  if (file != nullptr) std::fclose(file);
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Returns false if the limit has no effect: QEMU's user mode does not pass it on.
bool limit_memory(std::size_t bytes) {
  const rlimit limit = {bytes, bytes};
  rlimit now{};
  return ::setrlimit(RLIMIT_AS, &limit) == 0 && ::getrlimit(RLIMIT_AS, &now) == 0 &&
         now.rlim_cur == limit.rlim_cur;
}

// In a child, which has the limit for itself.
TEST_F(ProcessPool, AnAllocationThatFailsTakesWhatThePoolKeeps) {
  constexpr int kNoLimits = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    set_result_pool(8 * kLeast);
    { const Tensor kept = tensor(4 * kLeast); }
    if (result_pool_held() != 4 * kLeast) ::_exit(1);
    if (!limit_memory(mapped_bytes() + kLeast)) ::_exit(kNoLimits);
    const auto large = Tensor::allocate(DType::kUint8, {3 * static_cast<std::int64_t>(kLeast)});
    if (!large || result_pool_held() != 0) ::_exit(2);
    ::_exit(Tensor::allocate(DType::kUint8, {std::int64_t{1} << 40}) ? 3 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoLimits)
    GTEST_SKIP() << "limits of memory have no effect here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

#endif

}  // namespace
}  // namespace windrow::internal
