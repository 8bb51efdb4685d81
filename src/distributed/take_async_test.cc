#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/distributed/thread_ranks_fixture.h"
#include "windrow/distributed.h"

namespace windrow::internal {
namespace {

Tensor ids(std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Two rows of one column, the rank and the rank plus a half.
Tensor rows_of(const Exchange& exchange) {
  const auto rank = static_cast<float>(exchange.rank());
  return Tensor::of<float>({2, 1}, {rank, rank + 0.5F});
}

std::vector<float> values_of(const Result<Tensor>& rows) {
  if (!rows) return {};
  return {rows->values<float>().begin(), rows->values<float>().end()};
}

// An exchange that other threads may use, or not. While it is closed its rounds wait, for 20 s at
// most.
class Guarded final : public Exchange {
 public:
  Guarded(Exchange& inner, bool allows_threads) : inner_(inner), allows_threads_(allows_threads) {}
  int rank() const noexcept override { return inner_.rank(); }
  int ranks() const noexcept override { return inner_.ranks(); }
  Status exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) override {
    pass();
    return inner_.exchange_numbers(to, from);
  }
  Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                        std::span<const std::span<std::byte>> from) override {
    pass();
    return inner_.exchange_bytes(to, from);
  }
  bool use_threads() noexcept override {
    asked_ += 1;
    return allows_threads_;
  }

  void set_open(bool is_open) {
    const std::lock_guard lock(mutex_);
    is_open_ = is_open;
    changed_.notify_all();
  }
  int asked() const { return asked_; }
  // Rounds that another thread has made than the one that made this object.
  int rounds_of_others() const { return rounds_of_others_; }
  // Returns true if a round waited for the time limit and was not released.
  bool was_stuck() const { return was_stuck_; }

 private:
  void pass() {
    if (std::this_thread::get_id() != owner_) rounds_of_others_ += 1;
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(20), [&] { return is_open_; }))
      was_stuck_ = true;
  }

  Exchange& inner_;
  bool allows_threads_;
  std::thread::id owner_ = std::this_thread::get_id();
  int asked_ = 0;
  std::atomic<int> rounds_of_others_ = 0;
  std::atomic<bool> was_stuck_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = true;
};

// Which ranks have a thread of the exchange.
enum class Threaded { kAll, kNone, kOdd };

bool is_threaded(Threaded which, const Exchange& exchange) {
  return which == Threaded::kAll || (which == Threaded::kOdd && exchange.rank() % 2 == 1);
}

class TakeAsyncTest : public testing::TestWithParam<Threaded> {
 protected:
  // Calls body(exchange, table) on each of 3 ranks.
  static void with_table(ThreadRanks& ranks,
                         const std::function<void(Guarded&, ShardedTable&)>& body) {
    ranks.run([&](Exchange& inner) {
      Guarded exchange(inner, is_threaded(GetParam(), inner));
      auto table = ShardedTable::create(exchange, rows_of(exchange));
      ASSERT_TRUE(table) << table.error().message();
      body(exchange, *table);
    });
  }
};

// Each has the rows of before the writes that the program makes later.
TEST_P(TakeAsyncTest, ATakeHasItsPlaceInTheOrderOfCalls) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Guarded& exchange, ShardedTable& table) {
    auto other = ShardedTable::create(exchange, rows_of(exchange)).value();
    const Tensor wanted = ids({0, 5});
    const Tensor added = exchange.rank() == 1 ? ids({0, -1}) : ids({});
    const Tensor updates =
        Tensor::from<float>({added.element_count(), 1},
                            std::vector<float>(static_cast<std::size_t>(added.element_count()), 1));
    for (int turn = 0; turn < 20; ++turn) {
      PendingTake first = table.take_async(wanted);
      PendingTake second = other.take_async(wanted);
      ASSERT_TRUE(table.index_add(added, updates));
      const auto now = static_cast<float>(turn);
      EXPECT_EQ(values_of(first.get()), (std::vector<float>{now, 2.5F + now}));
      EXPECT_EQ(values_of(second.get()), (std::vector<float>{0, 2.5F}));
    }
    EXPECT_EQ(values_of(table.take(wanted)), (std::vector<float>{20, 22.5F}));
    EXPECT_EQ(table.statistics().calls, 41);
    EXPECT_EQ(exchange.asked(), 1);
    EXPECT_EQ(exchange.rounds_of_others() > 0, is_threaded(GetParam(), exchange));
  });
}

