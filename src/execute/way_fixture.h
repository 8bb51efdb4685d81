#ifndef WINDROW_EXECUTE_WAY_FIXTURE_H_
#define WINDROW_EXECUTE_WAY_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "src/access/evaluate.h"
#include "src/base/memory.h"
#include "src/execute/way_runners.h"
#include "src/plan/lower.h"

// For tests of the ways and of the units that they are made of: calls on dense int32 tensors with
// int32 indices, what the access map says that they write, and what each task of a way writes.
namespace windrow::internal {

// The indirect tensor is addressed by an index along `axis` and by the loop of the same number
// along its other axes, whose extents are at least those of the loops. The index tensor has an axis
// for each of `index_loops`.
struct WayCall {
  Shape loops;
  Shape indirect;
  int axis = 0;
  std::vector<int> index_loops;
  bool scatter = false;
  OutOfRange policy = OutOfRange::kError;
  Combine combine = Combine::kAssign;
  std::optional<std::int64_t> padding = {};

  Shape index_shape() const {
    Shape shape;
    for (const int loop : index_loops) shape.push_back(loops[loop]);
    return shape;
  }

  Operation operation() const {
    Operation operation;
    operation.dtype = DType::kInt32;
    operation.scatter = scatter;
    operation.combine = combine;
    operation.map.loops = loops;
    for (int a = 0; a < indirect.rank(); ++a) {
      AxisMap map;
      map.extent = indirect[a];
      if (a == axis) {
        IndexTerm term;
        for (const int loop : index_loops) term.coordinates.push_back({loop, 0});
        term.normalise = Normalise::kNegativeWraps;
        term.padding = padding;
        map.policy = policy;
        if (policy == OutOfRange::kError) term.legal = {-indirect[a], indirect[a] - 1};
        map.terms.push_back(term);
      } else {
        map.loops.push_back({a, 1});
      }
      operation.map.axes.push_back(map);
    }
    return operation;
  }

  // Never a plan of one block.
  LoweredPlan lower(Tuning tuning = {}) const {
    tuning.forces_levers = true;
    TensorSpec indices;
    indices.dtype = DType::kInt32;
    indices.shape = index_shape();
    const std::vector<TensorSpec> inputs = {indices};
    const Layout layout{row_major_strides(loops, 4), row_major_strides(indirect, 4), inputs};
    return internal::lower(operation(), layout, tuning).value();
  }
};

using Cells = std::vector<std::int32_t>;

// What an element holds that no task has written. Neither side's values, nor sums of a few of them.
inline constexpr std::int32_t kUnwritten = -77'777'777;

// The tensors of a call. Both sides hold values of their own, none of them zero.
struct WayMemory {
  Cells direct;
  Cells indirect;
  Cells indices;
  bool has_start = false;  // the indirect side is what the output starts as, and is copied

  explicit WayMemory(const WayCall& call, unsigned seed = 1) {
    const auto count = [](const Shape& shape) {
      return static_cast<std::size_t>(element_count(shape).value());
    };
    direct.resize(count(call.loops));
    indirect.resize(count(call.indirect));
    indices.resize(count(call.index_shape()));
    std::int32_t next = 1;
    for (std::int32_t& value : direct) value = next++;
    for (std::int32_t& value : indirect) value = next++;
    std::mt19937 random(seed);
    const auto extent = static_cast<std::int32_t>(call.indirect[call.axis]);
    const std::int32_t reach = call.policy == OutOfRange::kError ? extent : extent + 2;
    for (std::int32_t& index : indices)
      index = static_cast<std::int32_t>(random() % static_cast<unsigned>(2 * reach)) - reach;
  }
};

// The written side after the call, point by point in row-major order.
inline Cells expected(const WayCall& call, const WayMemory& memory) {
  const Operation operation = call.operation();
  const TensorView inputs[] = {
      TensorView(DType::kInt32, call.index_shape(), memory.indices.data())};
  const auto cell_at = [&](const Dims& position) {
    std::int64_t cell = 0;
    for (int a = 0; a < position.rank(); ++a) cell = cell * call.indirect[a] + position[a];
    return static_cast<std::size_t>(cell);
  };
  Cells written = call.scatter ? memory.indirect : memory.direct;
  Dims point = Dims::filled(call.loops.rank(), 0);
  for (std::size_t i = 0; i < memory.direct.size(); ++i) {
    const std::optional<Dims> position = evaluate(operation.map, inputs, point);
    if (!call.scatter) {
      written[i] = position ? memory.indirect[cell_at(*position)] : 0;
    } else if (position) {
      std::int32_t& cell = written[cell_at(*position)];
      cell = call.combine == Combine::kAdd ? cell + memory.direct[i] : memory.direct[i];
    }
    for (int l = point.rank(); l-- > 0 && ++point[l] == call.loops[l];) point[l] = 0;
  }
  return written;
}

// What the tasks of a run did, one by one on the same memory.
struct WayResult {
  RunOutcome outcome = RunOutcome::kDone;
  int tasks = 0;
  // The written side as all tasks together leave it.
  Cells written;
  // The most tasks that changed one element, and the fewest.
  int most_writers = 0;
  int fewest_writers = 0;
  // A task wrote outside of its share of the scratch.
  bool left_scratch = false;
};

// Bytes of scratch with bytes before and behind that must not change.
class GuardedScratch {
 public:
  explicit GuardedScratch(std::size_t bytes)
      : bytes_(bytes), memory_(bytes + 3 * kGuard, kUntouched) {}
  // At the start of a cache line.
  std::byte* data() { return memory_.data() + 2 * kGuard - line_offset(memory_.data()); }
  bool is_broken() {
    const std::span<std::byte> all(memory_);
    const auto first = static_cast<std::size_t>(data() - memory_.data());
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((i < first || i >= first + bytes_) && all[i] != kUntouched) return true;
    return false;
  }

