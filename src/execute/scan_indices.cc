#include "src/execute/scan_indices.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/access/evaluate.h"
#include "src/base/integers.h"
#include "src/execute/padding.h"
#include "src/execute/partition.h"
#include "src/plan/loops.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Checking an element takes about as long as copying this number of bytes.
constexpr std::int64_t kElementBytes = 64;

// The illegal elements of an index tensor among those that one term reads, at its fixed
// coordinates.
struct Scan {
  std::int64_t count = 0;  // number of illegal elements
  Dims first;              // position of the first one
  std::int64_t first_value = 0;
  std::string first_text;  // its value in decimal
};

// Moves `position` on in row-major order, by its axes before `end`. Axes with a fixed coordinate
// stay there. Returns false after the last position.
bool next_position(const IndexTerm& term, const Shape& shape, int end, Dims& position) {
  for (int axis = end; axis-- > 0;) {
    const IndexCoordinate& coordinate = term.coordinates[static_cast<std::size_t>(axis)];
    if (coordinate.loop < 0) continue;
    if (++position[axis] < shape[axis]) return true;
    position[axis] = 0;
  }
  return false;
}

Dims first_position(const IndexTerm& term) {
  Dims position;
  for (const IndexCoordinate& coordinate : term.coordinates)
    position.push_back(coordinate.loop < 0 ? coordinate.fixed : 0);
  return position;
}

const std::byte* address_of(const TensorView& view, const Dims& position) {
  std::int64_t offset = 0;
  for (int axis = 0; axis < view.shape.rank(); ++axis)
    offset += position[axis] * view.strides[axis];
  return static_cast<const std::byte*>(view.data) + offset;
}

// Copies an element of `bytes` bytes, at most 8: those of the usual types without a call.
void copy_element(const std::byte* from, std::size_t bytes, std::byte* to) {
  if (bytes == sizeof(std::int64_t)) {
    std::memcpy(to, from, sizeof(std::int64_t));
  } else if (bytes == sizeof(std::int32_t)) {
    std::memcpy(to, from, sizeof(std::int32_t));
  } else {
    std::memcpy(to, from, bytes);
  }
}

// The last axis without a fixed coordinate; -1: there is none.
int last_axis(const IndexTerm& term, const Shape& shape) {
  int axis = shape.rank() - 1;
  while (axis >= 0 && term.coordinates[static_cast<std::size_t>(axis)].loop < 0) --axis;
  return axis;
}

// Calls visit(position, element, value) for every illegal element that the term reads, in row-major
// order, until it returns false.
template <class Visit>
void visit_illegal(const IndexTerm& term, const TensorView& indices, Interruption* interruption,
                   const Visit& visit) {
  if (!term.legal || element_count(indices.shape) == 0) return;
  Dims position = first_position(term);
  const auto bytes = static_cast<std::size_t>(dtype_bits(indices.dtype) / 8);
  const int inner = last_axis(term, indices.shape);
  const std::int64_t extent = inner < 0 ? 1 : indices.shape[inner];
  const std::int64_t stride = inner < 0 ? 0 : indices.strides[inner];
  do {
    const std::byte* const row = address_of(indices, position);
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i % kBlockPoints == 0 &&
          is_interrupted(interruption, std::min(kBlockPoints, extent - i) * kElementBytes))
        return;
      // A copy, so that the check and the caller see the same value.
      std::byte element[sizeof(std::int64_t)];
      copy_element(row + i * stride, bytes, element);
      const std::int64_t value = read_index(indices.dtype, element);
      if (term.legal->contains(value)) continue;
      if (term.padding && is_padding(term, indices.dtype, element)) continue;
      if (inner >= 0) position[inner] = i;
      if (!visit(position, static_cast<const std::byte*>(element), value)) return;
    }
    if (inner >= 0) position[inner] = 0;
  } while (next_position(term, indices.shape, inner, position));
}

Scan scan_term(const IndexTerm& term, const TensorView& indices, Interruption* interruption) {
  Scan scan;
  visit_illegal(term, indices, interruption,
                [&](const Dims& position, const std::byte* element, std::int64_t value) {
                  if (scan.count++ > 0) return true;
                  scan.first = position;
                  scan.first_value = value;
                  scan.first_text = index_text(indices.dtype, element);
                  return true;
                });
  return scan;
}

