#include "src/execute/run_buckets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <vector>

#include "src/plan/lower.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kUpdates = 100'000;
constexpr std::int64_t kCells = 30'000;

// Eight tasks, the last one first.
class EightThreads : public Threads {
 public:
  int count() const noexcept override { return 8; }
  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    for (int i = tasks; i-- > 0;) task(context, i);
  }
};

// updates [n, row] added to rows of a [cells, row] tensor, an int64 index each.
LoweredPlan lower_add(std::int64_t row, OutOfRange policy) {
  Operation operation;
  operation.scatter = true;
  operation.combine = Combine::kAdd;
  operation.dtype = DType::kFloat32;
  operation.map.loops = {kUpdates, row};
  AxisMap cells;
  cells.extent = kCells;
  cells.policy = policy;
  IndexTerm term;
  term.input = 1;
  term.coordinates = {{0, 0}};
  term.normalise = Normalise::kNegativeWraps;
  if (policy == OutOfRange::kError) term.legal = {-kCells, kCells - 1};
  cells.terms.push_back(term);
  AxisMap columns;
  columns.extent = row;
  columns.loops.push_back({1, 1});
  operation.map.axes = {cells, columns};
  TensorSpec indices;
  indices.dtype = DType::kInt64;
  indices.shape = {kUpdates};
  const std::vector<TensorSpec> inputs = {{}, indices, {}};
  return lower(operation,
               {row_major_strides({kUpdates, row}, 4), row_major_strides({kCells, row}, 4), inputs})
      .value();
}

std::atomic<std::int64_t> index_bytes_read{0};
OffsetFunction counted_offsets = nullptr;

unsigned count_and_read(const OffsetRun& run) noexcept {
  index_bytes_read += run.count * run.runs * 8;
  return counted_offsets(run);
}

struct Sums {
  RunOutcome outcome;
  std::vector<float> cells;
  std::int64_t index_bytes;
};

Sums add(const LoweredPlan& plan, const KernelTable& kernels, std::int64_t row,
         std::int64_t strange, Threads* threads) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> indices(kUpdates);
  for (std::int64_t& index : indices)
    index = static_cast<std::int64_t>(random() % (2 * kCells)) - kCells;
  if (strange != 0) indices[kUpdates / 2] = strange;
  std::vector<float> updates(static_cast<std::size_t>(kUpdates * row));
  for (float& update : updates) update = static_cast<float>(random() >> 40) * 1e-3F;
  Sums sums{RunOutcome::kDone, std::vector<float>(static_cast<std::size_t>(kCells * row), 1), 0};
  KernelTable table = kernels;
  counted_offsets = table.offsets_from_int64;
  table.offsets_from_int64 = &count_and_read;
  const std::byte* inputs[] = {nullptr, reinterpret_cast<const std::byte*>(indices.data()),
                               nullptr};
  const RunMemory memory{reinterpret_cast<std::byte*>(updates.data()),
                         reinterpret_cast<std::byte*>(sums.cells.data()), inputs};
  index_bytes_read = 0;
  sums.outcome = run_plan(plan, table, memory, threads, {});
  sums.index_bytes = index_bytes_read;
  return sums;
}

TEST(Buckets, EightTasksReadEveryIndexTwiceAndAddInTheSameOrder) {
  EightThreads threads;
  for (const std::int64_t row : {1, 3}) {
    const LoweredPlan plan = lower_add(row, OutOfRange::kError);
    EXPECT_EQ(partition(plan, RunMode::kBoxes, 8).mode, RunMode::kBuckets);
    for (const KernelSetEntry& set : kernel_sets()) {
      if (!set.supported) continue;
      const Sums serial = add(plan, set.table, row, 0, nullptr);
      EXPECT_EQ(serial.index_bytes, kUpdates * 8);
      const Sums eight = add(plan, set.table, row, 0, &threads);
      EXPECT_EQ(eight.outcome, RunOutcome::kDone);
      EXPECT_EQ(eight.index_bytes, 2 * kUpdates * 8);
      EXPECT_EQ(eight.cells, serial.cells) << set.name << ", rows of " << row;
    }
  }
}

TEST(Buckets, BadIndicesAreFoundBeforeACellIsTouched) {
  EightThreads threads;
  const KernelTable& kernels = find_kernel_set("")->table;
  const Sums sums = add(lower_add(1, OutOfRange::kError), kernels, 1, kCells, &threads);
  EXPECT_EQ(sums.outcome, RunOutcome::kBadIndex);
  EXPECT_EQ(sums.cells, std::vector<float>(kCells, 1));
}

TEST(Buckets, SkippedUpdatesGoNowhere) {
  EightThreads threads;
  const KernelTable& kernels = find_kernel_set("")->table;
  for (const std::int64_t row : {1, 3}) {
    const LoweredPlan plan = lower_add(row, OutOfRange::kSkip);
    EXPECT_EQ(add(plan, kernels, row, kCells, &threads).cells,
              add(plan, kernels, row, kCells, nullptr).cells);
  }
}

TEST(Buckets, FewThreadsKeepTheirOwnRanges) {
  EXPECT_EQ(partition(lower_add(1, OutOfRange::kError), RunMode::kBoxes, 2).mode, RunMode::kBoxes);
}

}  // namespace
}  // namespace windrow::internal
