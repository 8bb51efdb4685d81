// Calls of which one rank runs out of memory: each of its allocations fails in turn. No rank gets
// rows, or writes, without the others' knowing.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "src/distributed/thread_ranks_fixture.h"
#include "windrow/distributed.h"

namespace {

// Allocations of this thread until one fails; kNever: none does.
constexpr std::int64_t kNever = -1;
thread_local std::int64_t allowed = kNever;
thread_local bool has_failed = false;

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allowed == 0) {
    allowed = kNever;
    has_failed = true;
    return nullptr;
  }
  if (allowed > 0) --allowed;
  return std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

constexpr std::size_t kUsual = alignof(std::max_align_t);

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined: where a compiler sees memory of `new` reach std::free, it warns of a mismatch.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

}  // namespace

// All of them: memory of one may be freed by another.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, kUsual);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, kUsual);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace windrow::internal {
namespace {

constexpr int kRanks = 3;

struct SerialThreads : Threads {
  int count() const noexcept override { return 4; }
  void parallel(int tasks, void (*task)(void*, int), void* context) noexcept override {
    for (int i = 0; i < tasks; ++i) task(context, i);
  }
};

// A call of the table, with a route of it.
using TableCall = std::function<Status(ShardedTable&, const TakeRoute&)>;

// What the call gave each rank, and what it gave when it was made again.
struct Outcome {
  std::array<Status, kRanks> first;
  std::array<Status, kRanks> second;
  bool is_reached = false;  // whether the allocation was
};

// Whether a rank could not take part in the call to its end: it leaves.
bool is_left(const Status& status) {
  return status.message().find("not enough memory to tell") != std::string::npos;
}

Result<ShardedTable> create(Exchange& exchange, const ShardedOptions& options = {}) {
  return ShardedTable::create(exchange, Tensor::zeros(DType::kFloat32, {4, 64}).value(), options);
}

Outcome fail_on_rank_1(const TableCall& call, std::int64_t point, const ShardedOptions& options) {
  Outcome outcome;
  ThreadRanks ranks(kRanks);
  ranks.run([&](Exchange& exchange) {
    const auto rank = static_cast<std::size_t>(exchange.rank());
    auto table = create(exchange, options);
    ASSERT_TRUE(table) << table.error().message();
    const auto route = table->plan_take(Tensor::zeros(DType::kInt64, {40000}).value());
    if (rank == 1) {
      has_failed = false;
      allowed = point;
    }
    outcome.first[rank] = call(*table, *route);
    if (rank == 1) {
      outcome.is_reached = has_failed;
      allowed = kNever;
    }
    if (is_left(outcome.first[rank])) return;
    outcome.second[rank] = call(*table, *route);
  });
  return outcome;
}

void expect_told_to_all(const Outcome& outcome) {
  const auto& [first, second, is_reached] = outcome;
  if (is_left(first[1])) {
    // The others notice in their next round that it has left.
    EXPECT_FALSE(first[0].ok() && second[0].ok());
    EXPECT_FALSE(first[2].ok() && second[2].ok());
    return;
  }
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(first[rank].message(), first[1].message());
    EXPECT_TRUE(first[rank].ok() || first[rank].message().starts_with("rank 1: "));
    EXPECT_TRUE(first[rank].ok() || first[rank].code() == ErrorCode::kOutOfMemory);
    EXPECT_TRUE(second[rank].ok()) << rank << " " << second[rank].message();
  }
}

void attack(const TableCall& call, const ShardedOptions& options = {}) {
  bool is_reached = true;
  std::int64_t point = 0;
  for (; is_reached; ++point) {
    SCOPED_TRACE("allocation " + std::to_string(point));
    const Outcome outcome = fail_on_rank_1(call, point, options);
    is_reached = outcome.is_reached;
    expect_told_to_all(outcome);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(point, 5);
}

TEST(LowMemoryRanksTest, ATableThatIsMade) {
  bool is_reached = true;
  for (std::int64_t point = 0; is_reached; ++point) {
    SCOPED_TRACE("allocation " + std::to_string(point));
    Outcome outcome;
    ThreadRanks ranks(kRanks);
    ranks.run([&](Exchange& exchange) {
      const auto rank = static_cast<std::size_t>(exchange.rank());
      Tensor shard = Tensor::zeros(DType::kFloat32, {4, 64}).value();
      if (rank == 1) {
        has_failed = false;
        allowed = point;
      }
      outcome.first[rank] = ShardedTable::create(exchange, std::move(shard)).error();
      if (rank == 1) {
        outcome.is_reached = has_failed;
        allowed = kNever;
      }
      // An exchange that was left in the middle is not used again.
      if (outcome.first[rank].code() == ErrorCode::kIo || is_left(outcome.first[rank])) return;
      outcome.second[rank] = create(exchange).error();
    });
    is_reached = outcome.is_reached;
    expect_told_to_all(outcome);
    if (HasFailure()) return;
  }
}

TEST(LowMemoryRanksTest, ATake) {
  const Tensor ids = Tensor::of<std::int64_t>({5}, {0, 5, 11, 5, -1});
  attack([&](ShardedTable& table, const TakeRoute&) { return table.take(ids).error(); });
}

TEST(LowMemoryRanksTest, ATakeOfATableThatKeepsRows) {
  const Tensor ids = Tensor::of<std::int64_t>({5}, {0, 5, 11, 5, -1});
  attack([&](ShardedTable& table, const TakeRoute&) { return table.take(ids).error(); },
         {.remote_cache_bytes = kLeastRemoteCache});
}

TEST(LowMemoryRanksTest, ATakeThatIsBegun) {
  const Tensor ids = Tensor::of<std::int64_t>({5}, {0, 5, 11, 5, -1});
  attack(
      [&](ShardedTable& table, const TakeRoute&) { return table.take_async(ids).get().error(); });
}

TEST(LowMemoryRanksTest, ATakeAlongARoute) {
  SerialThreads threads;
  attack([](ShardedTable& table, const TakeRoute& route) { return table.take(route).error(); });
  attack([&](ShardedTable& table, const TakeRoute& route) {
    return table.take(route, &threads).error();
  });
}

TEST(LowMemoryRanksTest, ACallThatWrites) {
  const Tensor ids = Tensor::of<std::int64_t>({3}, {0, 5, 11});
  const Tensor updates = Tensor::zeros(DType::kFloat32, {3, 64}).value();
  attack([&](ShardedTable& table, const TakeRoute&) { return table.index_add(ids, updates); });
}

}  // namespace
}  // namespace windrow::internal
