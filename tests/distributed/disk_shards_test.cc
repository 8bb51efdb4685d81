#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "src/distributed/drawn_calls_fixture.h"
#include "src/distributed/thread_ranks_fixture.h"
#include "tests/distributed/disk_shards_fixture.h"

namespace windrow::internal {
namespace {

Tensor ids(std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Rows of two columns.
Tensor rows(std::int64_t count, float value) {
  return Tensor::from<float>({count, 2},
                             std::vector<float>(static_cast<std::size_t>(2 * count), value));
}

void expect_error(const Status& status, ErrorCode code, const std::string& text) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
}

class DiskShardsTest : public DiskShards {
 protected:
  static std::string name_of(int rank) { return "shard" + std::to_string(rank); }
  Result<std::unique_ptr<RowStore>> open_rank(int rank, std::int64_t count,
                                              const TableOptions& options = writable()) const {
    const std::vector<TablePart> parts = {
        {folder_ / name_of(rank), "", DType::kFloat32, {count / 2, 2}},
        {folder_ / (name_of(rank) + ".2"), "", DType::kFloat32, {count - count / 2, 2}}};
    return open_shard(parts, options);
  }
  // A shard of 3 rows for each of some ranks.
  void write_shards(int ranks) const {
    for (int rank = 0; rank < ranks; ++rank) write_shard(name_of(rank), rows(3, 0));
  }
};

class DrawnDiskShardsTest : public DiskShards, public testing::WithParamInterface<int> {};

// Some ranks have their shard in memory.
TEST_P(DrawnDiskShardsTest, GiveTheBitsOfOneProcess) {
  const std::uint64_t tables = drawn_tables(30);
  ASSERT_GT(tables, 0u);
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const TableOptions options = [&] {
      TableOptions drawn = writable();
      if (seed % 2 == 0) drawn.cache = TableCache::create(kLeastTableCache).value();
      if (seed % 3 == 0) drawn.reads = TableReads::kReadAhead;
      return drawn;
    }();
    const auto make = [&](Exchange& exchange, Tensor shard, const ShardedOptions& given) {
      const int rank = exchange.rank();
      if ((seed + static_cast<std::uint64_t>(rank)) % 4 == 0)
        return ShardedTable::create(exchange, std::move(shard), given);
      const std::string name = "s" + std::to_string(seed) + "-" + std::to_string(rank);
      return ShardedTable::open(exchange, open_shard(write_shard(name, shard), options), given);
    };
    ThreadRanks ranks(GetParam());
    ranks.run([&](Exchange& exchange) {
      const auto threads = make_threads(seed % 2 == 0 ? 1 : 3);
      const std::string fault = DrawnCalls(exchange, 1000 + seed, make).run(10, threads.get());
      EXPECT_EQ(fault, "") << "seed " << seed << ", rank " << exchange.rank();
    });
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, DrawnDiskShardsTest, testing::Values(1, 2, 3, 4, 8));

TEST_F(DiskShardsTest, ErrorsAreThoseOfShardsInMemory) {
  write_shards(3);
  ThreadRanks ranks(3);
  ranks.run([&](Exchange& exchange) {
    const bool is_bad = exchange.rank() == 1;
    auto memory = ShardedTable::create(exchange, rows(3, 0)).value();
    auto disk = ShardedTable::open(exchange, open_rank(exchange.rank(), 3)).value();
    EXPECT_TRUE(disk.shard().is_absent());
    const Tensor bad = is_bad ? ids({3, 9}) : ids({0, 1});
    CallOptions unique;
    unique.duplicates = Duplicates::kError;
    const std::vector<std::function<Status(ShardedTable&)>> calls = {
        [&](ShardedTable& table) { return table.take(bad).error(); },
        [&](ShardedTable& table) { return table.plan_take(bad).error(); },
        [&](ShardedTable& table) { return table.embedding_bag(bad, ids({0}), {}).error(); },
        [&](ShardedTable& table) { return table.index_add(bad, rows(2, 1)); },
        [&](ShardedTable& table) { return table.index_reduce(bad, rows(2, 1), {}); },
        [&](ShardedTable& table) { return table.assign(bad, rows(2, 1)); },
        [&](ShardedTable& table) { return table.assign(ids({1}), rows(is_bad ? 2 : 1, 1)); },
        [&](ShardedTable& table) {
          return table.index_add(ids({1}), is_bad ? ids({1}) : rows(1, 1));
        },
        [&](ShardedTable& table) { return table.index_add(ids({1}), rows(1, 1), unique); },
    };
    for (const auto& call : calls) {
      const Status due = call(memory);
      expect_error(call(disk), due.code(), due.message());
    }
    EXPECT_EQ(std::vector(disk.call_numbers().begin(), disk.call_numbers().end()),
              (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(std::vector(memory.call_numbers().begin(), memory.call_numbers().end()),
              (std::vector<std::int64_t>{-1, -1, -1}));
  });
}

TEST_F(DiskShardsTest, AShardThatCannotBeOpenedIsTheErrorOfAllRanks) {
  write_shards(3);
  std::filesystem::remove(folder_ / name_of(1));
  ThreadRanks ranks(3);
  ranks.run([&](Exchange& exchange) {
    expect_error(ShardedTable::open(exchange, open_rank(exchange.rank(), 3)).error(),
                 ErrorCode::kIo, "rank 1: cannot open '");
    expect_error(ShardedTable::open(exchange, std::unique_ptr<RowStore>()).error(),
                 ErrorCode::kInvalidArgument, "rank 0: a distributed table: the store");
  });
}

TEST_F(DiskShardsTest, ShardsThatDoNotFitTogetherAreRefused) {
  write_shards(2);
  ThreadRanks ranks(3);
  ranks.run([&](Exchange& exchange) {
    const int rank = exchange.rank();
    const auto with = [&](Tensor third, ShardBy by) {
      return rank == 2 ? ShardedTable::create(exchange, std::move(third), {.by = by}).error()
                       : ShardedTable::open(exchange, open_rank(rank, 3), {.by = by}).error();
    };
    expect_error(with(ids({1}), ShardBy::kContiguous), ErrorCode::kType,
                 "the shard of rank 2 has type int64, that of rank 0 has float32");
    expect_error(with(Tensor::zeros(DType::kFloat32, {1, 3}).value(), ShardBy::kContiguous),
                 ErrorCode::kShape, "the shard of rank 2 has shape [1, 3]");
    expect_error(with(rows(5, 1), ShardBy::kHash), ErrorCode::kInvalidArgument,
                 "the shard of rank 0 has 3 rows, must have 4 of 11 by hash");
  });
}

TEST_F(DiskShardsTest, AShardThatIsReadIsNotWrittenTo) {
  write_shards(2);
  ThreadRanks ranks(2);
  ranks.run([&](Exchange& exchange) {
    const int rank = exchange.rank();
    auto table =
        ShardedTable::open(exchange, open_rank(rank, 3, rank == 1 ? TableOptions() : writable()))
            .value();
    expect_error(table.index_add(ids({0, 5}), rows(2, 1)), ErrorCode::kUnsupported,
                 "rank 1: a shard on disk that was opened for reading");
    EXPECT_EQ(table.take(ids({0}))->values<float>()[0], 0);
  });
}

TEST_F(DiskShardsTest, RanksReadTheirRowsOfOneTable) {
  std::vector<float> values(14);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.5F;
  const auto parts = write_shard("whole", Tensor::from<float>({7, 2}, values));
  ThreadRanks ranks(3);
  ranks.run([&](Exchange& exchange) {
    const std::array<TableRows, 3> own = {TableRows{0, 3}, TableRows{3, 0}, TableRows{3, 4}};
    const auto rank = static_cast<std::size_t>(exchange.rank());
    auto table = ShardedTable::open(exchange, open_shard(parts, {}, own[rank])).value();
    EXPECT_EQ(table.shape(), (Shape{7, 2}));
    const Tensor taken = table.take(ids({6, 2, 3, -7})).value();
    const std::vector<float> due = {6, 6.5F, 2, 2.5F, 3, 3.5F, 0, 0.5F};
    EXPECT_EQ(std::vector<float>(taken.values<float>().begin(), taken.values<float>().end()), due);
  });
  expect_error(open_shard(parts, {}, TableRows{3, 5}).error(), ErrorCode::kInvalidArgument,
               "rows 3 and 5 from there on are not in a table of 7");
  expect_error(open_shard(parts, writable(), TableRows{0, 3}).error(), ErrorCode::kInvalidArgument,
               "has all rows of its files");
}

// Rank 1 has made a call that rank 0 has not.
TEST_F(DiskShardsTest, CallNumbersThatDifferAreToldAndAccepted) {
  write_shards(2);
  ThreadRanks(1).run([&](Exchange& exchange) {
    auto alone = ShardedTable::open(exchange, open_rank(1, 3)).value();
    ASSERT_TRUE(alone.index_add(ids({0}), rows(1, 5)));
    EXPECT_EQ(alone.call_numbers()[0], 1);
  });
  ThreadRanks ranks(2);
  ranks.run([&](Exchange& exchange) {
    const int rank = exchange.rank();
    expect_error(ShardedTable::open(exchange, open_rank(rank, 3)).error(), ErrorCode::kIo,
                 "the shard of rank 1 was last written to by call 1, that of rank 0 by call 0: a "
                 "call was ended");
    expect_error(
        ShardedTable::open(exchange, open_rank(rank, 3), {.accept_torn = rank == 1}).error(),
        ErrorCode::kIo, "the shard of rank 1 was last written to by call 1");
    {
      auto table = ShardedTable::open(exchange, open_rank(rank, 3), {.accept_torn = true}).value();
      EXPECT_EQ(table.call_numbers()[0], 0);
      EXPECT_EQ(table.call_numbers()[1], 1);
      ASSERT_TRUE(table.index_add(rank == 0 ? ids({0}) : ids({}), rows(rank == 0 ? 1 : 0, 7)));
      EXPECT_EQ(table.call_numbers()[0], 2);
      EXPECT_EQ(table.call_numbers()[1], 2);
      ASSERT_TRUE(exchange.barrier());
    }
    auto again = ShardedTable::open(exchange, open_rank(rank, 3)).value();
    EXPECT_EQ(again.call_numbers()[1], 2);
    const Tensor taken = again.take(ids({0, 3})).value();
    EXPECT_EQ(taken.values<float>()[0], 7);
    EXPECT_EQ(taken.values<float>()[2], 5);
  });
}

// The files remain those of an ordinary table, whose calls do not count.
TEST_F(DiskShardsTest, AShardIsATable) {
  const auto parts = write_shard(name_of(0), rows(3, 0));
  { EXPECT_TRUE(Table::open(parts, writable())->assign(ids({1}), rows(1, 4))); }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "shard0.windrow-calls"));
  ThreadRanks(1).run([&](Exchange& exchange) {
    auto table = ShardedTable::open(exchange, open_rank(0, 3)).value();
    ASSERT_TRUE(table.assign(ids({2}), rows(1, 5)));
  });
  { EXPECT_TRUE(Table::open(parts, writable())->add(ids({1}), rows(1, 1))); }
  EXPECT_EQ(open_shard(parts).value()->call_number(), 1);
  const Tensor taken = Table::open(parts)->take(ids({1, 2})).value();
  EXPECT_EQ(taken.values<float>()[0], 5);
  EXPECT_EQ(taken.values<float>()[2], 5);
  write("shard0.windrow-calls", "something else");
  expect_error(open_shard(parts).error(), ErrorCode::kFormat, "shard0.windrow-calls' is not the");
}

// Rows in memory that can be refused.
class MoodyStore final : public RowStore {
 public:
  MoodyStore(Tensor kept, bool is_numbered) : kept_(std::move(kept)), is_numbered_(is_numbered) {}
  TensorSpec spec() const override { return kept_.spec(); }
  std::optional<std::int64_t> call_number() const override {
    return is_numbered_ ? std::optional(number_) : std::nullopt;
  }
  Status check_writable() const override { return {}; }
  Status take(const TensorView& wanted, const MutableTensorView& to, const CallOptions&) override {
    if (refuses_take) return Status(ErrorCode::kIo, "a bad block");
    const auto plan = compile(array::Take{}, {kept_.spec(), wanted.spec()});
    return plan->run({kept_, wanted}, to);
  }
  Status write(const Tensor& at, const TensorView& values, std::int64_t number) override {
    if (refuses_write) return Status(ErrorCode::kIo, "no space is left");
    for (std::int64_t i = 0; i < at.element_count(); ++i)
      std::memcpy(static_cast<std::byte*>(kept_.data()) +
                      at.values<std::int64_t>()[static_cast<std::size_t>(i)] * 8,
                  static_cast<const std::byte*>(values.data) + i * 8, 8);
    number_ = number;
    return {};
  }

