#include "src/execute/check_indices.h"

#include <algorithm>
#include <atomic>

#include "src/execute/nest_cursor.h"
#include "src/execute/parallel_for.h"
#include "src/execute/partition.h"
#include "src/plan/merge_loops.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// The elements of an index tensor that one term reads, as a nest with one stream: the distance in
// bytes from the first of them.
LoopNest elements_of(const IndexTerm& term, const TensorView& indices) {
  LoopNest nest;
  for (int axis = 0; axis < indices.shape.rank(); ++axis) {
    if (term.coordinates[static_cast<std::size_t>(axis)].loop < 0) continue;
    NestLoop loop;
    loop.extent = indices.shape[axis];
    loop.strides = {indices.strides[axis]};
    nest.push_back(std::move(loop));
  }
  nest = merge_loops(nest);
  if (nest.empty()) nest.push_back({1, {0}, false});
  return nest;
}

const std::byte* first_element(const IndexTerm& term, const TensorView& indices) {
  const auto* first = static_cast<const std::byte*>(indices.data);
  for (int axis = 0; axis < indices.shape.rank(); ++axis) {
    const IndexCoordinate& coordinate = term.coordinates[static_cast<std::size_t>(axis)];
    if (coordinate.loop < 0) first += coordinate.fixed * indices.strides[axis];
  }
  return first;
}

// The check of one term's elements.
struct Check {
  const IndexTerm& term;
  const TensorView& indices;
  const KernelTable& kernels;
  Interruption* interruption;
  LoopNest nest;
  std::atomic<bool> illegal{false};

  // Whether `count` elements, at most kBlockPoints and `step` bytes apart, are all legal.
  bool is_legal(const std::byte* first, std::int64_t step, std::int64_t count) const {
    const auto width = static_cast<std::int64_t>(dtype_bits(indices.dtype) / 8);
    const WithinFunction within = kernels.of_type<Family::kAllWithin>(indices.dtype);
    if (step == width && within != nullptr)
      return within(first, count, term.legal->low, term.legal->high);
    std::int64_t values[kBlockPoints];
    kernels.of_type<Family::kLoad>(indices.dtype)(first, step, count, values);
    return kernels.of_type<Family::kAllWithin>(DType::kInt64)(
        reinterpret_cast<const std::byte*>(values), count, term.legal->low, term.legal->high);
  }

  void run(const Range& range) {
    if (range.low >= range.high) return;
    const std::byte* first = first_element(term, indices);
    NestCursor cursor(nest, range.low);
    const std::int64_t width = dtype_bits(indices.dtype) / 8;
    for_each_block(cursor, range.high - range.low, kBlockPoints, [&](std::int64_t count) {
      if (!is_legal(first + cursor.position(0), cursor.step(0), count)) illegal.store(true);
      return !illegal.load() && !is_interrupted(interruption, count * width);
    });
  }
};

bool has_illegal_term(const IndexTerm& term, const TensorView& indices, const KernelTable& kernels,
                      Threads* threads, Interruption* interruption) {
  if (!term.legal || element_count(indices.shape) == 0) return false;
  Check check{term, indices, kernels, interruption, elements_of(term, indices)};
  const std::int64_t points = point_count(check.nest);
  const int tasks = useful_tasks(points, kLeastTaskIndices, threads);
  parallel_for(tasks, threads, [&](int task) { check.run(task_range(points, tasks, task)); });
  return check.illegal.load();
}

}  // namespace

bool has_illegal_index(const Operation& operation, std::span<const TensorView> inputs,
                       const KernelTable& kernels, Threads* threads, Interruption* interruption) {
  for (const AxisMap& axis : operation.map.axes)
    for (const IndexTerm& term : axis.terms)
      if (has_illegal_term(term, inputs[static_cast<std::size_t>(term.input)], kernels, threads,
                           interruption))
        return true;
  return false;
}

}  // namespace windrow::internal
