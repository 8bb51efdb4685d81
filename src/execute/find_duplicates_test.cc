#include "src/execute/find_duplicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

Status duplicates(std::initializer_list<std::int64_t> indices) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  return find_duplicates(pairs(n), views);
}

TEST(FindDuplicates, DistinctCellsAreNoError) { EXPECT_TRUE(duplicates({0, 0, 0, 1, 1, 0}).ok()); }

TEST(FindDuplicates, NamesTheFirstRepeatAndItsFirstWriter) {
  const Status status = duplicates({0, 0, 1, 1, -3, -2, 0, 0});
  ASSERT_EQ(status.code(), ErrorCode::kDuplicate);
  EXPECT_EQ(status.constraint(), "TEST-D1");
  EXPECT_EQ(status.message(),
            "test.Scatter-1 [TEST-D1]: updates[2] writes the cell at [1, 1], which updates[1] has "
            "written "
            "already");
}

TEST(FindDuplicates, HashesCellsThatAreTooManyForABitmap) {
  Operation operation = pairs(2);
  operation.map.axes[0].extent = std::int64_t{1} << 40;
  const std::int64_t indices[] = {std::int64_t{1} << 39, 1, std::int64_t{1} << 39, 1};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
  EXPECT_EQ(find_duplicates(operation, views).code(), ErrorCode::kDuplicate);
}

// Points of a loop that moves along an axis of its own repeat every collision: the first one stands
// for all.
TEST(FindDuplicates, RowsAreNamedByTheirFirstElement) {
  Operation operation = pairs(3);
  operation.map.loops = {3, 1000};
  AxisMap columns;
  columns.extent = 1000;
  columns.loops.push_back({1, 1});
  operation.map.axes.push_back(columns);
  const std::int64_t indices[] = {1, 1, 2, 2, 1, 1};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {3, 2}, indices), {}};
  const Status status = find_duplicates(operation, views);
  EXPECT_NE(
      status.message().find("updates[2, 0] writes the cell at [1, 1, 0], which updates[0, 0]"),
      std::string::npos)
      << status.message();
}

// A loop that takes part in an indexed coordinate moves cells onto each other.
TEST(FindDuplicates, LoopsBesideAnIndexAreLookedAtPointByPoint) {
  Operation operation = pairs(2);
  operation.map.loops = {2, 2};
  operation.map.axes[1].loops.push_back({1, 1});
  const std::int64_t apart[] = {1, 0, 2, 0};
  const std::int64_t meeting[] = {1, 0, 1, 1};
  const auto duplicates_of = [&](const std::int64_t* indices) {
    const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
    return find_duplicates(operation, views);
  };
  EXPECT_TRUE(duplicates_of(apart));
  const Status status = duplicates_of(meeting);
  EXPECT_NE(status.message().find("updates[1, 0] writes the cell at [1, 1], which updates[0, 1]"),
            std::string::npos)
      << status.message();
}

TEST(FindDuplicates, SkippedUpdatesWriteNoCell) {
  Operation operation = pairs(2);
  for (AxisMap& axis : operation.map.axes) {
    axis.policy = OutOfRange::kSkip;
    axis.terms.front().legal.reset();
  }
  const std::int64_t indices[] = {9, 9, 9, 9};
  const TensorView views[] = {{}, TensorView(DType::kInt64, {2, 2}, indices), {}};
  EXPECT_TRUE(find_duplicates(operation, views));
}

TEST(FindDuplicates, NoUpdatesWriteNoCellTwice) {
  const TensorView views[] = {{}, TensorView(DType::kInt64, {0, 2}, nullptr), {}};
  EXPECT_TRUE(find_duplicates(pairs(0), views));
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(FindDuplicates, FindsNothingAfterAnInterruption) {
  constexpr std::int64_t kMany = 100'000;
  Operation operation = pairs(kMany);
  operation.map.axes[0].extent = kMany;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < kMany; ++i) indices.insert(indices.end(), {i, 0});
  indices[2 * kMany - 2] = 0;
  const TensorView views[] = {{}, TensorView(DType::kInt64, {kMany, 2}, indices.data()), {}};
  EXPECT_FALSE(find_duplicates(operation, views));
  Always interrupt;
  Interruption interruption(interrupt);
  EXPECT_TRUE(find_duplicates(operation, views, &interruption));
}

// The caller ends the call while the first writer of a cell is looked for.
TEST(FindDuplicates, TheSearchForTheFirstWriterEndsToo) {
  class Second final : public Interrupt {
   public:
    bool requested() noexcept override { return ++asked_ > 1; }

   private:
    int asked_ = 0;
  };
  constexpr std::int64_t kMany = 100'000;
  Operation operation = pairs(kMany);
  operation.map.axes[0].extent = kMany;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < kMany; ++i) indices.insert(indices.end(), {i, 0});
  indices[2 * kMany - 2] = kMany - 2;
  const TensorView views[] = {{}, TensorView(DType::kInt64, {kMany, 2}, indices.data()), {}};
  Second interrupt;
  Interruption interruption(interrupt);
  EXPECT_FALSE(find_duplicates(operation, views, &interruption));
  EXPECT_TRUE(interruption.was_requested());
}

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
