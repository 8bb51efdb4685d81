#include "src/execute/run_boxes.h"

#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/loops.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

LoweredPlan plan_of(const LoopNest& addressed, std::int64_t row_bytes, bool scatter) {
  LoweredPlan plan;
  plan.scatter = scatter;
  plan.addressed = addressed;
  plan.points = point_count(addressed);
  plan.row_bytes = row_bytes;
  plan.element_bytes = 4;
  return plan;
}

Partition cut(const LoweredPlan& plan, int tasks) {
  return Runner<Boxes>(Boxes{}).cut(plan, tasks);
}

TEST(Boxes, GathersAreCutByPointsOrByRows) {
  const Partition points = cut(plan_of({{1000000, {64, 0, 8}}}, 64, false), 4);
  EXPECT_EQ(points.cut, Cut::kPoints);
  EXPECT_EQ(points.tasks, 4);
  EXPECT_EQ(cut(plan_of({{2, {0, 0, 8}}}, 1 << 20, false), 4).cut, Cut::kRow);
}

TEST(Boxes, ScattersAreCutWhereNoTwoTasksMeet) {
  // One index and one cell per point: every task has its own cells.
  const LoweredPlan cells = plan_of({{1000000, {4, 0, 8}}}, 4, true);
  EXPECT_EQ(cut(cells, 2).cut, Cut::kCells);
  EXPECT_TRUE(must_cut_cells(cells, 2));
  EXPECT_FALSE(must_cut_cells(cells, 1));
  EXPECT_EQ(cut(cells, 2 * kMostOwners).tasks, kMostOwners);
  EXPECT_EQ(Runner<Boxes>(Boxes{false}).cut(cells, 2).tasks, 1);
  // Long rows: every task has its own slice.
  EXPECT_EQ(cut(plan_of({{1000, {4096, 0, 8}}}, 4096, true), 2).cut, Cut::kRow);
  // A loop that keeps cells apart.
  const Partition loop =
      cut(plan_of({{1000, {4000, 4000, 8}, true}, {1000, {4, 0, 8}}}, 4, true), 2);
  EXPECT_EQ(loop.cut, Cut::kLoop);
  EXPECT_EQ(loop.loop, 0);
}

// 16 lanes of 4 bytes are one cache line. Two tasks that share it would take turns writing to it.
TEST(Boxes, LanesOfOneLineStayTogether) {
  const auto lanes = [](std::int64_t count) {
    return plan_of({{100000, {count * 4, 0, count * 8}}, {count, {4, 4, 8}, true}}, 4, true);
  };
  EXPECT_EQ(cut(lanes(16), 2).cut, Cut::kCells);
  const LoweredPlan wide = lanes(128);
  const Partition loop = cut(wide, 2);
  EXPECT_EQ(loop.cut, Cut::kLoop);
  EXPECT_EQ(loop.loop, 1);
  EXPECT_EQ(loop_grain(wide, 1), 16);
  EXPECT_EQ(loop_grain(wide, 0), 1);
}

// Tables of a line each, so that tasks could have some each; with flat runs, all that a point has
// is one run.
TEST(Boxes, FlatRunsAreOnlyCutIntoLongOnes) {
  const auto lanes = [](std::int64_t count, bool flat) {
    LoweredPlan plan =
        plan_of({{100000, {count * 4, 0, count * 8}}, {count, {4, 1 << 20, 8}, true}}, 4, true);
    plan.axes.resize(1);
    if (flat) plan.flat = flatten_runs(plan, kMostFlatRun);
    return plan;
  };
  EXPECT_EQ(cut(lanes(kLeastCutRun, false), 2).cut, Cut::kLoop);
  EXPECT_EQ(cut(lanes(kLeastCutRun, true), 2).cut, Cut::kCells);
  EXPECT_EQ(cut(lanes(2 * kLeastCutRun - 1, true), 2).cut, Cut::kCells);
  EXPECT_EQ(cut(lanes(2 * kLeastCutRun, true), 2).cut, Cut::kLoop);
  EXPECT_EQ(cut(lanes(2 * kLeastCutRun, true), 3).cut, Cut::kCells);
  // A loop around the innermost one leaves its runs as long as they are; one around the flat runs
  // leaves these.
  LoweredPlan nested = plan_of({{300, {2048, 0, 4096}, true},
                                {1000, {1024, 0, 2048}},
                                {2, {512, 1 << 20, 1024}, true},
                                {128, {4, 4, 8}}},
                               4, true);
  nested.axes.resize(1);
  nested.flat = flatten_runs(nested, kMostFlatRun);
  ASSERT_EQ(nested.flat->nest.size(), 2U);
  EXPECT_EQ(cut(nested, 2).loop, 0);
  nested.addressed[0].injective = false;
  EXPECT_EQ(cut(nested, 2).loop, 2);
}

