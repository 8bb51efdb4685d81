// Comparisons, logic on booleans, and the choice by a condition.

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

const Interval kEither{0, 1};

// The result of comparing two intervals of integers or of floats.
template <class T>
Interval compared(const T& a, const T& b, const Comparison& comparison) {
  const T& first = comparison.is_swapped ? b : a;
  const T& second = comparison.is_swapped ? a : b;
  const Interval result = comparison.order == Order::kLess ? is_less(first, second)
                          : comparison.order == Order::kLessOrEqual
                              ? is_less_or_equal(first, second)
                              : is_equal(first, second);
  return comparison.is_negated ? inverse(result) : result;
}

template <const Comparison& kComparison>
void compare(Production& p) {
  const ValueFact& a = p.input(0);
  const ValueFact& b = p.input(1);
  const Broadcast pairs({&a, &b}, p.extents());
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  result.dims = p.broadcast_shape({&a.dims, &b.dims});
  const bool counts = has_integer_intervals(a.dtype);
  if (a.dtype != b.dtype || (!counts && !has_float_intervals(a.dtype))) return;
  result.range = pairs.result();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Interval& x = pairs.integer(0, i);
    const Interval& y = pairs.integer(1, i);
    const bool is_none = counts && (is_empty(x) || is_empty(y));
    result.range.integers.push_back(
        is_none  ? kEither
        : counts ? compared(p.compared(x), p.compared(y), kComparison)
                 : compared(pairs.real(0, i), pairs.real(1, i), kComparison));
  }
}

constexpr Comparison kLess = {Order::kLess};
constexpr Comparison kLessOrEqual = {Order::kLessOrEqual};
constexpr Comparison kGreater = {.order = Order::kLess, .is_swapped = true};
constexpr Comparison kGreaterOrEqual = {.order = Order::kLessOrEqual, .is_swapped = true};
constexpr Comparison kEqual = {Order::kEqual};
constexpr Comparison kNotEqual = {.order = Order::kEqual, .is_negated = true};

using Logic = Interval (*)(const Interval&, const Interval&);

// Whether a boolean is 0 or 1.
bool is_clean(const Interval& a) { return a.low >= 0 && a.high <= 1; }

template <Logic kLogic>
void combine(Production& p) {
  const ValueFact& a = p.input(0);
  const ValueFact& b = p.input(1);
  const Broadcast pairs({&a, &b}, p.extents());
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  result.dims = p.broadcast_shape({&a.dims, &b.dims});
  if (a.dtype != DType::kBool || b.dtype != DType::kBool) return;
  result.range = pairs.result();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Interval& x = pairs.integer(0, i);
    const Interval& y = pairs.integer(1, i);
    result.range.integers.push_back(
        is_clean(x) && is_clean(y) ? kLogic(x, y) : p.extents().profile().anything(DType::kBool));
  }
}

Interval logical_and(const Interval& a, const Interval& b) {
  return {a.low & b.low, a.high & b.high};
}
Interval logical_or(const Interval& a, const Interval& b) {
  return {a.low | b.low, a.high | b.high};
}
Interval logical_xor(const Interval& a, const Interval& b) {
  if (!is_single(a) || !is_single(b)) return kEither;
  return {a.low ^ b.low, a.low ^ b.low};
}

void logical_not(Production& p) {
  p.output() = p.input(0);
  p.output().constant = nullptr;
  p.output().source_input.clear();
  for (Interval& a : p.output().range.integers)
    a = is_clean(a) ? inverse(a) : p.extents().profile().anything(DType::kBool);
}

// IsNaN, IsInf.
void test_floats(Production& p) {
  p.output().dtype = DType::kBool;
  p.output().dims = p.given(0).dims;
  p.output().range = tensor_range(Interval{0, 1});
}

void choose(Production& p) {
  const ValueFact& condition = p.input(0);
  const ValueFact& first = p.input(1);
  const ValueFact& second = p.input(2);
  const Broadcast all({&condition, &first, &second}, p.extents());
  ValueFact& result = p.output();
  result.dtype = first.dtype;
  result.dims = p.broadcast_shape({&condition.dims, &first.dims, &second.dims});
  if (first.dtype != second.dtype || condition.dtype != DType::kBool) return;
  if (first.source_input == second.source_input) result.source_input = first.source_input;
  result.range = all.result();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_first = all.integer(0, i).low == 1;
    const bool is_second = all.integer(0, i).high == 0;
    if (has_integer_intervals(result.dtype)) {
      const Interval& a = all.integer(1, i);
      const Interval& b = all.integer(2, i);
      result.range.integers.push_back(is_first ? a : is_second ? b : join(a, b, p.extents()));
    } else if (has_float_intervals(result.dtype)) {
      const FloatInterval& a = all.real(1, i);
      const FloatInterval& b = all.real(2, i);
      result.range.floats.push_back(is_first ? a : is_second ? b : join(a, b));
    }
  }
}

constexpr ProducerRow kRows[] = {
    {{"Less", 7}, {"Less"}, compare<kLess>, true, &kLess},
    {{"LessOrEqual", 12}, {"LessEqual"}, compare<kLessOrEqual>, true, &kLessOrEqual},
    {{"Greater", 7}, {"Greater"}, compare<kGreater>, true, &kGreater},
    {{"GreaterOrEqual", 12}, {"GreaterEqual"}, compare<kGreaterOrEqual>, true, &kGreaterOrEqual},
    {{"Equal", 7}, {"Equal"}, compare<kEqual>, true, &kEqual},
    {{}, {"NotEqual"}, compare<kNotEqual>, true, &kNotEqual},
    {{"And", 7}, {"LogicalAnd"}, combine<logical_and>, true},
    {{"Or", 7}, {"LogicalOr"}, combine<logical_or>, true},
    {{"Xor", 7}, {"LogicalXor"}, combine<logical_xor>, true},
    {{"Not"}, {"LogicalNot"}, logical_not, true},
    {{"IsNaN", 9}, {}, test_floats, true},
    {{"IsInf", 10}, {}, test_floats, true},
    {{"Where", 9}, {"Select"}, choose, true},
};

}  // namespace

std::span<const ProducerRow> comparison_producers() { return kRows; }

}  // namespace windrow::internal
