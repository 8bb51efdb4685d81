// Ids of a distributed table that change while a call reads them: every row that is taken is one
// that its id named at some moment, every update goes to one row, or the call is an error and no
// row has changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
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

  // Tries changes at several moments of the reads, on a table of one rank that has its row numbers
  // as rows.
  void attack(const std::function<std::int64_t(ShardedTable&, const Ids&, const Changes&)>& call) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::vector<std::int64_t> far = {kRows, -kRows - 1, std::int64_t{1} << 61,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
    const Ids beginning = drawn(rng, {});
    const Ids legal = drawn(rng, {});
    const Ids wild = drawn(rng, far);
    internal::ThreadRanks ranks(1);
    ranks.run([&](Exchange& exchange) {
      const auto run = [&](const Changes& changes) {
        std::vector<std::int64_t> rows(kRows);
        std::iota(rows.begin(), rows.end(), std::int64_t{0});
        auto table =
            ShardedTable::create(exchange, Tensor::from<std::int64_t>({kRows}, rows)).value();
        memory_.fill(std::as_bytes(std::span(beginning)));
        return call(table, beginning, changes);
      };
      const std::int64_t reads = run({});
      ASSERT_GT(reads, 0);
      const std::int64_t step = std::max<std::int64_t>(reads / kMoments, 1);
      for (const Ids* contents : {&legal, &wild})
        for (const std::int64_t every : {0, 1, 3})
          for (std::int64_t first = rng.between(0, step - 1); first < reads; first += step)
            run({first, every, std::as_bytes(std::span(*contents)),
                 std::as_bytes(std::span(beginning))});
    });
  }

  WatchedMemory memory_{kIds * sizeof(std::int64_t)};
};

TEST_F(ChangingShardedIds, NameEveryRowThatIsTaken) {
  attack([&](ShardedTable& table, const Ids& beginning, const Changes& changes) {
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
  });
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