TEST(Boxes, SayWhatATaskTakes) {
  LoweredPlan plan = plan_of({{1000000, {4, 0, 8}}}, 4, true);
  const auto share = [&plan] {
    PlanDescription description;
    Runner<Boxes>(Boxes{}).describe(plan, description);
    return description.thread_share;
  };
  EXPECT_EQ(share(), "the updates of a range of cells each");
  plan.ways = {SortedRanges{}, Boxes{}};
  EXPECT_EQ(share(), "the updates of a range of cells each; of sorted ones a range of the points");
  PlanDescription near;
  Runner<Boxes>(Boxes{false}).describe(plan, near);
  EXPECT_EQ(near.thread_share, "of sorted updates a range of the points each");
}

// Rows of three elements of a [4, 9, 3] tensor, an index for each.
WayCall rows_call(std::int64_t points, bool scatter, OutOfRange policy) {
  return {{4, points, 3}, {4, 9, 3}, 1, {0, 1}, scatter, policy};
}

// Elements along the last axis: short runs, which are flat unless that is switched off.
WayCall elements_call(std::int64_t points, bool scatter, OutOfRange policy) {
  return {{4, points}, {4, 9}, 1, {0, 1}, scatter, policy};
}

// The written side after one runner has run boxes one after the other.
template <class Run>
Cells run_boxes(const LoweredPlan& plan, const WayMemory& memory, const Run& run) {
  Cells result;
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells& written) {
    BoxRunner runner(context);
    run(runner);
    runner.finish();
    result = written;
    EXPECT_EQ(context.outcome.get(), RunOutcome::kDone);
  });
  return result;
}

// Calls check(call, plan) for gathers and scatters, along flat runs and without, with rows fetched
// ahead and without, of more points than a block has.
template <class Check>
void for_each_plan(const Check& check) {
  for (const bool scatter : {false, true}) {
    const OutOfRange outside = scatter ? OutOfRange::kSkip : OutOfRange::kZero;
    for (const OutOfRange policy : {OutOfRange::kError, outside}) {
      for (const WayCall& call : {rows_call(500, scatter, policy), rows_call(5, scatter, policy),
                                  elements_call(200, scatter, policy)}) {
        for (const std::int64_t ahead : {0, 3, 64}) {
          for (const bool flat : {false, true}) {
            Tuning tuning;
            tuning.prefetch = ahead;
            tuning.flat_runs = flat;
            tuning.straight = tuning.constant_rows = false;
            const LoweredPlan plan = call.lower(tuning);
            ASSERT_EQ(plan.addressed.size(), 2U);
            ASSERT_EQ(plan.flat.has_value(), flat && call.loops[1] <= 256);
            SCOPED_TRACE(testing::Message() << scatter << flat << ", " << ahead);
            check(call, plan);
          }
        }
      }
    }
  }
}

TEST(BoxRunner, TheWholeNestIsEveryPoint) {
  for_each_plan([](const WayCall& call, const LoweredPlan& plan) {
    const WayMemory memory(call);
    EXPECT_EQ(run_boxes(plan, memory,
                        [](BoxRunner& runner) {
                          runner.run({}, {0, -1});
                        }),
              expected(call, memory));
  });
}

TEST(BoxRunner, BoxesOfAnyLoopMakeUpTheWhole) {
  for_each_plan([](const WayCall& call, const LoweredPlan& plan) {
    const WayMemory memory(call);
    const Cells wanted = expected(call, memory);
    for (const int loop : {0, 1}) {
      const std::int64_t extent = plan.addressed[static_cast<std::size_t>(loop)].extent;
      const Cells written = run_boxes(plan, memory, [&](BoxRunner& runner) {
        runner.run({loop, 0, 1}, {0, -1});
        runner.run({loop, 1, 3}, {0, -1});
        runner.run({loop, 3, 3}, {0, -1});
        runner.run({loop, 3, extent}, {0, -1});
      });
      EXPECT_EQ(written, wanted) << "loop " << loop;
    }
  });
}

