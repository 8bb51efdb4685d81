#include "src/execute/way_runners.h"

#include <gtest/gtest.h>

#include <set>

#include "src/execute/pairs_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Counts its tasks and keeps where their scratch begins.
class Counted final : public WayRunner {
 public:
  explicit Counted(const Partition& partition) : partition_(partition) {}
  Partition cut(const LoweredPlan& /*plan*/, int tasks) const override {
    Partition result = partition_;
    result.tasks = std::min(result.tasks, tasks);
    return result;
  }
  std::size_t scratch_bytes(const LoweredPlan& /*plan*/, int tasks) const override {
    return static_cast<std::size_t>(tasks) * 128;
  }
  void run_task(const Task& task) const override {
    order.push_back(task.index);
    scratch.insert(task.scratch);
    EXPECT_EQ(&task.partition, given);
  }

  mutable std::vector<int> order;
  mutable std::set<const std::byte*> scratch;
  const Partition* given = nullptr;

 private:
  Partition partition_;
};

// A plan of rows of 1000 bytes, and a run of it.
struct Fixture {
  LoweredPlan plan;
  RunMemory memory;
  EightThreads threads;
  Outcome outcome;
  alignas(64) std::byte bytes[8 * 128];
  RunContext run{plan, find_kernel_set("")->table, memory, &threads, outcome};

  Fixture() {
    plan.points = 1000;
    plan.row_bytes = 1000;
    plan.element_bytes = 4;
    memory.direct = bytes;
    memory.indirect = bytes + 4;
  }
};

TEST(WayRunner, RunsEachTaskOnceInScratchOfItsOwn) {
  Fixture fixture;
  for (const int tasks : {1, 5}) {
    const Partition partition{.cut = Cut::kPoints, .tasks = tasks};
    Counted runner(partition);
    runner.given = &partition;
    runner.run(fixture.run, partition, fixture.bytes);
    EXPECT_EQ(std::set<int>(runner.order.begin(), runner.order.end()).size(), runner.order.size());
    EXPECT_EQ(runner.order.size(), static_cast<std::size_t>(tasks));
    std::set<const std::byte*> wanted;
    for (int task = 0; task < tasks; ++task) wanted.insert(fixture.bytes + task * 128);
    EXPECT_EQ(runner.scratch, wanted);
  }
}

TEST(WayRunner, OneTaskNeedsNoThreads) {
  Fixture fixture;
  const Partition partition;
  Counted runner(partition);
  runner.given = &partition;
  runner.run({fixture.plan, fixture.run.kernels, fixture.memory, nullptr, fixture.outcome},
             partition, fixture.bytes);
  EXPECT_EQ(runner.order, std::vector<int>{0});
}

TEST(Task, SharesOnlyWhatThePartitionCuts) {
  Fixture fixture;
  std::int64_t next = 0;
  for (int index = 0; index < 3; ++index) {
    const Partition points{.cut = Cut::kPoints, .tasks = 3};
    const Range range = Task{fixture.run, points, index, nullptr}.points();
    EXPECT_EQ(range.low, next);
    next = range.high;
    const Partition rows{.cut = Cut::kRow, .tasks = 3};
    const Range all = Task{fixture.run, rows, index, nullptr}.points();
    EXPECT_EQ(all.low, 0);
    EXPECT_EQ(all.high, fixture.plan.points);
  }
  EXPECT_EQ(next, fixture.plan.points);
}

TEST(Task, MeetsOthersBetweenTheLinesOfTheSideThatIsWritten) {
  Fixture fixture;
  fixture.plan.indirect_first = 8;
  const Partition rows{.cut = Cut::kRow, .tasks = 3};
  const Task task{fixture.run, rows, 0, nullptr};
  EXPECT_EQ(task.written(), fixture.bytes);
  EXPECT_EQ(task.slice().high % 64, 0);
  EXPECT_EQ(task.share_lines(320, 16).high % 16, 0);
  fixture.plan.scatter = true;
  EXPECT_EQ(task.written(), fixture.bytes + 12);
  EXPECT_EQ((task.slice().high + 12) % 64, 0);
  EXPECT_EQ((task.share_lines(320, 16).high + 3) % 16, 0);
}

TEST(WayRunner, SaysWhatATaskTakesUnlessAWayBeforeHas) {
  const Fixture fixture;
  std::set<std::string> texts;
  const auto share = [&](const Partition& partition) {
    PlanDescription description;
    const Counted runner(partition);
    runner.describe(fixture.plan, description);
    return description.thread_share;
  };
  for (const Cut cut : {Cut::kPoints, Cut::kShared, Cut::kLoop, Cut::kRow, Cut::kCells})
    texts.insert(share({.cut = cut, .tasks = 8, .loop = 3}));
  EXPECT_EQ(texts.size(), 5U);
  EXPECT_TRUE(texts.contains("a range of loop 3 each"));
  // What is not cut runs as one task, which has all points.
  EXPECT_EQ(share({.cut = Cut::kRow, .tasks = 1}), share({.cut = Cut::kPoints, .tasks = 2}));
  PlanDescription said;
  said.thread_share = "something else";
  Counted({.cut = Cut::kRow, .tasks = 8}).describe(fixture.plan, said);
  EXPECT_EQ(said.thread_share, "something else");
}

}  // namespace
}  // namespace windrow::internal
