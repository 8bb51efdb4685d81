// Operators that compute each element of the result from elements at the same place. One file, long
// as it is: a producer is a few lines.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

using Integers = IntegerArithmetic;
using Floats = FloatArithmetic;

struct Binary {
  Interval (*integers)(const Integers&, const Interval&, const Interval&);
  FloatInterval (*floats)(const Floats&, const FloatInterval&, const FloatInterval&);
};

const Interval kNone{1, 0};

// The result of two operands of one type, in that type.
ValueFact combine(const ValueFact& a, const ValueFact& b, const Binary& op,
                  const Extents& extents) {
  ValueFact result;
  result.dtype = a.dtype;
  const SymbolicShape* const shapes[] = {&a.dims, &b.dims};
  result.dims = broadcast(shapes);
  if (a.dtype != b.dtype) return result;
  const ValueFact* const facts[] = {&a, &b};
  const Broadcast pairs(facts, result.dims, extents);
  result.range = pairs.result();
  if (is_integer(a.dtype)) {
    const Integers arithmetic(a.dtype, extents);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Interval& x = pairs.integer(0, i);
      const Interval& y = pairs.integer(1, i);
      result.range.integers.push_back(is_empty(x) || is_empty(y) ? kNone
                                                                 : op.integers(arithmetic, x, y));
    }
  } else if (has_float_intervals(a.dtype) && op.floats != nullptr) {
    const Floats arithmetic(a.dtype);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      result.range.floats.push_back(op.floats(arithmetic, pairs.real(0, i), pairs.real(1, i)));
  }
  return result;
}

// Of any number of inputs, two at a time.
void fold(Production& p, const Binary& op) {
  if (p.input_count() == 0) return;
  ValueFact all = p.input(0);
  all.constant = nullptr;
  all.source_input.clear();
  for (std::size_t i = 1; i < p.input_count(); ++i) all = combine(all, p.input(i), op, p.extents());
  p.output() = std::move(all);
}

constexpr Binary kAdd = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.add(a, b); },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) { return in.add(a, b); }};
constexpr Binary kSubtract = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.subtract(a, b); },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) {
      return in.add(a, negate(b));
    }};
constexpr Binary kMultiply = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.multiply(a, b); },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) {
      return in.multiply(a, b);
    }};
constexpr Binary kMinimum = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.minimum(a, b); },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) {
      return in.minimum(a, b);
    }};
constexpr Binary kMaximum = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.maximum(a, b); },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) {
      return in.maximum(a, b);
    }};
constexpr auto kDivideFloats = [](const Floats& in, const FloatInterval& a,
                                  const FloatInterval& b) { return in.divide(a, b); };
constexpr Binary kDivideTowardZero = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.divide(a, b, false); },
    kDivideFloats};
constexpr Binary kDivideDown = {
    [](const Integers& in, const Interval& a, const Interval& b) { return in.divide(a, b, true); },
    kDivideFloats};
constexpr Binary kRemainderOfDividend = {
    [](const Integers& in, const Interval& a, const Interval& b) {
      return in.remainder(a, b, false);
    },
    [](const Floats& in, const FloatInterval& a, const FloatInterval& b) {
      return in.remainder(a, b);
    }};
constexpr Binary kRemainderOfDivisor = {[](const Integers& in, const Interval& a,
                                           const Interval& b) { return in.remainder(a, b, true); },
                                        nullptr};

void add(Production& p) { fold(p, kAdd); }
void subtract(Production& p) { fold(p, kSubtract); }
void multiply(Production& p) { fold(p, kMultiply); }
void minimum(Production& p) { fold(p, kMinimum); }
void maximum(Production& p) { fold(p, kMaximum); }
void divide(Production& p) { fold(p, kDivideTowardZero); }
void divide_openvino(Production& p) {
  fold(p, p.flag("m_pythondiv", true) ? kDivideDown : kDivideTowardZero);
}

// A divisor that is an extent of the model is taken for at least 1.
void remainder(Production& p, const Binary& op) {
  if (p.input_count() != 2) return;
  ValueFact divisor = p.input(1);
  for (Interval& interval : divisor.range.integers) {
    if (interval.low != 0 || !interval.above || interval.above->factor != 1) continue;
    if (interval.above->offset != 0) continue;
    p.assume_not_empty(interval.above->extent);
    interval.low = 1;
  }
  p.output() = combine(p.input(0), divisor, op, p.extents());
}