TEST(BoxRunner, RangesOfABoxMakeUpTheBox) {
  for_each_plan([](const WayCall& call, const LoweredPlan& plan) {
    const WayMemory memory(call);
    const std::int64_t half = 2 * plan.addressed.back().extent;
    const Cells written = run_boxes(plan, memory, [&](BoxRunner& runner) {
      for (const std::int64_t first : {0, 2}) {
        const Box box{0, first, first + 2};
        runner.run(box, {0, 1});
        runner.run(box, {1, half - 2});
        runner.run(box, {half - 2, half - 2});
        runner.run(box, {half - 2, -1});
      }
    });
    EXPECT_EQ(written, expected(call, memory));
  });
}

// A range that ends before the box does leaves the rest as it is.
TEST(BoxRunner, NothingButTheRangeIsWritten) {
  const WayCall call = elements_call(200, false, OutOfRange::kZero);
  const WayMemory memory(call);
  for (const bool flat : {false, true}) {
    Tuning tuning;
    tuning.straight = false;
    tuning.flat_runs = flat;
    const Cells written = run_boxes(call.lower(tuning), memory, [](BoxRunner& runner) {
      runner.run({0, 1, 3}, {30, 370});
    });
    Cells wanted = expected(call, memory);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (i < 230 || i >= 570) wanted[i] = kUnwritten;
    EXPECT_EQ(written, wanted);
  }
}

// The offsets of one read are moved with two blocks if rows are fetched ahead of the first one.
TEST(BoxRunner, AnIndexOutsideIsOutsideInWhicheverBlockItIsMoved) {
  constexpr std::int64_t kPoints = 3 * kBlockPoints;
  const WayCall call{{kPoints, 1}, {40, 1}, 0, {0}, false, OutOfRange::kZero};
  Tuning tuning;
  tuning.prefetch = 64;
  tuning.straight = false;
  const LoweredPlan plan = call.lower(tuning);
  for (const std::int64_t place : {kBlockPoints - 1, kBlockPoints, kBlockPoints + 63,
                                   kBlockPoints + 64, 2 * kBlockPoints + 63, kPoints - 1}) {
    WayMemory memory(call);
    for (std::int32_t& index : memory.indices) index %= 40;
    memory.indices[static_cast<std::size_t>(place)] = 40;
    EXPECT_EQ(run_boxes(plan, memory,
                        [](BoxRunner& runner) {
                          runner.run({}, {0, -1});
                        }),
              expected(call, memory))
        << place;
  }
}

// Sums of elements along the last axis and along the first one, straight from their indices.
std::vector<WayCall> straight_calls() {
  return {{{4, 500}, {4, 9}, 1, {0, 1}, true, OutOfRange::kError, Combine::kAdd},
          {{400, 6}, {9, 6}, 0, {0, 1}, true, OutOfRange::kError, Combine::kAdd},
          {{40, 60}, {40, 9}, 1, {0, 1}, true, OutOfRange::kError, Combine::kAssign},
          {{3000, 1}, {40, 1}, 0, {0}, true, OutOfRange::kError, Combine::kAdd}};
}

// Of indices of which many are negative, none are updated straight.
WayMemory straight_memory(const WayCall& call) {
  WayMemory memory(call);
  const auto extent = static_cast<std::int32_t>(call.indirect[call.axis]);
  for (std::int32_t& index : memory.indices) index = (index + extent) % extent;
  return memory;
}

LoweredPlan lower_straight(const WayCall& call) {
  Tuning tuning;
  tuning.straight = true;
  LoweredPlan plan = call.lower(tuning);
  EXPECT_NE(plan.straight, Kernel::kCount);
  return plan;
}

TEST(BoxRunner, CellsAreUpdatedStraightFromTheirIndices) {
  for (const WayCall& call : straight_calls()) {
    const LoweredPlan plan = lower_straight(call);
    for (const bool repeats : {false, true}) {
      WayMemory memory = straight_memory(call);
      // What is left when indices are alike goes through offsets.
      if (repeats) std::fill(memory.indices.begin() + 700, memory.indices.end(), 3);
      const auto points = plan.points;
      EXPECT_EQ(run_boxes(plan, memory,
                          [&](BoxRunner& runner) {
                            runner.run({}, {0, points / 3});
                            runner.run({}, {points / 3, points / 3});
                            runner.run({}, {points / 3, -1});
                          }),
                expected(call, memory));
      const std::int64_t rows = plan.addressed.front().extent;
      EXPECT_EQ(run_boxes(plan, memory,
                          [&](BoxRunner& runner) {
                            runner.run({0, 0, rows / 2}, {0, -1});
                            runner.run({0, rows / 2, rows}, {0, -1});
                          }),
                expected(call, memory));
    }
  }
}

