#include "src/execute/run_plan.h"

#include <gtest/gtest.h>

#include "src/execute/way_fixture.h"

namespace windrow::internal {
namespace {

// Runs a plan of the call on the memory, of which `written` becomes the written side.
RunOutcome run(const LoweredPlan& plan, const WayMemory& memory, Cells* written) {
  RunOutcome outcome = RunOutcome::kDone;
  with_context(plan, memory, nullptr, [&](const RunContext& context, Cells& cells) {
    outcome = run_plan(plan, context.kernels, context.memory, nullptr, {});
    *written = cells;
  });
  return outcome;
}

TEST(RunPlan, AnEmptyListOfWaysIsAFailureThatWritesNothing) {
  for (const bool scatter : {false, true}) {
    const WayCall call{{40, 30}, {11, 30}, 0, {0}, scatter, OutOfRange::kError};
    const WayMemory memory(call);
    LoweredPlan plan = call.lower();
    Cells written;
    EXPECT_EQ(run(plan, memory, &written), RunOutcome::kDone);
    EXPECT_EQ(written, expected(call, memory));
    plan.ways.clear();
    EXPECT_EQ(run(plan, memory, &written), RunOutcome::kNoWay);
    EXPECT_EQ(written, scatter ? memory.indirect : Cells(memory.direct.size(), kUnwritten));
  }
}

}  // namespace
}  // namespace windrow::internal
