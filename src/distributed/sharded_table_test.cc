#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "src/distributed/thread_ranks_fixture.h"
#include "windrow/distributed.h"

namespace windrow::internal {
namespace {

Tensor ids(std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Rows of two columns, `first` and `first` + 0.5 in the first one.
Tensor rows(std::int64_t count, float first) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(first + static_cast<float>(i));
    values.push_back(first + static_cast<float>(i) + 0.5F);
  }
  return Tensor::from<float>({count, 2}, values);
}

std::vector<float> values_of(const TensorView& view) {
  const Tensor copy = Tensor::copy_of(view).value();
  return {copy.values<float>().begin(), copy.values<float>().end()};
}

void expect_error(const Status& status, ErrorCode code, const std::string& text) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
}

// Calls body(table) on each of 3 ranks, which have rows 0 to 1, 2 to 4 and none.
void with_table(ThreadRanks& ranks, const std::function<void(Exchange&, ShardedTable&)>& body) {
  ranks.run([&](Exchange& exchange) {
    const int rank = exchange.rank();
    auto table = ShardedTable::create(
        exchange, rank == 0 ? rows(2, 0) : (rank == 1 ? rows(3, 2) : rows(0, 0)));
    ASSERT_TRUE(table) << table.error().message();
    body(exchange, *table);
  });
}

TEST(ShardedTableTest, ARankWithoutArgumentsFailsTheCallOfAll) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    const Status own(ErrorCode::kType, "ids are text");
    expect_error(exchange.rank() == 1 ? table.fail(own) : table.take(ids({0})).error(),
                 ErrorCode::kType, "rank 1: ids are text");
    expect_error(exchange.rank() == 1 ? table.fail(own) : table.index_add(ids({0}), rows(1, 1)),
                 ErrorCode::kType, "rank 1: ids are text");
    EXPECT_EQ(values_of(table.take(ids({0})).value()), (std::vector<float>{0, 0.5F}));
  });
}

TEST(ShardedTableTest, TakesRowsByIdsOfAnyShape) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    EXPECT_EQ(table.shape(), (Shape{5, 2}));
    const Tensor own = exchange.rank() == 1 ? Tensor::of<std::int64_t>({}, {4})
                                            : Tensor::of<std::int64_t>({2, 1}, {-1, 0});
    const auto taken = table.take(own);
    ASSERT_TRUE(taken) << taken.error().message();
    EXPECT_EQ(taken->shape(), exchange.rank() == 1 ? (Shape{2}) : (Shape{2, 1, 2}));
    EXPECT_EQ(values_of(*taken), exchange.rank() == 1 ? (std::vector<float>{4, 4.5F})
                                                      : (std::vector<float>{4, 4.5F, 0, 0.5F}));
  });
}

TEST(ShardedTableTest, UpdatesMayBeViewsWithGaps) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    // One row, repeated: a stride of 0.
    const Tensor row = Tensor::of<float>({2}, {1, 2});
    const TensorView updates(DType::kFloat32, {2, 2}, Strides{0, 4}, row.data());
    ASSERT_TRUE(table.index_add(ids({3, 0}), updates));
    const std::vector<std::vector<float>> expected = {
        {3, 6.5F, 1, 1.5F}, {2, 2.5F, 6, 9.5F, 4, 4.5F}, {}};
    EXPECT_EQ(values_of(table.shard()), expected[static_cast<std::size_t>(exchange.rank())]);
  });
}

TEST(ShardedTableTest, PackedRowsOfWholeBytesTravel) {
  ThreadRanks ranks(2);
  ranks.run([](Exchange& exchange) {
    Tensor shard = Tensor::allocate(DType::kInt4, {2, 2}).value();
    auto* const bytes = static_cast<std::uint8_t*>(shard.data());
    bytes[0] = static_cast<std::uint8_t>(exchange.rank() * 16 + 1);
    bytes[1] = static_cast<std::uint8_t>(exchange.rank() * 16 + 2);
    auto table = ShardedTable::create(exchange, std::move(shard));
    ASSERT_TRUE(table) << table.error().message();
    const auto taken = table->take(ids({3, 0, 3}));
    ASSERT_TRUE(taken) << taken.error().message();
    const auto* const got = static_cast<const std::uint8_t*>(taken->data());
    EXPECT_EQ((std::vector<int>{got[0], got[1], got[2]}), (std::vector<int>{18, 1, 18}));
  });
}