std::int64_t straight_points = 0;
StraightFunction counted_straight = nullptr;

StraightEnd count_and_update(const StraightRun& run) noexcept {
  const StraightEnd end = counted_straight(run);
  if (end == StraightEnd::kDone) straight_points += run.count;
  return end;
}

// The points of a plan that are updated straight, of all.
std::int64_t count_straight(const LoweredPlan& plan, const WayMemory& memory) {
  KernelTable table = find_kernel_set("")->table;
  counted_straight = table.get<Family::kScatterStraight>(plan.straight);
  table.set<Family::kScatterStraight>(plan.straight, count_and_update);
  straight_points = 0;
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells&) {
    BoxRunner({plan, table, context.memory, nullptr, context.outcome}).run({}, {0, -1});
  });
  return straight_points;
}

// They are looked at once for each block of points.
TEST(BoxRunner, UpdatesAreStraightUntilIndicesRepeat) {
  const WayCall call = straight_calls().back();
  const LoweredPlan plan = lower_straight(call);
  WayMemory memory = straight_memory(call);
  EXPECT_EQ(count_straight(plan, memory), plan.points);
  std::fill(memory.indices.begin() + kBlockPoints, memory.indices.end(), 3);
  EXPECT_EQ(count_straight(plan, memory), kBlockPoints);
}

TEST(BoxRunner, ABadIndexEndsAStraightRun) {
  for (const WayCall& call : straight_calls()) {
    for (const bool repeats : {false, true}) {
      WayMemory memory = straight_memory(call);
      if (repeats) std::fill(memory.indices.begin(), memory.indices.end(), 3);
      memory.indices[1500] = static_cast<std::int32_t>(call.indirect[call.axis]);
      const LoweredPlan plan = lower_straight(call);
      with_context(plan, memory, nullptr, [](const RunContext& context, const Cells&) {
        BoxRunner(context).run({}, {0, 1500});
        EXPECT_EQ(context.outcome.get(), RunOutcome::kDone) << "not in the range";
        BoxRunner(context).run({}, {1500, -1});
        EXPECT_EQ(context.outcome.get(), RunOutcome::kBadIndex);
      });
    }
  }
}

// A task that keeps a range of the cells needs their offsets.
TEST(BoxRunner, OwnedCellsAreNotUpdatedStraight) {
  const WayCall call = straight_calls().back();
  const LoweredPlan plan = lower_straight(call);
  const WayMemory memory = straight_memory(call);
  Cells low = run_boxes(plan, memory, [](BoxRunner& runner) {
    runner.keep_owned({0, 20});
    runner.run({}, {0, -1});
  });
  const Cells high = run_boxes(plan, memory, [](BoxRunner& runner) {
    runner.keep_owned({20, 40});
    runner.run({}, {0, -1});
  });
  std::copy(high.begin() + 20, high.end(), low.begin() + 20);
  EXPECT_EQ(low, expected(call, memory));
}

TEST(BoxRunner, ABadIndexEndsTheRun) {
  for (const bool flat : {false, true}) {
    const WayCall call = elements_call(200, false, OutOfRange::kError);
    WayMemory memory(call);
    memory.indices[700] = 9;
    Tuning tuning;
    tuning.straight = false;
    tuning.flat_runs = flat;
    const LoweredPlan plan = call.lower(tuning);
    with_context(plan, memory, nullptr, [](const RunContext& context, const Cells&) {
      BoxRunner(context).run({}, {0, 600});
      EXPECT_EQ(context.outcome.get(), RunOutcome::kDone) << "not in the range";
      BoxRunner(context).run({}, {600, -1});
      EXPECT_EQ(context.outcome.get(), RunOutcome::kBadIndex);
    });
  }
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

// Rows of a MiB: the caller is asked after 16 of them, which is long before the last of 40.
TEST(BoxRunner, AsksTheCallerBetweenPieces) {
  const WayCall call{{40, 1 << 18}, {1, 1 << 18}, 0, {0}};
  const LoweredPlan plan = call.lower();
  ASSERT_EQ(plan.row_bytes, 1 << 20);
  Always interrupt;
  Interruption interruption(interrupt);
  with_context(plan, WayMemory(call), &interruption,
               [&](const RunContext& context, const Cells& written) {
                 BoxRunner(context).run({}, {0, -1});
                 EXPECT_EQ(context.outcome.get(), RunOutcome::kInterrupted);
                 EXPECT_NE(written.front(), kUnwritten);
                 EXPECT_EQ(written.back(), kUnwritten);
               });
}

}  // namespace
}  // namespace windrow::internal