TEST_P(TakeAsyncTest, AnErrorIsThatOfAllRanks) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Guarded& exchange, ShardedTable& table) {
    const Tensor given = exchange.rank() == 1 ? ids({0, 6}) : ids({0, 1});
    PendingTake bad = table.take_async(given);
    const Tensor good = ids({3});
    PendingTake next = table.take_async(good);
    const Status error = bad.get().error();
    EXPECT_EQ(error.code(), ErrorCode::kIndexOutOfRange) << error.message();
    EXPECT_TRUE(error.message().starts_with("rank 1: ")) << error.message();
    ASSERT_NE(error.index_fault(), nullptr);
    EXPECT_EQ(error.index_fault()->position, std::vector<std::int64_t>{1});
    EXPECT_EQ(values_of(next.get()), std::vector<float>{1.5F});
    EXPECT_EQ(next.get().error().code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(next.is_ready());
  });
}

TEST_P(TakeAsyncTest, ARankThatMakesAnotherCallIsTold) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Guarded& exchange, ShardedTable& table) {
    const Tensor given = ids({0});
    const Status error = exchange.rank() == 2 ? table.plan_take(given).error()
                                              : table.take_async(given).get().error();
    EXPECT_NE(error.message().find("rank 2 makes another call than rank 0"), std::string::npos)
        << error.message();
  });
}

// The takes that were begun end, and say what happened.
TEST_P(TakeAsyncTest, AnExchangeThatFails) {
  ThreadRanks ranks(3);
  ranks.fail_at(1, 2);
  with_table(ranks, [](Guarded&, ShardedTable& table) {
    const Tensor given = ids({0, 3, 5});
    std::vector<PendingTake> begun;
    for (int i = 0; i < 4; ++i) begun.push_back(table.take_async(given));
    EXPECT_TRUE(begun[0].get());
    const Status first = begun[1].get().error();
    EXPECT_EQ(first.code(), ErrorCode::kIo) << first.message();
    for (int i = 2; i < 4; ++i)
      EXPECT_EQ(begun[static_cast<std::size_t>(i)].get().error().message(), first.message());
    EXPECT_EQ(table.take(given).error().message(), first.message());
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, TakeAsyncTest,
                         testing::Values(Threaded::kAll, Threaded::kNone, Threaded::kOdd));

TEST(TakeAsyncThreadTest, TheCallerGoesOnMeanwhile) {
  ThreadRanks ranks(2);
  ranks.run([](Exchange& inner) {
    Guarded exchange(inner, true);
    auto table = ShardedTable::create(exchange, rows_of(exchange)).value();
    const Tensor given = ids({3, 0});
    exchange.set_open(false);
    PendingTake first = table.take_async(given);
    PendingTake second = table.take_async(given);
    EXPECT_FALSE(first.is_ready());
    EXPECT_FALSE(second.is_ready());
    exchange.set_open(true);
    second.wait();
    EXPECT_TRUE(first.is_ready() && second.is_ready());
    EXPECT_EQ(values_of(first.get()), (std::vector<float>{1.5F, 0}));
    EXPECT_EQ(values_of(second.get()), (std::vector<float>{1.5F, 0}));
    EXPECT_FALSE(exchange.was_stuck());
  });
}

// Nobody waits for the rows: all ranks make the takes nevertheless.
TEST(TakeAsyncThreadTest, TheEndOfATableWaitsForItsTakes) {
  ThreadRanks ranks(2);
  ranks.run([](Exchange& inner) {
    Guarded exchange(inner, true);
    const Tensor given = ids({3, 0});
    const auto begin = [&](ShardedTable& table) {
      exchange.set_open(false);
      (void)table.take_async(given);
      (void)table.take_async(given);
    };
    auto table = ShardedTable::create(exchange, rows_of(exchange)).value();
    auto next = ShardedTable::create(exchange, rows_of(exchange)).value();
    begin(table);
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      exchange.set_open(true);
    });
    table = std::move(next);
    opener.join();
    EXPECT_EQ(exchange.rounds_of_others(), 2 * 4);
    EXPECT_EQ(values_of(table.take(given)), (std::vector<float>{1.5F, 0}));
    begin(table);
    exchange.set_open(true);
    { const ShardedTable ended = std::move(table); }
    EXPECT_EQ(exchange.rounds_of_others(), 4 * 4);
    EXPECT_FALSE(exchange.was_stuck());
  });
}

}  // namespace
}  // namespace windrow::internal