void mod(Production& p) {
  remainder(p, p.attribute("fmod", 0) != 0 ? kRemainderOfDividend : kRemainderOfDivisor);
}
void mod_openvino(Production& p) { remainder(p, kRemainderOfDividend); }
void floor_mod(Production& p) { remainder(p, kRemainderOfDivisor); }

// Of each element of one input.
struct Unary {
  Interval (*integers)(const Integers&, const Interval&);
  FloatInterval (*floats)(const FloatInterval&);
};

void map_elements(Production& p, const Unary& op) {
  const ValueFact& from = p.input(0);
  ValueFact& to = p.output();
  to.dtype = from.dtype;
  to.dims = from.dims;
  to.range.grain = from.range.grain;
  to.range.axis = from.range.axis;
  const Integers arithmetic(from.dtype, p.extents());
  if (op.integers != nullptr)
    for (const Interval& a : from.range.integers)
      to.range.integers.push_back(is_empty(a) ? kNone : op.integers(arithmetic, a));
  if (!has_float_intervals(from.dtype) || op.floats == nullptr) return;
  for (const FloatInterval& a : from.range.floats) to.range.floats.push_back(op.floats(a));
  if (from.range.floats.empty()) to.range = tensor_range(op.floats({}));
}

void negative(Production& p) {
  map_elements(p, {[](const Integers& in, const Interval& a) { return in.negate(a); }, negate});
}
void absolute_value(Production& p) {
  map_elements(p, {[](const Integers& in, const Interval& a) { return in.absolute(a); }, absolute});
}
void sign(Production& p) {
  map_elements(p, {[](const Integers&, const Interval& a) {
                     return Interval{a.low > 0 ? 1 : (a.low == 0 ? 0 : -1),
                                     a.high > 0 ? 1 : (a.high == 0 ? 0 : -1)};
                   },
                   [](const FloatInterval& a) {
                     return FloatInterval{-1, 1, a.may_be_nan};
                   }});
}
void round_down(Production& p) {
  map_elements(p, {[](const Integers&, const Interval& a) { return a; },
                   [](const FloatInterval& a) { return mapped(a, std::floor); }});
}
void round_up(Production& p) {
  map_elements(p, {[](const Integers&, const Interval& a) { return a; },
                   [](const FloatInterval& a) { return mapped(a, std::ceil); }});
}
// To the nearest integer, whatever becomes of halves.
void round_nearest(Production& p) {
  map_elements(p, {[](const Integers&, const Interval& a) { return a; },
                   [](const FloatInterval& a) {
                     return FloatInterval{std::floor(a.low), std::ceil(a.high), a.may_be_nan};
                   }});
}
void relu(Production& p) {
  map_elements(p, {[](const Integers& in, const Interval& a) {
                     return in.maximum(a, {0, 0});
                   },
                   [](const FloatInterval& a) {
                     return FloatArithmetic(DType::kFloat64).maximum(a, {0, 0, false});
                   }});
}
void sigmoid(Production& p) {
  map_elements(p, {nullptr, [](const FloatInterval& a) {
                     return FloatInterval{0, 1, a.may_be_nan};
                   }});
}

// What lies between two scalars. Crossed bounds prove nothing: hosts differ.
ValueFact clipped(Production& p, const ValueFact& data, const ValueFact& low, ValueFact high) {
  ValueFact nothing;
  nothing.dtype = data.dtype;
  nothing.dims = data.dims;
  if (low.dtype != data.dtype || high.dtype != data.dtype) return nothing;
  if (is_integer(data.dtype)) {
    const Interval from = integer_of(low, p.extents());
    Interval to = integer_of(high, p.extents());
    if (is_less_or_equal(from, to).low == 0) {
      // Ends that only an extent of 0 crosses.
      const auto& end = to.above;
      const bool by_extent = end && end->factor == 1 && from.high <= end->offset + 1;
      if (!by_extent) return nothing;
      p.assume_not_empty(end->extent);
      to.low = std::max(to.low, end->offset + 1);
      high.range = tensor_range(to);
    }
  } else if (has_float_intervals(data.dtype)) {
    const FloatInterval from = float_of(low);
    const FloatInterval to = float_of(high);
    if (from.may_be_nan || to.may_be_nan || from.high > to.low) return nothing;
  }
  ValueFact result =
      combine(combine(data, low, kMaximum, p.extents()), high, kMinimum, p.extents());
  result.dims = data.dims;
  return result;
}

