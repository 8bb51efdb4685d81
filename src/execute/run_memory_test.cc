#include "src/execute/run_memory.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(RunMemory, FreshMemoryIsWrittenThroughTheCachesUnlessThatIsForced) {
  LoweredPlan plan;
  plan.stream_from = 1000;
  RunMemory memory;
  EXPECT_TRUE(memory.streams(plan, true));
  EXPECT_FALSE(memory.streams(plan, false));
  memory.fresh = true;
  EXPECT_FALSE(memory.streams(plan, true));
  plan.stream_from = 0;
  EXPECT_TRUE(memory.streams(plan, true));
}

}  // namespace
}  // namespace windrow::internal