// Adds the first `most` illegal elements that the term reads.
void list_term(const IndexTerm& term, const TensorView& indices, std::int64_t most,
               Interruption* interruption, BadIndices& found) {
  std::int64_t left = most;
  visit_illegal(term, indices, interruption,
                [&](const Dims& position, const std::byte* element, std::int64_t value) {
                  if (indices.dtype == DType::kUint64) std::memcpy(&value, element, sizeof(value));
                  found.positions.insert(found.positions.end(), position.begin(), position.end());
                  found.values.push_back(value);
                  return --left > 0;
                });
}

// The first `most` of the indices, in row-major order.
BadIndices first_in_order(const BadIndices& found, std::int64_t most) {
  const auto rank = static_cast<std::size_t>(found.rank);
  const auto position = [&](std::size_t at) {
    return std::span(found.positions).subspan(at * rank, rank);
  };
  std::vector<std::size_t> order(found.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(position(a), position(b));
  });
  if (found.count() > most) order.resize(static_cast<std::size_t>(most));
  BadIndices sorted{found.input, found.rank, {}, {}, found.is_uint64};
  for (const std::size_t at : order) {
    sorted.positions.insert(sorted.positions.end(), position(at).begin(), position(at).end());
    sorted.values.push_back(found.values[at]);
  }
  return sorted;
}

// The first `most` illegal elements of one index tensor.
BadIndices list_input(const Operation& operation, std::span<const TensorView> inputs,
                      std::size_t input, std::int64_t most, Interruption* interruption) {
  const TensorView& indices = inputs[input];
  BadIndices found{
      operation.input_names[input], indices.shape.rank(), {}, {}, indices.dtype == DType::kUint64};
  int terms = 0;
  for (const AxisMap& axis : operation.map.axes) {
    for (const IndexTerm& term : axis.terms) {
      if (static_cast<std::size_t>(term.input) != input) continue;
      list_term(term, indices, most, interruption, found);
      ++terms;
    }
  }
  return terms == 1 ? found : first_in_order(found, most);
}

std::string legal_text(const IndexTerm& term) {
  const std::string range = to_string(*term.legal);
  return (range.empty() ? "no index is legal" : "legal: " + range) +
         (term.padding ? ", padding: " + std::to_string(*term.padding) : "");
}

struct Finding {
  Scan scan;
  const IndexTerm* term = nullptr;
  std::size_t axis = 0;
};

// Of two findings in one index tensor: whether `a` comes first in row-major order.
bool comes_before(const Dims& a, const Dims& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// The name of the tensor that the indices address.
std::string addressed_name(const Operation& operation) {
  if (operation.data_input < 0 || operation.data_element >= 0) return "output";
  return operation.input_names[static_cast<std::size_t>(operation.data_input)];
}

Status make_error(const Operation& operation, std::span<const TensorView> inputs,
                  const Finding& finding, std::int64_t count, BadIndices listed) {
  const auto input = static_cast<std::size_t>(finding.term->input);
  const std::string& name = operation.input_names[input];
  const std::int64_t extent = operation.map.axes[finding.axis].extent;
  auto fault = std::make_shared<IndexFault>();
  fault->input = name;
  fault->position.assign(finding.scan.first.begin(), finding.scan.first.end());
  fault->value = finding.scan.first_value;
  fault->value_text = finding.scan.first_text;
  fault->axis = static_cast<std::int64_t>(finding.axis);
  fault->extent = extent;
  fault->count = count;
  fault->listed = std::move(listed);
  const std::int64_t total = element_count(inputs[input].shape).value_or(0);
  const std::string position = finding.scan.first.empty() ? "" : to_string(finding.scan.first);
  const bool refused = operation.refuse_negative && finding.scan.first_value < 0;
  ErrorInfo info;
  info.code = ErrorCode::kIndexOutOfRange;
  info.operator_name = operation.operator_name;
  info.constraint = refused ? "CALL-O3" : operation.index_constraint;
  info.message = operation.operator_name + " [" + info.constraint + "]: " + name + position +
                 " is " + finding.scan.first_text +
                 (refused ? ", negative, and the call says negative=error"
                          : ", out of range for axis " + std::to_string(finding.axis) + " of " +
                                addressed_name(operation) + " with extent " +
                                std::to_string(extent) + " (" + legal_text(*finding.term) + ")") +
                 "; " + std::to_string(count) + " of " + std::to_string(total) + " indices " +
                 (count == 1 ? "is" : "are") +
                 (operation.refuse_negative ? " refused" : " out of range");
  info.index_fault = std::move(fault);
  return Status(std::move(info));
}

}  // namespace