TEST(ShardedTableTest, ABadCallOfOneRankIsTheSameErrorOnAll) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    const std::vector<float> before = values_of(table.shard());
    const bool is_bad = exchange.rank() == 1;
    const auto bad_ids = [&] { return is_bad ? ids({3, 5, -6}) : ids({0, 1, 2}); };
    const auto taken = table.take(bad_ids());
    expect_error(taken.error(), ErrorCode::kIndexOutOfRange, "rank 1: array.Take-1 [ARRAY-Take-C");
    const Status added = table.index_add(bad_ids(), rows(3, 1));
    expect_error(added, ErrorCode::kIndexOutOfRange, "rank 1: array.IndexAdd-1 [ARRAY-IndexAdd-C");
    ASSERT_NE(added.index_fault(), nullptr);
    EXPECT_EQ(added.index_fault()->position, std::vector<std::int64_t>{1});
    EXPECT_NE(added.message().find("]: indices[1] is 5, "), std::string::npos);
    EXPECT_EQ(added.index_fault()->value, 5);
    EXPECT_EQ(added.index_fault()->count, 2);
    EXPECT_EQ(added.index_fault()->extent, 5);
    EXPECT_EQ(added.operator_name(), "array.IndexAdd-1");
    expect_error(table.assign(bad_ids(), rows(3, 1)), ErrorCode::kIndexOutOfRange,
                 "rank 1: array.PutAlongAxis-1 [ARRAY-PutAlongAxis-C");
    expect_error(table.assign(ids({3}), rows(is_bad ? 2 : 1, 1)), ErrorCode::kShape,
                 "rank 1: assign to a distributed table: rows have shape [2, 2], must have [1, 2]");
    expect_error(table.assign(ids({3}), is_bad ? ids({1}) : rows(1, 1)), ErrorCode::kType,
                 "rank 1: assign to a distributed table: rows have type int64");
    expect_error(table.index_add(ids({3}), rows(is_bad ? 2 : 1, 1)), ErrorCode::kShape, "rank 1: ");
    const TensorView lost(DType::kFloat32, {1, 2}, nullptr);
    expect_error(table.index_add(ids({3}), is_bad ? lost : rows(1, 1).view()),
                 ErrorCode::kInvalidArgument,
                 "rank 1: a distributed table: updates have no memory");
    EXPECT_EQ(values_of(table.shard()), before);
    ASSERT_TRUE(table.take(ids({4})));
  });
}

TEST(ShardedTableTest, WhatItDoesNotDoIsRefused) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange&, ShardedTable& table) {
    CallOptions unique;
    unique.duplicates = Duplicates::kError;
    expect_error(table.index_add(ids({3}), rows(1, 1), unique), ErrorCode::kUnsupported,
                 "duplicates cannot be refused");
    CallOptions strict;
    strict.strict = true;
    expect_error(table.assign(ids({3}), rows(1, 1), strict), ErrorCode::kUnsupported,
                 "duplicates cannot be refused");
    expect_error(table.index_reduce(ids({3}), rows(1, 1), {.axis = 1}), ErrorCode::kInvalidArgument,
                 "axis is 1, must be 0");
  });
}

TEST(ShardedTableTest, RanksThatMakeDifferentCallsAreTold) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    const std::vector<float> before = values_of(table.shard());
    const Status status = exchange.rank() == 2 ? table.assign(ids({0}), rows(1, 7))
                                               : table.index_add(ids({0}), rows(1, 7));
    expect_error(status, ErrorCode::kInvalidArgument, "rank 2 makes another call than rank 0");
    CallOptions options;
    if (exchange.rank() == 1) options.out_of_range = OutOfRange::kClamp;
    expect_error(table.take(ids({0}), options).error(), ErrorCode::kInvalidArgument,
                 "rank 1 makes another call than rank 0, or one with other options");
    EXPECT_EQ(values_of(table.shard()), before);
  });
}

TEST(ShardedTableTest, AnyRankMaySayThatALoopGoesOn) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    int turns = 0;
    while (table.any(turns < 2 * exchange.rank()).value()) turns += 1;
    EXPECT_EQ(turns, 4);
    const Status own(ErrorCode::kIo, "no more ids");
    expect_error(exchange.rank() == 2 ? table.fail(own) : table.any(false).error(), ErrorCode::kIo,
                 "rank 2: no more ids");
    expect_error(exchange.rank() == 1 ? table.take(ids({0})).error() : table.any(true).error(),
                 ErrorCode::kInvalidArgument, "rank 1 makes another call than rank 0");
  });
}

