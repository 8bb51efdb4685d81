#include "src/plan/tuning.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(Tuning, NothingIsForcedByNothing) {
  const Tuning tuning = parse_tuning("").value();
  EXPECT_EQ(tuning.kernel_set, "");
  EXPECT_FALSE(tuning.forces_levers);
  EXPECT_FALSE(tuning.prefetch || tuning.stream || tuning.tile || tuning.pack ||
               tuning.constant_rows || tuning.fused_copy || tuning.straight || tuning.gathers ||
               tuning.buckets || tuning.sorted || tuning.flat_runs || tuning.grids ||
               tuning.dense_copies || tuning.tasks);
}

TEST(Tuning, AKernelSetAloneForcesNoLever) {
  EXPECT_EQ(parse_tuning("avx2").value().kernel_set, "avx2");
  EXPECT_FALSE(parse_tuning("avx2").value().forces_levers);
}

TEST(Tuning, ReadsEveryLever) {
  const Tuning tuning = parse_tuning(
                            "plain,prefetch=5,stream=on,tile=16,pack=off,constant-rows=on,"
                            "fused-copy=off,straight=on,gathers=off,buckets=off,sorted=on,"
                            "flat-runs=off,grids=off,dense-copies=on,tasks=3")
                            .value();
  EXPECT_EQ(tuning.kernel_set, "plain");
  EXPECT_TRUE(tuning.forces_levers);
  EXPECT_EQ(tuning.prefetch, 5);
  EXPECT_EQ(tuning.stream, true);
  EXPECT_EQ(tuning.tile, 16);
  EXPECT_EQ(tuning.pack, false);
  EXPECT_EQ(tuning.constant_rows, true);
  EXPECT_EQ(tuning.fused_copy, false);
  EXPECT_EQ(tuning.straight, true);
  EXPECT_EQ(tuning.gathers, false);
  EXPECT_EQ(tuning.buckets, false);
  EXPECT_EQ(tuning.sorted, true);
  EXPECT_EQ(tuning.flat_runs, false);
  EXPECT_EQ(tuning.grids, false);
  EXPECT_EQ(tuning.dense_copies, true);
  EXPECT_EQ(tuning.tasks, 3);
}

TEST(Tuning, ATaskMovesWhatTakesTwiceTheTimeOfItsStart) {
  MachineCosts costs;
  EXPECT_EQ(least_task_bytes(costs), std::int64_t{128} << 10);
  costs.task *= 2;
  EXPECT_EQ(least_task_bytes(costs), std::int64_t{256} << 10);
  costs.row_byte *= 4;
  EXPECT_EQ(least_task_bytes(costs), kMostSmallBytes);
  costs.task = kLeastCost;
  EXPECT_EQ(least_task_bytes(costs), kMostSmallBytes);
  costs.task = kMostCost;
  costs.row_byte = kLeastCost;
  EXPECT_EQ(least_task_bytes(costs), std::int64_t{1} << 40);
}

TEST(Tuning, TasksComputeOffsetsAgainForFewerPointsWhereTheyCostLess) {
  MachineCosts costs;
  EXPECT_EQ(least_shared_share(costs), 16);
  costs.offset /= 4;
  EXPECT_EQ(least_shared_share(costs), 4);
  costs.offset = kLeastCost;
  EXPECT_EQ(least_shared_share(costs), 1);
  costs.element = kLeastCost;
  costs.offset = kMostCost;
  EXPECT_EQ(least_shared_share(costs), std::int64_t{1} << 20);
}

TEST(Tuning, TheKernelSetMayBeLeftOut) {
  for (const char* text : {",tile=0", "tile=0"}) {
    EXPECT_EQ(parse_tuning(text).value().kernel_set, "") << text;
    EXPECT_EQ(parse_tuning(text).value().tile, 0) << text;
  }
}

TEST(Tuning, WrongPartsAreNamed) {
  const struct {
    const char* text;
    const char* named;
  } cases[] = {{"avx2,prefetch=129", "prefetch takes 0 to 128"},
               {"avx2,prefetch=-1", "prefetch"},
               {"avx2,stream=yes", "stream takes on or off"},
               {"avx2,tile=", "tile"},
               {"avx2,tile=4x", "tile=4x"},
               {"avx2,tasks=0", "1 to 4096"},
               {"avx2,speed=on", "names: prefetch, stream"},
               {"avx2,plain", "'plain'"}};
  for (const auto& [text, named] : cases) {
    const Result<Tuning> tuning = parse_tuning(text);
    ASSERT_FALSE(tuning.ok()) << text;
    EXPECT_NE(tuning.error().message().find(named), std::string::npos)
        << text << ": " << tuning.error().message();
  }
}

}  // namespace
}  // namespace windrow::internal
