#ifndef WINDROW_EXECUTE_PAIRS_FIXTURE_H_
#define WINDROW_EXECUTE_PAIRS_FIXTURE_H_

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "src/access/access_map.h"
#include "src/execute/run_plan.h"
#include "src/plan/lower.h"
#include "windrow/threads.h"

namespace windrow::internal {

// For tests: ScatterND with tuples of two over a [4, 3] tensor: indices [n, 2], updates [n].
inline Operation pairs(std::int64_t n) {
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.operator_name = "test.Scatter-1";
  operation.index_constraint = "TEST-C1";
  operation.duplicate_constraint = "TEST-D1";
  operation.input_names = {"data", "indices", "updates"};
  operation.map.loops = {n};
  for (int k = 0; k < 2; ++k) {
    AxisMap axis;
    axis.extent = k == 0 ? 4 : 3;
    IndexTerm term;
    term.input = 1;
    term.coordinates = {{0, 0}, {-1, k}};
    term.normalise = Normalise::kNegativeWraps;
    term.legal = {-axis.extent, axis.extent - 1};
    axis.terms.push_back(term);
    operation.map.axes.push_back(axis);
  }
  return operation;
}

// For tests: sums of many updates, with any indices, on any number of threads.

inline constexpr std::int64_t kUpdates = 100'000;
inline constexpr std::int64_t kCells = 30'000;

// Runs eight tasks, the last one first.
class EightThreads : public Threads {
 public:
  int count() const noexcept override { return 8; }
  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    for (int i = tasks; i-- > 0;) task(context, i);
  }
};

// Adds updates [n, row] to rows of a [cells, row] tensor by int64 indices [n].
inline LoweredPlan lower_add(std::int64_t row, OutOfRange policy) {
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
  // The cells are not in this near cache, so that tasks divide them. Offsets are read by functions
  // that count.
  Tuning tuning;
  tuning.straight = false;
  tuning.second_level_bytes = kCells * 4 / 2;
  return lower(operation,
               {row_major_strides({kUpdates, row}, 4), row_major_strides({kCells, row}, 4), inputs},
               tuning)
      .value();
}

inline std::atomic<std::int64_t> index_bytes_read{0};
inline OffsetFunction counted_offsets = nullptr;

inline unsigned count_and_read(const OffsetRun& run) noexcept {
  index_bytes_read += run.count * run.runs * 8;
  return counted_offsets(run);
}

// The cells after the additions, and the number of index bytes that were read.
struct Sums {
  RunOutcome outcome;
  std::vector<float> cells;
  std::int64_t index_bytes;
};

// kUpdates updates; every other one is negative.
inline std::vector<std::int64_t> random_indices() {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> indices(kUpdates);
  for (std::int64_t& index : indices)
    index = static_cast<std::int64_t>(random() % (2 * kCells)) - kCells;
  return indices;
}

inline Sums add(const LoweredPlan& plan, const KernelTable& kernels,
                const std::vector<std::int64_t>& indices, Threads* threads) {
  const std::int64_t row = plan.row_bytes / std::int64_t{sizeof(float)};
  std::mt19937_64 random(2);
  std::vector<float> updates(static_cast<std::size_t>(kUpdates * row));
  for (float& update : updates) update = static_cast<float>(random() >> 40) * 1e-3F;
  Sums sums{RunOutcome::kDone, std::vector<float>(static_cast<std::size_t>(kCells * row), 1), 0};
  KernelTable table = kernels;
  counted_offsets = table.of_type<Family::kOffsets>(DType::kInt64);
  table.set<Family::kOffsets>(Kernel::offsets_from_int64, &count_and_read);
  const std::byte* inputs[] = {nullptr, reinterpret_cast<const std::byte*>(indices.data()),
                               nullptr};
  const RunMemory memory{reinterpret_cast<std::byte*>(updates.data()),
                         reinterpret_cast<std::byte*>(sums.cells.data()), inputs};
  index_bytes_read = 0;
  sums.outcome = run_plan(plan, table, memory, threads, {});
  sums.index_bytes = index_bytes_read;
  return sums;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PAIRS_FIXTURE_H_
