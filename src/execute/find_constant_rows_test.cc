#include "src/execute/find_constant_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/execute/add_fixture.h"
#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kLanes = 33;

// Elements along the middle axis, with `rows` index rows of kLanes indices in all.
struct Fixture {
  WayCall call;
  LoweredPlan plan;
  WayMemory memory;

  explicit Fixture(std::int64_t rows)
      : call{{2, rows / 2, kLanes}, {2, 20, kLanes}, 1, {0, 1, 2}},
        plan(call.lower()),
        memory(call) {
    for (std::size_t i = 0; i < memory.indices.size(); ++i)
      memory.indices[i] = memory.indices[i / kLanes * kLanes];
  }

  const ConstantRows& way() const { return *find_way<ConstantRows>(plan.ways); }
  std::size_t index_at(std::int64_t row, std::int64_t lane) const {
    return static_cast<std::size_t>(row * kLanes + lane);
  }

  // The indices that are found; nothing if not every row is constant.
  std::optional<Cells> find(Threads* threads, Interruption* interruption = nullptr) const {
    std::optional<Cells> result;
    const std::size_t bytes = Runner<ConstantRows>(way()).scratch_bytes(plan, 1);
    with_context(plan, memory, interruption, [&](const RunContext& one, const Cells&) {
      const RunContext context{one.plan, one.kernels, one.memory, threads, one.outcome};
      Cells found(bytes / 4);
      if (!find_constant_rows(way(), context, reinterpret_cast<std::byte*>(found.data()))) return;
      found.resize(static_cast<std::size_t>(way().rows->points));
      result = found;
    });
    return result;
  }
};

TEST(FindConstantRows, GivesTheIndexOfEachRow) {
  EightThreads eight;
  for (const std::int64_t rows : {4, 3000}) {
    const Fixture fixture(rows);
    Cells wanted;
    for (std::int64_t row = 0; row < rows; ++row)
      wanted.push_back(fixture.memory.indices[fixture.index_at(row, 0)]);
    for (Threads* threads : {static_cast<Threads*>(nullptr), static_cast<Threads*>(&eight)}) {
      const std::optional<Cells> found = fixture.find(threads);
      ASSERT_TRUE(found);
      EXPECT_EQ(*found, wanted);
    }
  }
}

// Any lane of any row, the ends of blocks and of tasks among them.
TEST(FindConstantRows, OneOtherIndexIsEnough) {
  constexpr std::int64_t kRows = 4000;
  Fixture fixture(kRows);
  EightThreads eight;
  for (const std::int64_t row : {std::int64_t{0}, kRows / 8, kBlockPoints, kRows / 2, kRows - 1}) {
    for (const std::int64_t lane : {std::int64_t{0}, std::int64_t{17}, kLanes - 1}) {
      std::int32_t& index = fixture.memory.indices[fixture.index_at(row, lane)];
      index ^= 1;
      EXPECT_FALSE(fixture.find(nullptr)) << row << ", " << lane;
      EXPECT_FALSE(fixture.find(&eight)) << row << ", " << lane;
      index ^= 1;
    }
  }
  EXPECT_TRUE(fixture.find(&eight));
}

TEST(FindConstantRows, AFewRowsAreSampledFirst) {
  constexpr std::int64_t kRows = 4000;
  Fixture fixture(kRows);
  const Runner<ConstantRows> runner(fixture.way());
  EXPECT_TRUE(serves(runner, fixture.plan, fixture.memory, 1));
  fixture.memory.indices[fixture.index_at(kRows / 2, kLanes - 1)] ^= 1;
  EXPECT_FALSE(serves(runner, fixture.plan, fixture.memory, 1)) << "a sampled row";
  fixture.memory.indices[fixture.index_at(kRows / 2, kLanes - 1)] ^= 1;
  fixture.memory.indices[fixture.index_at(kRows / 2 + 1, 0)] ^= 1;
  EXPECT_TRUE(serves(runner, fixture.plan, fixture.memory, 1)) << "another row";
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(FindConstantRows, FindsNothingAfterAnInterruption) {
  const Fixture fixture(140'000);
  Always interrupt;
  Interruption interruption(interrupt);
  EXPECT_FALSE(fixture.find(nullptr, &interruption));
  EXPECT_TRUE(interruption.was_requested());
}

TEST(FindConstantRows, ThePlanIsDescribedByItsRows) {
  const Fixture fixture(50);
  PlanDescription description;
  const Runner<ConstantRows> runner(fixture.way());
  runner.describe(fixture.plan, description);
  EXPECT_EQ(description.constant_row_bytes, kLanes * 4);
  EXPECT_EQ(description.constant_row_kernel, kernel_name(*fixture.way().rows));
  EXPECT_GE(runner.scratch_bytes(fixture.plan, 1), 50 * 4U);
}

}  // namespace
}  // namespace windrow::internal
