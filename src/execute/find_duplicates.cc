#include "src/execute/find_duplicates.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "src/access/evaluate.h"
#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/run_plan.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Checking a point takes about as long as copying this number of bytes.
constexpr std::int64_t kPointBytes = 256;

// The set of cells that have been written.
class CellSet {
 public:
  explicit CellSet(std::int64_t cells) {
    if (cells <= kMostBits) bits_.resize(static_cast<std::size_t>(cells));
  }
  // Returns false if the cell is already in the set.
  bool insert(std::int64_t cell) {
    if (bits_.empty()) return hashed_.insert(cell).second;
    const auto at = static_cast<std::size_t>(cell);
    if (bits_[at]) return false;
    bits_[at] = true;
    return true;
  }

 private:
  std::vector<bool> bits_;
  std::unordered_set<std::int64_t> hashed_;
};

// Loops that move within an axis of their own, whatever the indices are. A collision repeats for
// each of their counters, so counter 0 stands for all of them.
std::vector<bool> free_loops(const AccessMap& map) {
  const auto rank = static_cast<std::size_t>(map.loops.rank());
  std::vector<bool> moves(rank, false);
  std::vector<bool> indexed(rank, false);
  for (const AxisMap& axis : map.axes) {
    if (axis.terms.empty() && axis.loops.size() == 1)
      moves[static_cast<std::size_t>(axis.loops.front().loop)] = true;
    for (const LoopTerm& loop : axis.loops)
      if (!axis.terms.empty()) indexed[static_cast<std::size_t>(loop.loop)] = true;
    for (const IndexTerm& term : axis.terms)
      for (const IndexCoordinate& coordinate : term.coordinates)
        if (coordinate.loop >= 0) indexed[static_cast<std::size_t>(coordinate.loop)] = true;
  }
  for (std::size_t l = 0; l < rank; ++l) moves[l] = moves[l] && !indexed[l];
  return moves;
}

bool next_point(const Shape& loops, const std::vector<bool>& free, Dims& point) {
  for (int l = loops.rank(); l-- > 0;) {
    if (free[static_cast<std::size_t>(l)]) continue;
    if (++point[l] < loops[l]) return true;
    point[l] = 0;
  }
  return false;
}

class Search {
 public:
  Search(const Operation& operation, std::span<const TensorView> inputs, Interruption* interruption)
      : map_(operation.map),
        inputs_(inputs),
        interruption_(interruption),
        free_(free_loops(operation.map)) {
    for (const AxisMap& axis : map_.axes) extents_.push_back(axis.extent);
  }

  // The first point, in row-major order, that writes to a cell that is already written, and that
  // cell.
  struct Repeat {
    Dims point;
    Dims position;
  };
  std::optional<Repeat> first_repeat() {
    CellSet written(element_count(extents_).value_or(kMostBits + 1));
    Dims point = Dims::filled(map_.loops.rank(), 0);
    do {
      const auto position = evaluate(map_, inputs_, point);
      if (position && !written.insert(cell_at(*position))) return Repeat{point, *position};
    } while (next_point(map_.loops, free_, point) && !is_interrupted(interruption_, kPointBytes));
    return std::nullopt;
  }

  // The first point that writes to the same cell. Returns nothing if no point before the repeat
  // does: the indices have changed.
  std::optional<Dims> first_writer(const Repeat& repeat) const {
    Dims point = Dims::filled(map_.loops.rank(), 0);
    while (point != repeat.point) {
      const auto position = evaluate(map_, inputs_, point);
      if (position && *position == repeat.position) return point;
      if (!next_point(map_.loops, free_, point) || is_interrupted(interruption_, kPointBytes))
        break;
    }
    return std::nullopt;
  }

 private:
  std::int64_t cell_at(const Dims& position) const {
    std::int64_t cell = 0;
    for (int axis = 0; axis < extents_.rank(); ++axis)
      cell = cell * extents_[axis] + position[axis];
    return cell;
  }

  const AccessMap& map_;
  std::span<const TensorView> inputs_;
  Interruption* interruption_;
  std::vector<bool> free_;
  Shape extents_;
};

}  // namespace

Status find_duplicates(const Operation& operation, std::span<const TensorView> inputs,
                       Interruption* interruption) {
  if (element_count(operation.map.loops) == 0) return {};
  try {
    Search search(operation, inputs, interruption);
    const auto repeat = search.first_repeat();
    if (!repeat) return {};
    const auto earlier = search.first_writer(*repeat);
    const std::string& updates =
        operation.input_names[static_cast<std::size_t>(operation.updates_input)];
    ErrorInfo info;
    info.code = ErrorCode::kDuplicate;
    info.operator_name = operation.operator_name;
    info.constraint = operation.duplicate_constraint;
    info.message = operation.operator_name + " [" + operation.duplicate_constraint +
                   "]: " + updates + to_string(repeat->point) + " writes the cell at " +
                   to_string(repeat->position) + ", which " +
                   (earlier ? updates + to_string(*earlier) + " has written already"
                            : "another one had written: the indices changed during the call");
    return Status(std::move(info));
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kOutOfMemory,
            operation.operator_name + ": no memory to look for duplicates"};
  }
}