 private:
  static constexpr std::size_t kGuard = 4096;  // a whole number of cache lines
  static constexpr std::byte kUntouched{0xA5};
  std::size_t bytes_;
  std::vector<std::byte> memory_;
};

// Calls use(context, written) for a run of a plan on a copy of the memory, whose written side holds
// kUnwritten if nothing of it is read.
template <class Use>
void with_context(const LoweredPlan& plan, WayMemory memory, Interruption* interruption,
                  const Use& use) {
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(memory.indices.data())};
  Cells& read_only = memory.indirect;
  Cells copied(memory.has_start ? read_only.size() : 0, kUnwritten);
  if (!plan.scatter) memory.direct.assign(memory.direct.size(), kUnwritten);
  RunMemory run;
  run.direct = reinterpret_cast<std::byte*>(memory.direct.data());
  run.indirect =
      reinterpret_cast<std::byte*>(memory.has_start ? copied.data() : memory.indirect.data());
  run.indices = inputs;
  run.interruption = interruption;
  if (memory.has_start) {
    run.start = reinterpret_cast<const std::byte*>(read_only.data());
    run.start_bytes = static_cast<std::int64_t>(read_only.size() * 4);
  }
  Outcome outcome(interruption);
  const RunContext context{plan, find_kernel_set("")->table, run, nullptr, outcome};
  use(context, !plan.scatter ? memory.direct : memory.has_start ? copied : memory.indirect);
}

// Runs the tasks of a partition one by one, the last first, each on the memory as it was before.
inline WayResult run_tasks(const WayRunner& runner, const LoweredPlan& plan,
                           const WayMemory& memory, const Partition& partition) {
  WayResult result;
  result.tasks = partition.tasks;
  const std::size_t all = runner.scratch_bytes(plan, partition.tasks);
  with_context(plan, memory, nullptr, [&](const RunContext& context, Cells& written) {
    const Cells before = written;
    result.written = before;
    std::vector<int> writers(before.size(), 0);
    for (int index = partition.tasks; index-- > 0;) {
      GuardedScratch scratch(all / static_cast<std::size_t>(partition.tasks));
      // In place: where the tasks meet depends on the address.
      std::copy(before.begin(), before.end(), written.begin());
      runner.run_task({context, partition, index, scratch.data()});
      result.left_scratch |= scratch.is_broken();
      for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] == before[i]) continue;
        result.written[i] = written[i];
        ++writers[i];
      }
    }
    result.outcome = context.outcome.get();
    const auto [fewest, most] = std::minmax_element(writers.begin(), writers.end());
    result.fewest_writers = *fewest;
    result.most_writers = *most;
  });
  return result;
}

// The same as the way cuts the plan for this number of tasks.
inline WayResult run_way(const WayRunner& runner, const LoweredPlan& plan, const WayMemory& memory,
                         int tasks) {
  return run_tasks(runner, plan, memory, tasks < 2 ? Partition{} : runner.cut(plan, tasks));
}

// Whether a way serves a run on the memory.
inline bool serves(const WayRunner& runner, const LoweredPlan& plan, const WayMemory& memory,
                   int tasks) {
  bool result = false;
  with_context(plan, memory, nullptr,
               [&](const RunContext& context, Cells&) { result = runner.serves(context, tasks); });
  return result;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_WAY_FIXTURE_H_