Status describe_illegal_indices(const Operation& operation, std::span<const TensorView> inputs,
                                Interruption* interruption, std::int64_t listed) {
  Finding first;
  std::int64_t count = 0;
  for (std::size_t a = 0; a < operation.map.axes.size(); ++a) {
    for (const IndexTerm& term : operation.map.axes[a].terms) {
      const Scan scan = scan_term(term, inputs[static_cast<std::size_t>(term.input)], interruption);
      if (scan.count == 0) continue;
      count += scan.count;
      if (first.term == nullptr || comes_before(scan.first, first.scan.first))
        first = {scan, &term, a};
    }
  }
  if (first.term == nullptr) return {};
  BadIndices list;
  if (listed > 0)
    list = list_input(operation, inputs, static_cast<std::size_t>(first.term->input), listed,
                      interruption);
  return make_error(operation, inputs, first, count, std::move(list));
}

Status describe_illegal(const Operation& operation, std::span<const TensorView> inputs,
                        std::size_t axis, const IndexTerm& term, std::vector<IllegalIndex> found,
                        std::int64_t listed) {
  if (found.empty()) return {};
  std::sort(found.begin(), found.end(), [](const IllegalIndex& a, const IllegalIndex& b) {
    return comes_before(a.position, b.position);
  });
  const auto input = static_cast<std::size_t>(term.input);
  const DType dtype = inputs[input].dtype;
  const IllegalIndex& first = found.front();
  const std::byte* element = first.element.data();
  const auto count = static_cast<std::int64_t>(found.size());
  const Finding finding{
      {count, first.position, read_index(dtype, element), index_text(dtype, element)}, &term, axis};
  BadIndices list{
      operation.input_names[input], inputs[input].shape.rank(), {}, {}, dtype == DType::kUint64};
  for (std::int64_t i = 0; i < std::min(listed, count); ++i) {
    const IllegalIndex& one = found[static_cast<std::size_t>(i)];
    list.positions.insert(list.positions.end(), one.position.begin(), one.position.end());
    std::int64_t value = read_index(dtype, one.element.data());
    if (dtype == DType::kUint64) std::memcpy(&value, one.element.data(), sizeof value);
    list.values.push_back(value);
  }
  return make_error(operation, inputs, finding, count, listed > 0 ? std::move(list) : BadIndices());
}

namespace {

// The elements of an index tensor that one term reads, as a nest with one track: the distance in
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
  std::optional<std::int64_t> padding;
  std::atomic<bool> illegal{false};

  // Whether `count` elements, at most kBlockPoints and `step` bytes apart, are all legal.
  bool is_legal(const std::byte* first, std::int64_t step, std::int64_t count) const {
    const auto width = static_cast<std::int64_t>(dtype_bits(indices.dtype) / 8);
    const WithinFunction within = kernels.of_type<Family::kAllWithin>(indices.dtype);
    const bool has_gap = term.legal->has_gap();
    if (padding && (has_gap || indices.dtype == DType::kUint64))
      return is_legal_or_padding(first, step, count);
    const LegalIndices legal{term.legal->low, term.legal->high, padding};
    if (step == width && within != nullptr && !has_gap) return within(first, count, legal);
    std::int64_t values[kBlockPoints];
    kernels.of_type<Family::kLoad>(indices.dtype)(first, step, count, values);
    if (has_gap)
      return std::all_of(values, values + count,
                         [this](auto v) { return term.legal->contains(v); });
    return kernels.of_type<Family::kAllWithin>(DType::kInt64)(
        reinterpret_cast<const std::byte*>(values), count, legal);
  }

  bool is_legal_or_padding(const std::byte* first, std::int64_t step, std::int64_t count) const {
    std::int64_t values[kBlockPoints];
    bool padded[kBlockPoints];
    load_padded(kernels, indices.dtype, *padding, first, step, count, values, padded);
    bool all = true;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t value = indices.dtype == DType::kUint64
                                     ? index_value(static_cast<std::uint64_t>(values[j]))
                                     : values[j];
      all &= padded[j] || term.legal->contains(value);
    }
    return all;
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
  std::optional<std::int64_t> padding = padding_of(term, indices.dtype);
  if (padding && term.legal->contains(*padding)) padding.reset();
  Check check{term, indices, kernels, interruption, elements_of(term, indices), padding};
  const std::int64_t points = point_count(check.nest);
  const int tasks = useful_tasks(points, least_task_indices(), threads);
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