// The ids, or the updates, do not come to all ranks.
TEST(ShardedTableTest, AnExchangeThatFailsChangesNoShard) {
  for (const int failing : {0, 1}) {
    ThreadRanks ranks(3);
    ranks.fail_at(1, failing);
    with_table(ranks, [](Exchange&, ShardedTable& table) {
      const std::vector<float> before = values_of(table.shard());
      const Status first = table.index_add(ids({0, 3}), rows(2, 7));
      expect_error(first, ErrorCode::kIo, "");
      EXPECT_EQ(values_of(table.shard()), before);
      expect_error(table.take(ids({0})).error(), ErrorCode::kIo, first.message());
    });
  }
}

TEST(ShardedTableTest, ARankThatLeavesIsAnErrorOfTheOthers) {
  ThreadRanks ranks(3);
  with_table(ranks, [](Exchange& exchange, ShardedTable& table) {
    if (exchange.rank() == 2) return;
    expect_error(table.take(ids({0})).error(), ErrorCode::kIo, "a rank has left");
  });
}

// Makes a table of these shards and expects the same error on all ranks.
void expect_refused(std::vector<Tensor> shards, ErrorCode code, const std::string& text,
                    ShardBy last_by = ShardBy::kContiguous, ShardBy by = ShardBy::kContiguous) {
  ThreadRanks ranks(static_cast<int>(shards.size()));
  ranks.run([&](Exchange& exchange) {
    const auto rank = static_cast<std::size_t>(exchange.rank());
    const auto table = ShardedTable::create(exchange, std::move(shards[rank]),
                                            {.by = rank + 1 == shards.size() ? last_by : by});
    ASSERT_FALSE(table);
    expect_error(table.error(), code, text);
  });
}

std::vector<Tensor> two(Tensor first, Tensor second) {
  std::vector<Tensor> shards;
  shards.push_back(std::move(first));
  shards.push_back(std::move(second));
  return shards;
}

TEST(ShardedTableTest, ShardsThatDoNotFitTogetherAreRefused) {
  expect_refused(two(rows(2, 0), ids({1})), ErrorCode::kType,
                 "the shard of rank 1 has type int64, that of rank 0 has float32");
  expect_refused(two(rows(2, 0), Tensor::zeros(DType::kFloat32, {2, 3}).value()), ErrorCode::kShape,
                 "the shard of rank 1 has shape [2, 3]");
  expect_refused(two(rows(2, 0), Tensor::zeros(DType::kFloat32, {2}).value()), ErrorCode::kShape,
                 "the shard of rank 1 has shape [2]");
  expect_refused(two(Tensor::zeros(DType::kFloat32, {}).value(), rows(1, 0)), ErrorCode::kShape,
                 "the shard of rank 0 has shape []");
  expect_refused(two(Tensor(), Tensor()), ErrorCode::kType, "the shard of rank 0 is absent");
  expect_refused(
      two(Tensor::zeros(DType::kString, {2}).value(), Tensor::zeros(DType::kString, {2}).value()),
      ErrorCode::kUnsupported, "rows of string");
  expect_refused(
      two(Tensor::zeros(DType::kInt4, {2, 3}).value(), Tensor::zeros(DType::kInt4, {2, 3}).value()),
      ErrorCode::kUnsupported, "rows of int4 that are not whole bytes");
  expect_refused(two(rows(2, 0), rows(2, 2)), ErrorCode::kInvalidArgument,
                 "the shard of rank 1 is distributed in another way", ShardBy::kHash);
  expect_refused(two(rows(2, 0), rows(3, 2)), ErrorCode::kInvalidArgument,
                 "the shard of rank 0 has 2 rows, must have 3 of 5 by hash", ShardBy::kHash,
                 ShardBy::kHash);
}

TEST(ShardedTableTest, AReserveThatIsNotThatOfAllRanksIsRefused) {
  for (const std::int64_t bytes : {std::int64_t{-1}, std::int64_t{7}}) {
    ThreadRanks ranks(2);
    ranks.run([&](Exchange& exchange) {
      ShardedOptions options;
      if (exchange.rank() == 1 || bytes < 0) options.reserve_bytes = bytes;
      const auto table = ShardedTable::create(exchange, rows(2, 0), options);
      ASSERT_FALSE(table);
      expect_error(table.error(), ErrorCode::kInvalidArgument,
                   bytes < 0 ? "the shard of rank 0 has a reserve of -1 bytes"
                             : "the shard of rank 1 has a reserve of 7 bytes");
    });
  }
}

TEST(ShardedTableTest, MpiHasToBeInitialised) {
  const auto exchange = make_mpi_exchange();
  ASSERT_FALSE(exchange);
  if (has_mpi())
    expect_error(exchange.error(), ErrorCode::kInvalidArgument, "call MPI_Init first");
  else
    expect_error(exchange.error(), ErrorCode::kUnsupported, "this build has no MPI");
}

}  // namespace
}  // namespace windrow::internal