namespace {

// The index rows of a plan and the kernel that checks them.
struct IndexRows {
  const LoopNest& nest;
  const AddressTerm& term;
  std::int64_t lanes;
  const std::byte* first;
  ConstantFunction constant;

  IndexRows(const ConstantRows& way, const RunContext& run)
      : nest(way.nest),
        term(run.plan.axes.front().terms.front()),
        lanes(run.plan.addressed.back().extent),
        first(run.memory.first_index(term)),
        constant(run.kernels.of_type<Family::kConstantRuns>(term.dtype)) {}

  // Whether the next `runs` rows of the cursor's run are constant. `values` receives their indices.
  bool look_at(const NestCursor& cursor, std::int64_t runs, std::byte* values) const {
    ConstantRuns look;
    look.indices = first + cursor.position(term.track);
    look.count = lanes;
    look.runs = runs;
    look.run_step = cursor.step(term.track);
    look.values = values;
    return constant(look);
  }

  // Whether all rows of a range are constant. Stops early once `all` is false.
  bool look_at(const Range& rows, std::byte* values, Interruption* interruption,
               const std::atomic<bool>& all) const {
    NestCursor cursor(nest, rows.low);
    return for_each_block(cursor, rows.high - rows.low, kBlockPoints, [&](std::int64_t runs) {
      const std::int64_t bytes = runs * term.element_bytes;
      if (!look_at(cursor, runs, values)) return false;
      values += bytes;
      return all.load() && !is_interrupted(interruption, bytes * lanes);
    });
  }
};

}  // namespace

bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices) {
  const IndexRows rows(way, run);
  const int tasks = useful_tasks(run.plan.points, least_task_indices(), run.threads);
  std::atomic<bool> all{true};
  parallel_for(tasks, run.threads, [&](int task) {
    const Range range = task_range(way.rows->points, tasks, task);
    std::byte* values = indices + range.low * rows.term.element_bytes;
    if (!rows.look_at(range, values, run.memory.interruption, all)) all.store(false);
  });
  return all.load();
}

bool Runner<ConstantRows>::serves(const RunContext& run, int /*tasks*/) const {
  const IndexRows rows(way_, run);
  const std::int64_t points = way_.rows->points;
  const std::int64_t step = std::max<std::int64_t>(points / kSampledRows, 1);
  for (std::int64_t row = 0; row < points; row += step) {
    NestCursor cursor(rows.nest, row);
    std::int64_t value = 0;
    if (!rows.look_at(cursor, 1, reinterpret_cast<std::byte*>(&value))) return false;
  }
  return true;
}

std::size_t Runner<ConstantRows>::index_bytes(const LoweredPlan& plan) const {
  const std::int64_t width = plan.axes.front().terms.front().element_bytes;
  return static_cast<std::size_t>(whole_lines(way_.rows->points * width));
}

std::size_t Runner<ConstantRows>::scratch_bytes(const LoweredPlan& plan, int tasks) const {
  return index_bytes(plan) + internal::scratch_bytes(*way_.rows, tasks);
}

bool Runner<ConstantRows>::try_run(const RunContext& run, std::span<std::byte> given) const {
  if (!serves(run, 1)) return false;
  const std::size_t bytes = index_bytes(run.plan);
  const Scratch found(bytes, given);
  if (found.is_missing()) {
    run.outcome.stop(RunOutcome::kOutOfMemory);
    return true;
  }
  if (!find_constant_rows(way_, run, found.data())) return false;
  std::array<const std::byte*, kMostInputs> indices{};
  std::copy(run.memory.indices.begin(), run.memory.indices.end(), indices.begin());
  indices[static_cast<std::size_t>(run.plan.axes.front().terms.front().input)] = found.data();
  RunMemory rows = run.memory;
  rows.indices = {indices.data(), run.memory.indices.size()};
  run.outcome.stop(run_plan(*way_.rows, run.kernels, rows, run.threads,
                            given.subspan(std::min(bytes, given.size()))));
  return true;
}

void Runner<ConstantRows>::describe(const LoweredPlan& /*plan*/,
                                    PlanDescription& description) const {
  description.constant_row_bytes = way_.rows->row_bytes;
  description.constant_row_kernel = kernel_name(*way_.rows);
}

}  // namespace windrow::internal
