// Comparisons, logic on booleans, and the choice by a condition.

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

struct Comparison {
  Interval (*integers)(const Interval&, const Interval&);
  Interval (*floats)(const FloatInterval&, const FloatInterval&);
  bool is_swapped;  // whether the second operand comes first
};

const Interval kEither{0, 1};

void compare(Production& p, const Comparison& comparison) {
  const ValueFact* facts[] = {&p.input(0), &p.input(1)};
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  const SymbolicShape* const shapes[] = {&facts[0]->dims, &facts[1]->dims};
  result.dims = broadcast(shapes);
  const DType type = facts[0]->dtype;
  if (type != facts[1]->dtype) return;
  const bool counts = is_integer(type) || type == DType::kBool;
  if (!counts && !has_float_intervals(type)) return;
  const Broadcast pairs(facts, result.dims, p.extents());
  result.range = pairs.result();
  const std::size_t first = comparison.is_swapped ? 1 : 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (counts) {
      const Interval& a = pairs.integer(first, i);
      const Interval& b = pairs.integer(1 - first, i);
      result.range.integers.push_back(is_empty(a) || is_empty(b) ? kEither
                                                                 : comparison.integers(a, b));
    } else {
      result.range.integers.push_back(
          comparison.floats(pairs.real(first, i), pairs.real(1 - first, i)));
    }
  }
}

void less(Production& p) { compare(p, {is_less, is_less, false}); }
void less_or_equal(Production& p) { compare(p, {is_less_or_equal, is_less_or_equal, false}); }
void greater(Production& p) { compare(p, {is_less, is_less, true}); }
void greater_or_equal(Production& p) { compare(p, {is_less_or_equal, is_less_or_equal, true}); }
void equal(Production& p) { compare(p, {is_equal, is_equal, false}); }
void not_equal(Production& p) {
  compare(p, {is_equal, is_equal, false});
  for (Interval& a : p.output().range.integers) a = {1 - a.high, 1 - a.low};
}

// Of two booleans.
void combine(Production& p, Interval (*op)(const Interval&, const Interval&)) {
  const ValueFact* facts[] = {&p.input(0), &p.input(1)};
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  const SymbolicShape* const shapes[] = {&facts[0]->dims, &facts[1]->dims};
  result.dims = broadcast(shapes);
  if (facts[0]->dtype != DType::kBool || facts[1]->dtype != DType::kBool) return;
  const Broadcast pairs(facts, result.dims, p.extents());
  result.range = pairs.result();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    result.range.integers.push_back(op(pairs.integer(0, i), pairs.integer(1, i)));
}

void logical_and(Production& p) {
  combine(p, [](const Interval& a, const Interval& b) {
    return Interval{a.low & b.low, a.high & b.high};
  });
}
void logical_or(Production& p) {
  combine(p, [](const Interval& a, const Interval& b) {
    return Interval{a.low | b.low, a.high | b.high};
  });
}
void logical_xor(Production& p) {
  combine(p, [](const Interval& a, const Interval& b) {
    if (!is_single(a) || !is_single(b)) return kEither;
    return Interval{a.low ^ b.low, a.low ^ b.low};
  });
}
void logical_not(Production& p) {
  p.output() = p.input(0);
  p.output().constant = nullptr;
  p.output().source_input.clear();
  for (Interval& a : p.output().range.integers) a = {1 - a.high, 1 - a.low};
}

// IsNaN, IsInf.
void test_floats(Production& p) {
  p.output().dtype = DType::kBool;
  p.output().dims = p.given(0).dims;
}

void choose(Production& p) {
  const ValueFact* facts[] = {&p.input(0), &p.input(1), &p.input(2)};
  const SymbolicShape* const shapes[] = {&facts[0]->dims, &facts[1]->dims, &facts[2]->dims};
  ValueFact& result = p.output();
  result.dtype = facts[1]->dtype;
  result.dims = broadcast(shapes);
  if (facts[1]->dtype != facts[2]->dtype || facts[0]->dtype != DType::kBool) return;
  if (facts[1]->source_input == facts[2]->source_input)
    result.source_input = facts[1]->source_input;
  const Broadcast all(facts, result.dims, p.extents());
  result.range = all.result();
  const bool counts = is_integer(result.dtype) || result.dtype == DType::kBool;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Interval& condition = all.integer(0, i);
    const bool is_first = condition.low == 1;
    const bool is_second = condition.high == 0;
    if (counts) {
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
    {"onnx", "Less", 7, less, true},
    {"onnx", "LessOrEqual", 12, less_or_equal, true},
    {"onnx", "Greater", 7, greater, true},
    {"onnx", "GreaterOrEqual", 12, greater_or_equal, true},
    {"onnx", "Equal", 7, equal, true},
    {"onnx", "And", 7, logical_and, true},
    {"onnx", "Or", 7, logical_or, true},
    {"onnx", "Xor", 7, logical_xor, true},
    {"onnx", "Not", 1, logical_not, true},
    {"onnx", "IsNaN", 9, test_floats, true},
    {"onnx", "IsInf", 10, test_floats, true},
    {"onnx", "Where", 9, choose, true},
    {"openvino", "Less", 1, less, true},
    {"openvino", "LessEqual", 1, less_or_equal, true},
    {"openvino", "Greater", 1, greater, true},
    {"openvino", "GreaterEqual", 1, greater_or_equal, true},
    {"openvino", "Equal", 1, equal, true},
    {"openvino", "NotEqual", 1, not_equal, true},
    {"openvino", "LogicalAnd", 1, logical_and, true},
    {"openvino", "LogicalOr", 1, logical_or, true},
    {"openvino", "LogicalXor", 1, logical_xor, true},
    {"openvino", "LogicalNot", 1, logical_not, true},
    {"openvino", "Select", 1, choose, true},
};

}  // namespace

std::span<const ProducerRow> comparison_producers() { return kRows; }

}  // namespace windrow::internal
