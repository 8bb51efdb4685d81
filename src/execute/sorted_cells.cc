#include "src/execute/sorted_cells.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "src/access/evaluate.h"
#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// An id mapped to a number of the same order, for all values of its type, including unsigned ids
// above 2^63-1.
using OrderedId = std::uint64_t;

constexpr OrderedId kSign = OrderedId{1} << 63;

OrderedId read_id(DType dtype, const void* data) {
  OrderedId id;
  if (dtype != DType::kUint64) return static_cast<OrderedId>(read_index(dtype, data)) ^ kSign;
  std::memcpy(&id, data, sizeof id);
  return id;
}

std::string to_text(DType dtype, OrderedId id) {
  return dtype == DType::kUint64 ? std::to_string(id)
                                 : std::to_string(static_cast<std::int64_t>(id ^ kSign));
}

// Checking an element takes about as long as copying this number of bytes.
constexpr std::int64_t kIdBytes = 16;

Status falls(const Operation& operation, const std::string& name, std::int64_t position,
             const std::string& id, const std::string& before) {
  ErrorInfo info;
  info.code = ErrorCode::kInvalidArgument;
  info.operator_name = operation.operator_name;
  info.constraint = operation.order_constraint;
  info.message = operation.operator_name + " [" + operation.order_constraint + "]: " + name + "[" +
                 std::to_string(position) + "] is " + id + " after " + before +
                 ", must not be smaller";
  return Status(std::move(info));
}

}  // namespace

Status check_order(const Operation& operation, std::span<const TensorView> inputs,
                   Interruption* interruption) {
  if (operation.ascending_input < 0) return {};
  const auto input = static_cast<std::size_t>(operation.ascending_input);
  const TensorView& view = inputs[input];
  OrderedId before = 0;
  for (std::int64_t i = 0; i < view.shape[0]; ++i) {
    const auto* const at = static_cast<const std::byte*>(view.data) + i * view.strides[0];
    const OrderedId id = read_id(view.dtype, at);
    if (id < before)
      return falls(operation, operation.input_names[input], i, to_text(view.dtype, id),
                   to_text(view.dtype, before));
    before = id;
    if (is_interrupted(interruption, kIdBytes)) break;
  }
  return {};
}

namespace {

template <class Offset>
bool ascends(const Offset* offsets, std::int64_t count) {
  unsigned falls = 0;
  for (std::int64_t j = 1; j < count; ++j) falls |= offsets[j] < offsets[j - 1] ? 1U : 0U;
  return falls == 0;
}

template <class Offset>
std::optional<std::uint64_t> read_one(const RunContext& run, const NestCursor& cursor) {
  Offset offset = 0;
  if ((OffsetReader(run).read(cursor, 1, &offset) & kIndexBad) != 0) return std::nullopt;
  return offset;
}

// The offset of one point. Returns nothing if its index is bad.
std::optional<std::uint64_t> offset_of(const RunContext& run, std::int64_t point) {
  NestCursor cursor(run.plan.addressed, point);
  return run.plan.wide_offsets ? read_one<std::uint64_t>(run, cursor)
                               : read_one<std::uint32_t>(run, cursor);
}

// Whether the cells of a range of points ascend, starting with the point before the range. Stops
// early once `sorted` is false.
template <class Offset>
bool is_sorted(const RunContext& run, const Range& points, const std::atomic<bool>& sorted) {
  const OffsetReader reader(run);
  NestCursor cursor(run.plan.addressed, points.low);
  alignas(64) Offset offsets[kBlockPoints + 1];
  offsets[0] =
      points.low == 0 ? 0 : static_cast<Offset>(offset_of(run, points.low - 1).value_or(0));
  return for_each_block(cursor, points.high - points.low, kBlockPoints, [&](std::int64_t count) {
    const unsigned flags = reader.read(cursor, count, offsets + 1);
    if ((flags & kIndexBad) != 0 || !ascends(offsets, count + 1)) return false;
    offsets[0] = offsets[count];
    return sorted.load() &&
           !is_interrupted(run.memory.interruption, count * std::int64_t{sizeof(Offset)});
  });
}

bool sample_order(const RunContext& run) {
  const std::int64_t step = std::max<std::int64_t>(run.plan.points / kSampledPoints, 1);
  std::uint64_t before = 0;
  for (std::int64_t point = 0; point < run.plan.points; point += step) {
    const std::optional<std::uint64_t> offset = offset_of(run, point);
    if (!offset || *offset < before) return false;
    before = *offset;
  }
  return true;
}

}  // namespace

bool may_have_sorted_cells(const RunContext& run) {
  if (!run.sampled_order) run.sampled_order = sample_order(run);
  return *run.sampled_order;
}

bool has_sorted_cells(const RunContext& run) {
  if (!may_have_sorted_cells(run)) return false;
  const int tasks = useful_tasks(run.plan.points, least_task_indices(), run.threads);
  std::atomic<bool> sorted{true};
  parallel_for(tasks, run.threads, [&](int task) {
    const Range points = task_range(run.plan.points, tasks, task);
    const bool all = run.plan.wide_offsets ? is_sorted<std::uint64_t>(run, points, sorted)
                                           : is_sorted<std::uint32_t>(run, points, sorted);
    if (!all) sorted.store(false);
  });
  return sorted.load();
}

std::int64_t next_cell_from(const RunContext& run, std::int64_t point) {
  if (point == 0) return 0;
  const std::optional<std::uint64_t> before = offset_of(run, point - 1);
  std::int64_t high = run.plan.points;
  while (point < high) {
    const std::int64_t middle = point + (high - point) / 2;
    if (offset_of(run, middle) > before) {
      high = middle;
    } else {
      point = middle + 1;
    }
  }
  return point;
}

}  // namespace windrow::internal
