#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "src/distributed/thread_ranks_fixture.h"
#include "tests/distributed/disk_shards_fixture.h"

namespace windrow::internal {
namespace {

constexpr int kRanks = 3;
constexpr std::int64_t kRows = 300;  // of each rank
constexpr std::int64_t kColumns = 100;

// A process whose ranks write is killed again and again. After each call every element of a shard
// is the number of that call.
class KilledCallsTest : public DiskShards {
 protected:
  std::vector<TablePart> parts_of(int rank) const {
    const std::filesystem::path first = folder_ / std::to_string(rank);
    return {{first, "", DType::kFloat32, {kRows / 2, kColumns}},
            {first.string() + ".2", "", DType::kFloat32, {kRows - kRows / 2, kColumns}}};
  }

  // Every rank adds its part of what each row needs, which is 1 unless the last call was cut.
  static Status add_once(Exchange& exchange, ShardedTable& table) {
    const auto numbers = table.call_numbers();
    const std::int64_t next = *std::max_element(numbers.begin(), numbers.end()) + 1;
    std::vector<std::int64_t> ids;
    std::vector<float> updates;
    for (std::int64_t row = exchange.rank(); row < table.shape()[0]; row += kRanks) {
      const auto owner = static_cast<std::size_t>(table.map().place(row).rank);
      ids.push_back(row);
      updates.insert(updates.end(), kColumns, static_cast<float>(next - numbers[owner]));
    }
    const auto count = static_cast<std::int64_t>(ids.size());
    return table.index_add(Tensor::from<std::int64_t>({count}, ids),
                           Tensor::from<float>({count, kColumns}, updates));
  }

  [[noreturn]] void write_for_ever() const {
    ThreadRanks ranks(kRanks);
    ranks.run([&](Exchange& exchange) {
      auto table = ShardedTable::open(exchange, open_shard(parts_of(exchange.rank()), writable()),
                                      {.accept_torn = true});
      if (!table) ::_exit(1);
      while (add_once(exchange, *table)) {
      }
      ::_exit(2);
    });
    ::_exit(3);
  }

  // The number of the last call that a shard has.
  std::int64_t check_shard(int rank) const {
    const auto store = open_shard(parts_of(rank));
    EXPECT_TRUE(store) << store.error().message();
    if (!store) return -1;
    const std::int64_t number = *(*store)->call_number();
    std::vector<std::int64_t> ids;
    for (std::int64_t row = 0; row < kRows; ++row) ids.push_back(row);
    Tensor all = Tensor::allocate(DType::kFloat32, {kRows, kColumns}).value();
    EXPECT_TRUE((*store)->take(Tensor::from<std::int64_t>({kRows}, ids), all.mutable_view(), {}));
    const auto values = all.values<float>();
    EXPECT_TRUE(std::all_of(values.begin(), values.end(),
                            [&](float value) { return value == static_cast<float>(number); }))
        << "rank " << rank << ", call " << number << ": " << values.front() << " " << values.back();
    return number;
  }
};

TEST_F(KilledCallsTest, EachShardIsAsBeforeOrAfterACall) {
  for (int rank = 0; rank < kRanks; ++rank)
    write_shard(std::to_string(rank), Tensor::zeros(DType::kFloat32, {kRows, kColumns}).value());
  std::mt19937_64 draw(5);
  std::int64_t before = 0;
  std::int64_t apart = 0;  // calls that some ranks lack
  for (int i = 0; i < 25; ++i) {
    const pid_t child = ::fork();
    if (child == 0) write_for_ever();
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + draw() % 30));
    ::kill(child, SIGKILL);
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    ASSERT_TRUE(WIFSIGNALED(result)) << WEXITSTATUS(result);
    std::array<std::int64_t, kRanks> numbers;
    for (int rank = 0; rank < kRanks; ++rank)
      numbers[static_cast<std::size_t>(rank)] = check_shard(rank);
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    EXPECT_LE(*most - *least, apart + 1);
    EXPECT_GE(*least, before);
    apart = *most - *least;
    before = *least;
    if (HasFailure()) return;
  }
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace windrow::internal
