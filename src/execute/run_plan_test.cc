#include "src/execute/run_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "src/execute/way_fixture.h"
#include "src/plan/lower.h"

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

constexpr std::int64_t kRows = 6;
constexpr std::int64_t kColumns = 7;
constexpr std::int64_t kExtent = 5;  // extent of the indirect tensor's first axis

struct Call {
  bool scatter = false;
  Combine combine = Combine::kAssign;
  OutOfRange policy = OutOfRange::kError;
  DType index_type = DType::kInt64;
};

// Elements along axis 0 of an int32 tensor [kExtent, kColumns] with indices [kRows, kColumns].
LoweredPlan lower_call(const Call& call, const Tuning& tuning) {
  Operation operation;
  operation.dtype = DType::kInt32;
  operation.scatter = call.scatter;
  operation.combine = call.combine;
  operation.map.loops = {kRows, kColumns};
  AxisMap indexed;
  indexed.extent = kExtent;
  indexed.policy = call.policy;
  IndexTerm term;
  term.input = 0;
  term.coordinates = {{0, 0}, {1, 0}};
  term.normalise = Normalise::kNegativeWraps;
  if (call.policy == OutOfRange::kError) term.legal = {-kExtent, kExtent - 1};
  indexed.terms.push_back(term);
  AxisMap columns;
  columns.extent = kColumns;
  columns.loops.push_back({1, 1});
  operation.map.axes = {indexed, columns};
  TensorSpec indices;
  indices.dtype = call.index_type;
  indices.shape = {kRows, kColumns};
  const std::vector<TensorSpec> inputs = {indices};
  const Layout layout{row_major_strides({kRows, kColumns}, 4),
                      row_major_strides({kExtent, kColumns}, 4), inputs};
  return lower(operation, layout, tuning).value();
}

struct Memory {
  std::vector<std::int32_t> direct = std::vector<std::int32_t>(kRows * kColumns);
  std::vector<std::int32_t> indirect = std::vector<std::int32_t>(kExtent * kColumns);
  bool operator==(const Memory&) const = default;
};

Memory counted_memory() {
  Memory memory;
  std::int32_t next = 1;
  for (std::int32_t& value : memory.direct) value = next++;
  for (std::int32_t& value : memory.indirect) value = next++;
  return memory;
}

template <class Index>
RunOutcome run(const LoweredPlan& plan, const KernelTable& kernels,
               const std::vector<std::int64_t>& indices, Memory& memory) {
  const std::vector<Index> typed(indices.begin(), indices.end());
  const std::byte* const first = reinterpret_cast<const std::byte*>(typed.data());
  const RunMemory run_memory{reinterpret_cast<std::byte*>(memory.direct.data()),
                             reinterpret_cast<std::byte*>(memory.indirect.data()),
                             {&first, 1}};
  return run_plan(plan, kernels, run_memory, nullptr, {});
}

RunOutcome run(const LoweredPlan& plan, const KernelTable& kernels, DType index_type,
               const std::vector<std::int64_t>& indices, Memory& memory) {
  if (index_type == DType::kInt16) return run<std::int16_t>(plan, kernels, indices, memory);
  if (index_type == DType::kInt32) return run<std::int32_t>(plan, kernels, indices, memory);
  return run<std::int64_t>(plan, kernels, indices, memory);
}

std::vector<std::int64_t> random_indices(std::mt19937& random, bool legal) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
    const std::int64_t reach = legal ? kExtent : 2 * kExtent;
    indices.push_back(static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * reach)) -
                      reach);
  }
  return indices;
}

// Expects the same result with and without the small plan.
void compare(const Call& call, const KernelSetEntry& set, const std::vector<std::int64_t>& indices,
             RunOutcome wanted) {
  const KernelTable& kernels = set.table;
  Tuning of_set;
  of_set.kernel_set = set.name;
  const LoweredPlan plan = lower_call(call, of_set);
  ASSERT_TRUE(is_small(plan));
  Memory small = counted_memory();
  ASSERT_EQ(run(plan, kernels, call.index_type, indices, small), wanted);
  Tuning forced = of_set;
  forced.forces_levers = true;
  const LoweredPlan large = lower_call(call, forced);
  ASSERT_FALSE(is_small(large));
  Memory loops = counted_memory();
  ASSERT_EQ(run(large, kernels, call.index_type, indices, loops), wanted);
  EXPECT_TRUE(small == (wanted == RunOutcome::kDone ? loops : counted_memory()));
}

TEST(RunSmall, GivesTheBitsOfTheLoops) {
  std::mt19937 random(11);
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    SCOPED_TRACE(set.name);
    for (const DType type : {DType::kInt16, DType::kInt32, DType::kInt64}) {
      for (const OutOfRange policy : {OutOfRange::kZero, OutOfRange::kClamp, OutOfRange::kModulo})
        compare({false, Combine::kAssign, policy, type}, set, random_indices(random, false),
                RunOutcome::kDone);
      for (const Combine combine : {Combine::kAssign, Combine::kAdd, Combine::kMax}) {
        compare({true, combine, OutOfRange::kSkip, type}, set, random_indices(random, false),
                RunOutcome::kDone);
        compare({true, combine, OutOfRange::kError, type}, set, random_indices(random, true),
                RunOutcome::kDone);
      }
    }
  }
}

TEST(RunSmall, WritesNothingBeforeABadIndexIsFound) {
  std::mt19937 random(12);
  std::vector<std::int64_t> indices = random_indices(random, true);
  for (const std::int64_t bad : {kExtent, -kExtent - 1}) {
    indices.back() = bad;
    for (const KernelSetEntry& set : kernel_sets()) {
      if (!set.supported) continue;
      SCOPED_TRACE(set.name);
      for (const bool scatter : {false, true})
        compare({scatter}, set, indices, RunOutcome::kBadIndex);
    }
  }
}

}  // namespace
}  // namespace windrow::internal
