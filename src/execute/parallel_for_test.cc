#include "src/execute/parallel_for.h"

#include <gtest/gtest.h>

#include <vector>

#include "src/execute/add_fixture.h"

namespace windrow::internal {
namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  EightThreads threads;
  for (const int tasks : {1, 2, 8}) {
    std::vector<int> calls(static_cast<std::size_t>(tasks));
    parallel_for(tasks, &threads, [&](int index) { ++calls[static_cast<std::size_t>(index)]; });
    EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(tasks), 1));
  }
}

TEST(ParallelFor, OneTaskNeedsNoThreads) {
  int calls = 0;
  parallel_for(1, nullptr, [&](int index) { calls += index + 1; });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace windrow::internal
