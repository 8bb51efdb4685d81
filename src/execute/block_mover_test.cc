#include "src/execute/block_mover.h"

#include <gtest/gtest.h>

#include <numeric>

#include "src/execute/way_fixture.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Rows of `row` elements of a table of 50.
WayCall rows_call(std::int64_t points, std::int64_t row, bool scatter = false) {
  const OutOfRange policy = scatter ? OutOfRange::kSkip : OutOfRange::kZero;
  return {{points, row}, {50, row}, 0, {0}, scatter, policy};
}

// The offsets of a call's points; all ones: outside.
std::vector<std::uint32_t> offsets_of(const WayMemory& memory) {
  std::vector<std::uint32_t> offsets;
  for (const std::int32_t index : memory.indices) {
    const std::int32_t row = index < 0 ? index + 50 : index;
    offsets.push_back(row < 0 || row >= 50 ? ~0U : static_cast<std::uint32_t>(row));
  }
  return offsets;
}

// A block of the points [low, high) of a plan with one loop.
Block block_of(const BlockMover& mover, const LoweredPlan& plan,
               const std::vector<std::uint32_t>& offsets, std::int64_t low, std::int64_t high) {
  Block block = mover.pattern();
  block.direct = mover.direct() + low * plan.addressed.back().strides[kDirectStream];
  block.direct_step = plan.addressed.back().strides[kDirectStream];
  block.count = block.known = high - low;
  block.offsets = offsets.data() + low;
  block.any_outside = true;
  return block;
}

// The written side after `prepare` and three blocks, of which one is empty.
template <class Prepare>
Cells move_all(const WayCall& call, const LoweredPlan& plan, const WayMemory& memory,
               const Prepare& prepare) {
  const std::vector<std::uint32_t> offsets = offsets_of(memory);
  const std::int64_t points = plan.points;
  Cells result;
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells& written) {
    BlockMover mover(context);
    prepare(mover);
    mover.move(block_of(mover, plan, offsets, 0, points / 3));
    mover.move(block_of(mover, plan, offsets, points / 3, points / 3));
    FetchAhead fetch{context.cells(), context.cells() + call.indirect[0] * plan.row_bytes};
    mover.move(block_of(mover, plan, offsets, points / 3, points), &fetch);
    mover.finish();
    result = written;
    EXPECT_LE(fetch.next, fetch.end);
    EXPECT_EQ(context.outcome.get(), RunOutcome::kDone);
  });
  return result;
}

LoweredPlan lower(const WayCall& call, bool streams) {
  Tuning tuning;
  tuning.straight = tuning.sorted = tuning.buckets = false;
  if (streams) tuning.stream = true;
  return call.lower(tuning);
}

// Rows of odd and even alignment: moved as they are, streamed, or staged.
TEST(BlockMover, MovesTheRowsOfItsBlocks) {
  for (const bool scatter : {false, true}) {
    for (const std::int64_t row : {1, 3, 16, 33, 600}) {
      for (const bool streams : {false, true}) {
        const WayCall call = rows_call(300, row, scatter);
        const WayMemory memory(call);
        EXPECT_EQ(move_all(call, lower(call, streams), memory, [](BlockMover&) {}),
                  expected(call, memory))
            << scatter << streams << ", " << row;
      }
    }
  }
}

TEST(BlockMover, SlicesMoveTheirBytesOfEveryRowAlone) {
  for (const bool streams : {false, true}) {
    const WayCall call = rows_call(100, 40);
    const WayMemory memory(call);
    const Cells sliced = move_all(call, lower(call, streams), memory, [](BlockMover& mover) {
      mover.slice_rows({12, 88});
    });
    Cells wanted = expected(call, memory);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (i % 40 < 3 || i % 40 >= 22) wanted[i] = kUnwritten;
    EXPECT_EQ(sliced, wanted);
  }
}

TEST(BlockMover, AnEmptySliceMovesNothing) {
  const WayCall call = rows_call(100, 40);
  const WayMemory memory(call);
  const Cells none = move_all(call, lower(call, false), memory, [](BlockMover& mover) {
    mover.slice_rows({40, 40});
  });
  EXPECT_EQ(none, Cells(none.size(), kUnwritten));
}

// Updates keep their order within the cells that are owned; all others stay.
TEST(BlockMover, OwnersTouchTheirCellsAlone) {
  for (const std::int64_t row : {1, 5}) {
    WayCall call = rows_call(600, row, true);
    call.combine = Combine::kAdd;
    const WayMemory memory(call);
    const Cells owned = move_all(call, lower(call, false), memory, [](BlockMover& mover) {
      mover.keep_owned({10, 30});
    });
    Cells wanted = expected(call, memory);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto cell = static_cast<std::int64_t>(i) / row;
      if (cell < 10 || cell >= 30) wanted[i] = memory.indirect[i];
    }
    EXPECT_EQ(owned, wanted);
  }
}

TEST(BlockMover, StringsThatFindNoMemoryEndTheRun) {
  const WayCall call = rows_call(10, 1);
  LoweredPlan plan = lower(call, false);
  plan.kernel = Kernel::kCount;
  plan.string_kernel = [](const Block& /*block*/) noexcept { return false; };
  const WayMemory memory(call);
  const std::vector<std::uint32_t> offsets = offsets_of(memory);
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells&) {
    BlockMover mover(context);
    mover.move(block_of(mover, plan, offsets, 0, 0));
    EXPECT_EQ(context.outcome.get(), RunOutcome::kDone);
    mover.move(block_of(mover, plan, offsets, 0, 10));
    EXPECT_EQ(context.outcome.get(), RunOutcome::kOutOfMemory);
  });
}

}  // namespace
}  // namespace windrow::internal
