#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "src/distributed/drawn_calls_fixture.h"
#include "src/distributed/thread_ranks_fixture.h"
#include "windrow/array.h"
#include "windrow/distributed.h"

// Tables whose ranks keep rows of other ranks.
namespace windrow::internal {
namespace {

Tensor ids(const std::vector<std::int64_t>& values) {
  return Tensor::from<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Rows of `columns` floats, all of them the number of the row.
Tensor rows(std::int64_t first, std::int64_t count, std::int64_t columns) {
  std::vector<float> values;
  for (std::int64_t row = first; row < first + count; ++row)
    values.insert(values.end(), static_cast<std::size_t>(columns), static_cast<float>(row));
  return Tensor::from<float>({count, columns}, values);
}

ShardedOptions keeping(std::int64_t bytes, ShardBy by = ShardBy::kContiguous) {
  ShardedOptions options;
  options.by = by;
  options.remote_cache_bytes = bytes;
  return options;
}

bool are_same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_count())) == 0;
}

void expect_error(const Status& status, ErrorCode code, const std::string& text) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
}

class KeptRowsTest : public testing::TestWithParam<int> {};

TEST_P(KeptRowsTest, DrawnCallsGiveTheBitsOfOneProcess) {
  const std::uint64_t tables = drawn_tables(40);
  ASSERT_GT(tables, 0u);
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const auto make = [&](Exchange& exchange, Tensor shard, ShardedOptions options) {
      // The last rank keeps none, or every rank some.
      if (seed % 2 == 0 || exchange.rank() + 1 < exchange.ranks())
        options.remote_cache_bytes = kLeastRemoteCache << (seed % 4);
      return ShardedTable::create(exchange, std::move(shard), options);
    };
    ThreadRanks ranks(GetParam());
    ranks.run([&](Exchange& exchange) {
      const std::string fault = DrawnCalls(exchange, 500 + seed, make).run(15, nullptr);
      EXPECT_EQ(fault, "") << "seed " << seed << ", rank " << exchange.rank();
    });
    if (HasFailure()) return;
  }
}

// Tables with and without memory for rows of other ranks, of which not all have room in it.
class Pair {
 public:
  static constexpr std::int64_t kRowsOfRank = 300;
  static constexpr std::int64_t kColumns = 64;

  Pair(Exchange& exchange, ShardBy by)
      : plain(make(exchange, keeping(0, by))), keeper(make(exchange, keeping(96 << 10, by))) {}

  ShardedTable plain;
  ShardedTable keeper;

 private:
  static ShardedTable make(Exchange& exchange, const ShardedOptions& options) {
    return ShardedTable::create(exchange,
                                rows(kRowsOfRank * exchange.rank(), kRowsOfRank, kColumns), options)
        .value();
  }
};

TEST_P(KeptRowsTest, RowsAreThoseOfATableWithoutAndTravelLessOften) {
  for (const ShardBy by : {ShardBy::kContiguous, ShardBy::kHash}) {
    ThreadRanks ranks(GetParam());
    ranks.run([&](Exchange& exchange) {
      Pair tables(exchange, by);
      std::mt19937_64 draw(static_cast<std::uint64_t>(exchange.rank()));
      const auto end = static_cast<std::uint64_t>(tables.plain.shape()[0]);
      for (int call = 0; call < 40; ++call) {
        std::vector<std::int64_t> drawn(draw() % 200);
        // Half of them are of a few rows.
        for (std::int64_t& id : drawn)
          id = static_cast<std::int64_t>(draw() % (draw() % 2 == 0 ? end : end / 20));
        const Tensor own = ids(drawn);
        const Tensor due = tables.plain.take(own).value();
        ASSERT_TRUE(are_same(tables.keeper.take(own).value(), due));
        const Tensor bags = ids({0});
        const Tensor pooled = tables.plain.embedding_bag(own, bags, {}).value();
        ASSERT_TRUE(are_same(tables.keeper.embedding_bag(own, bags, {}).value(), pooled));
      }
      const ShardedStatistics without = tables.plain.statistics();
      const ShardedStatistics with = tables.keeper.statistics();
      EXPECT_EQ(with.remote_rows, without.remote_rows);
      EXPECT_EQ(without.cached_rows, 0);
      const std::int64_t came = with.remote_rows - with.cached_rows;
      EXPECT_EQ(with.received_row_bytes, came * Pair::kColumns * 4);
      EXPECT_EQ(with.sent_id_bytes, came * 4);
      EXPECT_EQ(without.received_row_bytes, without.remote_rows * Pair::kColumns * 4);
      if (exchange.ranks() == 1) return;
      // The second look-up of each pair finds all rows, but for those that had to leave.
      EXPECT_GT(with.cached_rows, with.remote_rows / 2);
      EXPECT_LT(with.cached_rows, with.remote_rows);
    });
    if (HasFailure()) return;
  }
}

