// Operators whose results hold what is left of several elements.

#include <algorithm>

#include "src/base/checked.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

// The axes that a reduction goes over, and the shape that it leaves.
struct Reduction {
  bool is_known = false;
  std::vector<bool> over;  // by axis
  SymbolicShape dims;
  Interval count{0, Extents::kLargest};  // of elements that become one
};

Interval product(const Interval& a, const Interval& b) {
  if (is_single(a) && a.low == 1) return b;
  if (is_single(b) && b.low == 1) return a;
  return {checked_mul(a.low, b.low).value_or(Interval::kHighest),
          checked_mul(a.high, b.high).value_or(Interval::kHighest)};
}

Reduction reduction_of(Production& p) {
  Reduction reduction;
  const SymbolicShape& from = p.given(0).dims;
  const bool keeps =
      p.flag(p.has_attribute("keep_dims") ? "keep_dims" : "keepdims", !p.is_openvino());
  const auto axes = p.list("axes", 1);
  if (!from || (p.has_list("axes", 1) && !axes)) return reduction;
  const bool all = !axes || axes->empty();
  const bool none = all && p.flag("noop_with_empty_axes", false);
  reduction.over.assign(from->size(), all && !none && (!p.is_openvino() || !axes));
  for (const std::int64_t axis : axes.value_or(std::vector<std::int64_t>())) {
    const auto place = place_of_axis(axis, from->size());
    if (!place) return reduction;
    reduction.over[*place] = true;
  }
  reduction.is_known = true;
  reduction.dims.emplace();
  reduction.count = {1, 1};
  for (std::size_t i = 0; i < from->size(); ++i) {
    if (!reduction.over[i]) {
      reduction.dims->push_back((*from)[i]);
      continue;
    }
    reduction.count = product(reduction.count, p.extents().extent_of((*from)[i]));
    if (keeps) reduction.dims->push_back(Dim{1, {}});
  }
  return reduction;
}

// The sum of all elements of no extent is 0.
void reduce_sum(Production& p) {
  const Reduction reduction = reduction_of(p);
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = reduction.dims;
  if (!is_integer(data.dtype) || reduction.count.high == Interval::kHighest) return;
  const Interval element = integer_of(data, p.extents());
  result.range =
      tensor_range(IntegerArithmetic(data.dtype, p.extents()).sum_of(element, reduction.count));
}

// What is left of no elements is the type's end, or an error.
void reduce_to_end(Production& p, bool is_maximum) {
  const Reduction reduction = reduction_of(p);
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = reduction.dims;
  const bool may_be_empty = reduction.count.low == 0;
  if (is_integer(data.dtype) || data.dtype == DType::kBool) {
    Interval all = integer_of(data, p.extents());
    const Interval type = type_interval(data.dtype);
    if (may_be_empty && is_maximum) {
      all.low = type.low;
      all.above.reset();
    } else if (may_be_empty) {
      all.high = type.high;
      all.below.reset();
    }
    result.range = tensor_range(all);
  } else if (has_float_intervals(data.dtype)) {
    const FloatInterval nothing;
    FloatInterval all = float_of(data);
    // Hosts skip NaN, or give it.
    if (may_be_empty || all.may_be_nan) {
      all.low = nothing.low;
      all.high = nothing.high;
    }
    result.range = tensor_range(all);
  }
}

void reduce_max(Production& p) { reduce_to_end(p, true); }
void reduce_min(Production& p) { reduce_to_end(p, false); }

// Sums of the elements before each one: with it, or without it.
void cumulative_sum(Production& p) {
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = data.dims;
  if (!is_integer(data.dtype) || !data.dims) return;
  const auto number = p.has(1) ? known_integers(p.parameter(1)) : std::vector<std::int64_t>{0};
  const auto axis = number && number->size() == 1
                        ? place_of_axis(number->front(), data.dims->size())
                        : std::nullopt;
  if (!axis) return;
  const bool is_exclusive = p.flag("exclusive", false);
  Interval count = is_exclusive ? p.extents().position_on((*data.dims)[*axis])
                                : p.extents().extent_of((*data.dims)[*axis]);
  count.low = is_exclusive ? 0 : 1;
  count.above.reset();
  count.high = std::max(count.high, count.low);
  const Interval element = integer_of(data, p.extents());
  result.range = tensor_range(IntegerArithmetic(data.dtype, p.extents()).sum_of(element, count));
}

// Whether any, or all, of the elements are true.
void reduce_booleans(Production& p) {
  p.output().dtype = p.given(0).dtype;
  p.output().dims = reduction_of(p).dims;
}

constexpr ProducerRow kRows[] = {
    {"onnx", "ReduceSum", 1, reduce_sum},
    {"onnx", "ReduceMax", 1, reduce_max},
    {"onnx", "ReduceMin", 1, reduce_min},
    {"onnx", "CumSum", 11, cumulative_sum},
    {"openvino", "ReduceSum", 1, reduce_sum},
    {"openvino", "ReduceMax", 1, reduce_max},
    {"openvino", "ReduceMin", 1, reduce_min},
    {"openvino", "ReduceLogicalAnd", 1, reduce_booleans},
    {"openvino", "ReduceLogicalOr", 1, reduce_booleans},
    {"openvino", "CumSum", 1, cumulative_sum},
};

}  // namespace

std::span<const ProducerRow> reduction_producers() { return kRows; }

}  // namespace windrow::internal
