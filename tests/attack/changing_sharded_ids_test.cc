// Ids of a distributed table that change while a call reads them: every row that is taken is one
// that its id named at some moment, every update goes to one row, or the call is an error and no
// row has changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "src/distributed/thread_ranks_fixture.h"
#include "tests/attack/watched_memory.h"
#include "tests/random/rng.h"
#include "windrow/distributed.h"

namespace windrow::tests {
namespace {

constexpr std::int64_t kRows = 300;
constexpr std::int64_t kIds = 1100;  // more than a block of points
constexpr std::int64_t kMoments = 6;

using Ids = std::vector<std::int64_t>;

class ChangingShardedIds : public testing::Test {
 protected:
  using Changes = WatchedMemory::Changes;

  static bool names(std::int64_t id, std::int64_t row) { return id == row || id == row - kRows; }

  static Ids drawn(Rng& rng, std::span<const std::int64_t> others) {
    Ids ids(kIds);
    for (std::int64_t& id : ids)
      id = others.empty() || rng.between(0, 3) != 0 ? rng.between(-kRows, kRows - 1)
                                                    : rng.pick(others);
    return ids;
  }

  // A call of rank 0. Returns the number of reads of its ids.
  using Call = std::function<std::int64_t(ShardedTable&, const Ids&, const Changes&)>;

  // The rows of a rank of a table that has its row numbers as rows.
  static Tensor rows_of(const Exchange& exchange) {
    std::vector<std::int64_t> rows(kRows / static_cast<std::size_t>(exchange.ranks()));
    std::iota(rows.begin(), rows.end(),
              static_cast<std::int64_t>(rows.size()) * std::int64_t{exchange.rank()});
    return Tensor::from<std::int64_t>({static_cast<std::int64_t>(rows.size())}, rows);
  }

  // What another rank does: it takes part in takes of no ids.
  static void take_part(Exchange& exchange, const ShardedOptions& options) {
    const Tensor none = Tensor::from<std::int64_t>({0}, Ids());
    auto table = ShardedTable::create(exchange, rows_of(exchange), options).value();
    for (auto more = table.any(false); more && *more; more = table.any(false))
      (void)table.take(none);
  }

  // Tries changes at several moments of the reads, on tables that keep rows, of one rank or two. Of
  // two the second only takes part in takes.
  void attack(const Call& call, int count = 1) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::vector<std::int64_t> far = {kRows, -kRows - 1, std::int64_t{1} << 61,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
    const Ids beginning = drawn(rng, {});
    const Ids legal = drawn(rng, {});
    const Ids wild = drawn(rng, far);
    const ShardedOptions options{.remote_cache_bytes = kLeastRemoteCache};
    internal::ThreadRanks ranks(count);
    ranks.run([&](Exchange& exchange) {
      if (exchange.rank() != 0) return take_part(exchange, options);
      std::optional<ShardedTable> table;
      const auto run = [&](const Changes& changes) {
        if (count == 1 || !table)
          table = ShardedTable::create(exchange, rows_of(exchange), options).value();
        memory_.fill(std::as_bytes(std::span(beginning)));
        if (count > 1) {
          EXPECT_TRUE(table->any(true).value());
        }
        return call(*table, beginning, changes);
      };
      const std::int64_t reads = run({});
      ASSERT_GT(reads, 0);
      const std::int64_t step = std::max<std::int64_t>(reads / kMoments, 1);
      for (const Ids* contents : {&legal, &wild})
        for (const std::int64_t every : {0, 1, 3})
          for (std::int64_t first = rng.between(0, step - 1); first < reads; first += step)
            run({first, every, std::as_bytes(std::span(*contents)),
                 std::as_bytes(std::span(beginning))});
      if (count == 1) return;
      EXPECT_GT(table->statistics().cached_rows, 0);
      EXPECT_FALSE(table->any(false).value());
    });
  }

  WatchedMemory memory_{kIds * sizeof(std::int64_t)};
};

TEST_F(ChangingShardedIds, NameEveryRowThatIsTaken) {
  const Call take = [&](ShardedTable& table, const Ids& beginning, const Changes& changes) {
    const TensorView ids(DType::kInt64, Shape({kIds}), memory_.data());
    Result<Tensor> taken = Status(ErrorCode::kInternal, "not run");
    const std::int64_t reads = memory_.run(changes, [&] { taken = table.take(ids); });
    if (!taken) {
      EXPECT_EQ(taken.error().code(), ErrorCode::kIndexOutOfRange) << taken.error().message();
      return reads;
    }
    for (std::size_t i = 0; i < kIds; ++i) {
      const std::int64_t row = taken->values<std::int64_t>()[i];
      bool is_named = names(beginning[i], row);
      if (!changes.contents.empty()) {
        std::int64_t id = 0;
        std::memcpy(&id, changes.contents.data() + i * sizeof id, sizeof id);
        is_named = is_named || names(id, row);
      }
      EXPECT_TRUE(is_named) << "row " << row << " at " << i;
    }
    return reads;
  };
  attack(take);
  attack(take, 2);
}

TEST_F(ChangingShardedIds, SendEveryUpdateToOneRowOrNone) {
  const Tensor ones = Tensor::from<std::int64_t>({kIds}, std::vector<std::int64_t>(kIds, 1));
  attack([&](ShardedTable& table, const Ids&, const Changes& changes) {
    const TensorView ids(DType::kInt64, Shape({kIds}), memory_.data());
    Status status;
    const std::int64_t reads = memory_.run(changes, [&] { status = table.index_add(ids, ones); });
    const auto* const rows = static_cast<const std::int64_t*>(table.shard().data);
    const std::int64_t sum = std::accumulate(rows, rows + kRows, std::int64_t{0});
    EXPECT_EQ(sum - kRows * (kRows - 1) / 2, status ? kIds : 0);
    EXPECT_EQ(status.code(), status ? ErrorCode::kOk : ErrorCode::kIndexOutOfRange)
        << status.message();
    return reads;
  });
}

}  // namespace
}  // namespace windrow::tests