TEST_P(KeptRowsTest, ACallThatWritesForgetsThemOnAllRanks) {
  ThreadRanks ranks(GetParam());
  ranks.run([](Exchange& exchange) {
    auto table =
        ShardedTable::create(exchange, rows(4 * exchange.rank(), 4, 2), keeping(1 << 20)).value();
    std::vector<std::int64_t> all(static_cast<std::size_t>(table.shape()[0]));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    const Tensor wanted = ids(all);
    Tensor due = table.take(wanted).value();
    const bool writes = exchange.rank() == 0;
    const Tensor at = ids(writes ? std::vector<std::int64_t>{-1, 0} : std::vector<std::int64_t>());
    const Tensor values = rows(100, writes ? 2 : 0, 2);
    const Tensor all_at = ids({-1, 0});
    const Tensor all_values = rows(100, 2, 2);
    const array::IndexReduce largest{.reduction = "max"};
    const auto expect_taken = [&](const char* call) {
      EXPECT_TRUE(are_same(table.take(wanted).value(), due)) << call;
      const std::int64_t cached = table.statistics().cached_rows;
      EXPECT_TRUE(are_same(table.take(wanted).value(), due)) << call;
      EXPECT_EQ(table.statistics().cached_rows - cached, 4 * (exchange.ranks() - 1)) << call;
    };
    ASSERT_TRUE(table.index_add(at, values));
    due = array::index_add(due, all_at, all_values).value();
    expect_taken("index_add");
    ASSERT_TRUE(table.index_reduce(at, values, largest));
    due = array::index_reduce(due, all_at, all_values, largest).value();
    expect_taken("index_reduce");
    ASSERT_TRUE(table.assign(at, values));
    std::memcpy(static_cast<std::byte*>(due.data()) + due.byte_count() - 8, all_values.data(), 8);
    std::memcpy(due.data(), static_cast<const std::byte*>(all_values.data()) + 8, 8);
    expect_taken("assign");
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, KeptRowsTest, testing::Values(1, 2, 3));

// A store that gives other rows with an error, once.
class FailingStore final : public RowStore {
 public:
  explicit FailingStore(Tensor kept) : kept_(std::move(kept)) {}
  TensorSpec spec() const override { return kept_.spec(); }
  std::optional<std::int64_t> call_number() const override { return std::nullopt; }
  Status check_writable() const override { return Status(ErrorCode::kUnsupported, "read only"); }
  Status take(const TensorView& wanted, const MutableTensorView& to, const CallOptions&) override {
    if (std::exchange(fails_, false)) {
      std::memset(to.data, 0x55, static_cast<std::size_t>(*dense_byte_count(to.dtype, to.shape)));
      return Status(ErrorCode::kIo, "a bad block");
    }
    return compile(array::Take{}, {kept_.spec(), wanted.spec()})->run({kept_, wanted}, to);
  }
  Status write(const Tensor&, const TensorView&, std::int64_t) override { return check_writable(); }

 private:
  Tensor kept_;
  bool fails_ = true;
};

TEST(KeptRowsErrorsTest, RowsOfACallThatFailedAreNotKept) {
  ThreadRanks ranks(2);
  ranks.run([](Exchange& exchange) {
    const Tensor own = rows(4 * exchange.rank(), 4, 2);
    auto table =
        exchange.rank() == 0
            ? ShardedTable::create(exchange, Tensor::copy_of(own).value(), keeping(1 << 20))
            : ShardedTable::open(exchange,
                                 std::unique_ptr<RowStore>(
                                     std::make_unique<FailingStore>(Tensor::copy_of(own).value())),
                                 keeping(1 << 20));
    ASSERT_TRUE(table) << table.error().message();
    expect_error(table->take(ids({1, 5, 6})).error(), ErrorCode::kIo, "rank 1: a bad block");
    EXPECT_EQ(table->statistics().remote_rows, 0);
    for (int call = 0; call < 2; ++call) {
      const Tensor taken = table->take(ids({1, 5, 6})).value();
      EXPECT_EQ(taken.values<float>()[0], 1);
      EXPECT_EQ(taken.values<float>()[2], 5);
      EXPECT_EQ(taken.values<float>()[5], 6);
    }
    EXPECT_EQ(table->statistics().cached_rows, exchange.rank() == 0 ? 2 : 1);
  });
}

TEST(KeptRowsErrorsTest, MemoryThatCannotBeIsTheErrorOfAllRanks) {
  ThreadRanks ranks(3);
  ranks.run([](Exchange& exchange) {
    const auto error_for = [&](std::int64_t bytes) {
      const ShardedOptions options = keeping(exchange.rank() == 1 ? bytes : 0);
      return ShardedTable::create(exchange, rows(0, 2, 2), options).error();
    };
    expect_error(error_for(-1), ErrorCode::kInvalidArgument,
                 "rank 1: a distributed table: the memory for rows of other ranks has -1 bytes, "
                 "must have at least 65536, or 0");
    expect_error(error_for(kLeastRemoteCache - 1), ErrorCode::kInvalidArgument, "has 65535 bytes");
    expect_error(error_for(std::numeric_limits<std::int64_t>::max()), ErrorCode::kOutOfMemory,
                 "rank 1: not enough memory for a cache");
  });
}

// Two rows of no bytes, and a table that no rank has a row of.
TEST(KeptRowsErrorsTest, RowsWithoutBytesAreNotKept) {
  ThreadRanks ranks(2);
  ranks.run([](Exchange& exchange) {
    auto table = ShardedTable::create(exchange, rows(0, 2, 0), keeping(1 << 20)).value();
    for (int call = 0; call < 2; ++call)
      EXPECT_EQ(table.take(ids({0, 3})).value().shape(), (Shape{2, 0}));
    auto none = ShardedTable::create(exchange, rows(0, 0, 2), keeping(1 << 20)).value();
    EXPECT_EQ(none.take(ids({})).value().shape(), (Shape{0, 2}));
  });
}

}  // namespace
}  // namespace windrow::internal
