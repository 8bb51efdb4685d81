#include <gtest/gtest.h>

#include "src/distributed/drawn_calls_fixture.h"
#include "src/distributed/thread_ranks_fixture.h"

namespace windrow::internal {
namespace {

class DrawnCallsTest : public testing::TestWithParam<int> {};

// Tables of 10 calls for each number of ranks.
TEST_P(DrawnCallsTest, GiveTheBitsOfOneProcess) {
  const std::uint64_t tables = drawn_tables(50);
  ASSERT_GT(tables, 0u);
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    ThreadRanks ranks(GetParam());
    ranks.run([&](Exchange& exchange) {
      const auto threads = make_threads(seed % 2 == 0 ? 1 : 3);
      const std::string fault = DrawnCalls(exchange, seed).run(10, threads.get());
      EXPECT_EQ(fault, "") << "seed " << seed << ", rank " << exchange.rank();
    });
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, DrawnCallsTest, testing::Values(1, 2, 3, 4, 8));

}  // namespace
}  // namespace windrow::internal