  std::int64_t last_number() const { return number_; }

  bool refuses_take = false;
  bool refuses_write = false;

 private:
  Tensor kept_;
  bool is_numbered_;
  std::int64_t number_ = 0;
};

TEST_F(DiskShardsTest, AStoreThatRefusesIsTheErrorOfAllRanks) {
  for (const bool is_numbered : {true, false}) {
    ThreadRanks ranks(3);
    ranks.run([&](Exchange& exchange) {
      auto made = std::make_unique<MoodyStore>(rows(3, 0), is_numbered);
      MoodyStore& store = *made;
      auto table = ShardedTable::open(exchange, std::unique_ptr<RowStore>(std::move(made))).value();
      const Tensor all = ids({0, 3, 6});
      const auto firsts = [&] {
        const Tensor taken = table.take(all).value();
        return std::vector<float>{taken.values<float>()[0], taken.values<float>()[2],
                                  taken.values<float>()[4]};
      };
      store.refuses_take = exchange.rank() == 1;
      expect_error(table.index_add(all, rows(3, 1)), ErrorCode::kIo, "rank 1: a bad block");
      expect_error(table.take(all).error(), ErrorCode::kIo, "rank 1: a bad block");
      // An assignment does not need what was there.
      EXPECT_TRUE(table.assign(all, rows(3, 2)));
      store.refuses_take = false;
      EXPECT_EQ(firsts(), (std::vector<float>{2, 2, 2}));
      EXPECT_TRUE(table.index_add(all, rows(3, 1)));
      EXPECT_EQ(firsts(), (std::vector<float>{5, 5, 5}));
      EXPECT_EQ(table.call_numbers()[1], is_numbered ? 2 : -1);
      store.refuses_write = exchange.rank() == 1;
      expect_error(table.index_add(all, rows(3, 1)), ErrorCode::kIo, "rank 1: no space is left");
      EXPECT_EQ(store.last_number(), exchange.rank() == 1 ? 2 : 3);
      expect_error(table.take(all).error(), ErrorCode::kIo,
                   "rank 0: an earlier call was not finished: rank 1: no space is left");
    });
  }
}

}  // namespace
}  // namespace windrow::internal