// A scalar that bounds nothing.
ValueFact unbounded(DType type, bool is_low) {
  ValueFact fact;
  fact.dtype = type;
  fact.dims.emplace();
  if (is_integer(type)) {
    const Interval all = type_interval(type);
    fact.range = tensor_range(is_low ? Interval{all.low, all.low} : Interval{all.high, all.high});
  } else {
    const double infinity = std::numeric_limits<double>::infinity();
    const double end = is_low ? -infinity : infinity;
    fact.range = tensor_range(FloatInterval{end, end, false});
  }
  return fact;
}

ValueFact bound_of(Production& p, std::size_t position, DType type) {
  return p.has(position) ? p.input(position) : unbounded(type, position == 1);
}

// The bound is a float, whatever the type of the data: that of integers is rounded inward. A bound
// of integers that leaves none of the type's is of no type, which proves nothing.
ValueFact bound_of(const Production& p, std::string_view name, DType type, bool is_low) {
  ValueFact fact = unbounded(type, is_low);
  const std::optional<double> bound = p.number(name);
  if (!bound) return fact;
  if (has_float_intervals(type)) {
    fact.range = tensor_range(FloatArithmetic(type).cast(FloatInterval{*bound, *bound, false}));
    return fact;
  }
  const double inward = is_low ? std::ceil(*bound) : std::floor(*bound);
  const auto whole = truncate({inward, inward, false}, type);
  if (whole) fact.range = tensor_range(*whole);
  if (!whole && (inward > 0) == is_low) fact.dtype = DType::kAbsent;
  return fact;
}

void clip(Production& p) {
  const ValueFact& data = p.input(0);
  const bool by_attributes = p.version() != 0 && p.version() < 11;
  p.output() = clipped(
      p, data, by_attributes ? bound_of(p, "min", data.dtype, true) : bound_of(p, 1, data.dtype),
      by_attributes ? bound_of(p, "max", data.dtype, false) : bound_of(p, 2, data.dtype));
}

void clamp(Production& p) {
  const ValueFact& data = p.input(0);
  p.output() =
      clipped(p, data, bound_of(p, "min", data.dtype, true), bound_of(p, "max", data.dtype, false));
}

constexpr ProducerRow kRows[] = {
    {"onnx", "Add", 7, add, true},
    {"onnx", "Sub", 7, subtract, true},
    {"onnx", "Mul", 7, multiply, true},
    {"onnx", "Div", 7, divide, true},
    {"onnx", "Mod", 10, mod, true},
    {"onnx", "Min", 8, minimum, true},
    {"onnx", "Max", 8, maximum, true},
    {"onnx", "Sum", 8, add, true},
    {"onnx", "Neg", 1, negative, true},
    {"onnx", "Abs", 1, absolute_value, true},
    {"onnx", "Sign", 9, sign, true},
    {"onnx", "Floor", 1, round_down, true},
    {"onnx", "Ceil", 1, round_up, true},
    {"onnx", "Round", 11, round_nearest, true},
    {"onnx", "Relu", 1, relu, true},
    {"onnx", "Sigmoid", 1, sigmoid, true},
    {"onnx", "Clip", 1, clip, true},
    {"openvino", "Add", 1, add, true},
    {"openvino", "Subtract", 1, subtract, true},
    {"openvino", "Multiply", 1, multiply, true},
    {"openvino", "Divide", 1, divide_openvino, true},
    {"openvino", "Mod", 1, mod_openvino, true},
    {"openvino", "FloorMod", 1, floor_mod, true},
    {"openvino", "Minimum", 1, minimum, true},
    {"openvino", "Maximum", 1, maximum, true},
    {"openvino", "Negative", 1, negative, true},
    {"openvino", "Abs", 1, absolute_value, true},
    {"openvino", "Sign", 1, sign, true},
    {"openvino", "Floor", 1, round_down, true},
    {"openvino", "Ceiling", 1, round_up, true},
    {"openvino", "Round", 5, round_nearest, true},
    {"openvino", "ReLU", 1, relu, true},
    {"openvino", "Sigmoid", 1, sigmoid, true},
    {"openvino", "Clamp", 1, clamp, true},
};

}  // namespace

std::span<const ProducerRow> arithmetic_producers() { return kRows; }

}  // namespace windrow::internal
