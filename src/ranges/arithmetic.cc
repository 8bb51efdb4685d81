// Operators that compute each element of the result from the elements at the same position. The
// file is longer than 300 lines because it has many producers of a few lines each.

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
  Interval (Integers::*integers)(const Interval&, const Interval&) const;
  // Null if nothing is known of results of floats.
  FloatInterval (Floats::*floats)(const FloatInterval&, const FloatInterval&) const;
  // Whether each result is one of the operands.
  bool chooses = false;
  bool divides = false;
};

const Interval kNone{1, 0};

// Whether the runtimes tell which of two integers is the larger one. Where they compare halves as
// signed numbers, they do so if both fit in 32 bits, or if the other's upper half is another one.
bool are_ordered(const Production& p, DType type, const Interval& a, const Interval& b) {
  if (!p.extents().profile().compares_by_signed_halves || type != DType::kInt64) return true;
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  const Interval held = type_interval(DType::kInt32);
  const auto fits = [&](const Interval& x) { return held.low <= x.low && x.high <= held.high; };
  const auto is_far = [](const Interval& x) { return x.low >= kFar || x.high < -kFar; };
  return fits(a) ? fits(b) || is_far(b) : is_far(a) && fits(b);
}

// An input whose integers are compared.
ValueFact compared_input(Production& p, std::size_t input) {
  return p.extents().profile().compares_by_signed_halves ? p.in_32_bits(input) : p.input(input);
}

// The result of two integers of which one or both are extents beyond those that fit in memory, so
// that it may be beyond the type: it is not, by the premise that they are not.
Interval combine_extents(Production& p, const Binary& op, DType type, const Interval& a,
                         const Interval& b) {
  const Integers arithmetic(type, p.extents());
  const Interval result = (arithmetic.*op.integers)(p.fitting(a), p.fitting(b));
  if (result != p.extents().profile().anything(type)) return result;
  return (arithmetic.*op.integers)(p.narrowed(a, DType::kInt32), p.narrowed(b, DType::kInt32));
}

// Replaces the bound `extent + m` by `-extent + k`, which is weaker, or the other way round, where
// this is so only by the premise that the extent is at least 1, which is added.
void replace_by_mirrored(Production& p, std::optional<ExtentBound>& bound,
                         const std::optional<ExtentBound>& mirrored, bool is_upper) {
  if (!bound || !mirrored || bound->extent != mirrored->extent) return;
  const std::int64_t sign = is_upper ? 1 : -1;
  if (mirrored->factor != sign || bound->factor != -sign) return;
  const std::int64_t gap = sign * (bound->offset - mirrored->offset);
  if (gap <= 0 || gap > 2) return;
  p.assume_not_empty(mirrored->extent);
  bound = mirrored;
}

// Two integers that Min or Max choose from, as on an axis that is not empty: there the last
// position is at least minus the extent.
std::pair<Interval, Interval> with_an_element(Production& p, const Binary& op, Interval a,
                                              Interval b) {
  if (op.integers == &Integers::minimum) {
    replace_by_mirrored(p, a.above, b.above, false);
    replace_by_mirrored(p, b.above, a.above, false);
  } else {
    replace_by_mirrored(p, a.below, b.below, true);
    replace_by_mirrored(p, b.below, a.below, true);
  }
  return {a, b};
}

// The result of two integers. It says nothing where a runtime may round them or the result.
Interval combine_integers(Production& p, const Binary& op, DType type, const Interval& a,
                          const Interval& b) {
  if (is_empty(a) || is_empty(b)) return kNone;
  const Integers arithmetic(type, p.extents());
  if (op.chooses && !are_ordered(p, type, a, b)) return p.compared(join(a, b, p.extents()));
  if (op.chooses) {
    const auto [x, y] = with_an_element(p, op, a, b);
    return p.compared((arithmetic.*op.integers)(x, y));
  }
  const Interval nothing = p.extents().profile().anything(type);
  const auto apply = [&](const Interval& x, const Interval& y) {
    const Interval result = (arithmetic.*op.integers)(x, y);
    return result == nothing ? combine_extents(p, op, type, x, y) : result;
  };
  return p.exact(a, b, apply).value_or(nothing);
}

FloatInterval combine_floats(const Production& p, const Binary& op, DType type,
                             const FloatInterval& a, const FloatInterval& b) {
  const Floats arithmetic(type);
  const ArithmeticProfile& profile = p.extents().profile();
  FloatInterval result = (arithmetic.*op.floats)(a, b);
  if (op.divides && profile.rounds_to_bfloat16) {
    const FloatInterval reciprocal = arithmetic.divide({1, 1, false}, b);
    result = join(result, arithmetic.multiply(a, profile.stored(reciprocal)));
  }
  return profile.stored(result);
}

// The result of two operands of one type, in that type.
ValueFact combine(Production& p, const ValueFact& a, const ValueFact& b, const Binary& op) {
  const Broadcast pairs({&a, &b}, p.extents());
  ValueFact result;
  result.dtype = a.dtype;
  result.dims = p.broadcast_shape({&a.dims, &b.dims});
  if (a.dtype != b.dtype) return result;
  result.range = pairs.result();
  if (is_integer(a.dtype)) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
      result.range.integers.push_back(
          combine_integers(p, op, a.dtype, pairs.integer(0, i), pairs.integer(1, i)));
  } else if (has_float_intervals(a.dtype) && op.floats != nullptr) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
      result.range.floats.push_back(
          combine_floats(p, op, a.dtype, pairs.real(0, i), pairs.real(1, i)));
  }
  return result;
}

constexpr Binary kAdd = {&Integers::add, &Floats::add};
constexpr Binary kSubtract = {&Integers::subtract, &Floats::subtract};
constexpr Binary kMultiply = {&Integers::multiply, &Floats::multiply};
constexpr Binary kMinimum = {&Integers::minimum, &Floats::minimum, true};
constexpr Binary kMaximum = {&Integers::maximum, &Floats::maximum, true};
constexpr Binary kDivideTowardZero = {
    .integers = &Integers::divide_toward_zero, .floats = &Floats::divide, .divides = true};
constexpr Binary kDivideDown = {
    .integers = &Integers::divide_down, .floats = &Floats::divide, .divides = true};
constexpr Binary kRemainderOfDivisor = {&Integers::remainder_of_divisor, nullptr};
constexpr Binary kRemainderOfDividend = {&Integers::remainder_of_dividend, &Floats::remainder};
constexpr Binary kRemainderLikeFmod = {&Integers::remainder_like_fmod, &Floats::remainder};

// Combines any number of inputs, two at a time.
template <const Binary& kOp>
void fold(Production& p) {
  if (p.input_count() == 0) return;
  const auto operand = [&p](std::size_t i) {
    return kOp.chooses ? compared_input(p, i) : p.input(i);
  };
  ValueFact all = operand(0);
  all.constant = nullptr;
  all.source_input.clear();
  for (std::size_t i = 1; i < p.input_count(); ++i) all = combine(p, all, operand(i), kOp);
  p.output() = std::move(all);
}

void divide_openvino(Production& p) {
  return p.flag("m_pythondiv", true) ? fold<kDivideDown>(p) : fold<kDivideTowardZero>(p);
}

// For a divisor that is an extent of the model, adds the premise that it is at least 1.
template <const Binary& kOp>
void remainder(Production& p) {
  if (p.input_count() != 2) return;
  ValueFact divisor = p.input(1);
  for (Interval& interval : divisor.range.integers) {
    if (interval.low != 0 || !interval.above) continue;
    if (!is_extent_itself(*interval.above)) continue;
    p.assume_not_empty(interval.above->extent);
    interval.low = 1;
  }
  p.output() = combine(p, p.input(0), divisor, kOp);
}

void mod(Production& p) {
  return p.attribute("fmod", 0) != 0 ? remainder<kRemainderLikeFmod>(p)
                                     : remainder<kRemainderOfDivisor>(p);
}

struct Unary {
  // Null if nothing is known of results of integers.
  Interval (*integers)(const Integers&, const Interval&);
  FloatInterval (*floats)(const FloatInterval&);
  // Whether integers are compared with 0.
  bool compares = false;
};

template <const Unary& kOp>
void map_elements(Production& p) {
  const ValueFact from = kOp.compares ? compared_input(p, 0) : p.input(0);
  ValueFact& to = p.output();
  to.dtype = from.dtype;
  to.dims = from.dims;
  to.range.grain = from.range.grain;
  to.range.axis = from.range.axis;
  const Integers arithmetic(from.dtype, p.extents());
  if (kOp.integers != nullptr) {
    for (const Interval& a : from.range.integers) {
      const std::optional<Interval> x = is_empty(a) ? kNone : p.exact(a);
      std::optional<Interval> result =
          x && !is_empty(*x) ? p.exact(kOp.integers(arithmetic, *x)) : x;
      if (kOp.compares && !are_ordered(p, from.dtype, a, {0, 0})) result.reset();
      to.range.integers.push_back(result.value_or(p.extents().profile().anything(from.dtype)));
    }
  }
  if (!has_float_intervals(from.dtype)) return;
  for (const FloatInterval& a : from.range.floats) to.range.floats.push_back(kOp.floats(a));
  if (from.range.floats.empty()) to.range = tensor_range(kOp.floats({}));
}

constexpr auto kSame = [](const Integers&, const Interval& a) { return a; };
constexpr Unary kNegative = {[](const Integers& in, const Interval& a) { return in.negate(a); },
                             negate};
constexpr Unary kAbsolute = {[](const Integers& in, const Interval& a) { return in.absolute(a); },
                             absolute};
constexpr Unary kFloor = {kSame, [](const FloatInterval& a) { return mapped(a, std::floor); }};
constexpr Unary kCeiling = {kSame, [](const FloatInterval& a) { return mapped(a, std::ceil); }};
// To the nearest integer, however halves are rounded.
constexpr Unary kRound = {
    kSame, [](const FloatInterval& a) {
      return FloatInterval{std::floor(a.low), std::ceil(a.high), a.may_be_nan};
    }};
constexpr Unary kSign = {[](const Integers&, const Interval& a) {
                           return Interval{std::clamp<std::int64_t>(a.low, -1, 1),
                                           std::clamp<std::int64_t>(a.high, -1, 1)};
                         },
                         [](const FloatInterval& a) {
                           return FloatInterval{-1, 1, a.may_be_nan};
                         },
                         true};
constexpr Unary kRelu = {[](const Integers& in, const Interval& a) {
                           return in.maximum(a, {0, 0});
                         },
                         [](const FloatInterval& a) {
                           return Floats(DType::kFloat64).maximum(a, {0, 0, false});
                         },
                         true};

// Hosts approximate it.
void sigmoid(Production& p) {
  const ValueFact& from = p.input(0);
  ValueFact& to = p.output();
  to.dtype = from.dtype;
  to.dims = from.dims;
  const double excess = p.extents().profile().sigmoid_excess;
  if (!has_float_intervals(from.dtype) || excess < 0) return;
  to.range =
      tensor_range(FloatArithmetic(from.dtype)
                       .cast(FloatInterval{0 - excess, 1 + excess, float_of(from).may_be_nan}));
}

// The elements of `data`, clipped to lie between two scalars. Crossed bounds prove nothing, since
// hosts differ.
ValueFact clipped(Production& p, const ValueFact& data, const ValueFact& low, ValueFact high) {
  ValueFact nothing;
  nothing.dtype = data.dtype;
  nothing.dims = data.dims;
  if (low.dtype != data.dtype || high.dtype != data.dtype) return nothing;
  if (is_integer(data.dtype)) {
    const Interval from = integer_of(low, p.extents());
    Interval to = integer_of(high, p.extents());
    if (is_less_or_equal(from, to).low == 0) {
      // The bounds may be such that only an extent of 0 makes them cross.
      const auto& end = to.above;
      const bool by_extent =
          end && end->factor == 1 && is_simple(*end) && from.high <= end->offset + 1;
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
  ValueFact result = combine(p, combine(p, data, low, kMaximum), high, kMinimum);
  result.dims = data.dims;
  return result;
}

// A scalar that is no restriction as a lower or upper bound.
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
  return p.has(position) ? compared_input(p, position) : unbounded(type, position == 1);
}

// A bound given by an attribute, which is a float whatever the type of the data; for integers it is
// rounded inward. A bound that no integer of the type meets gets no type, so that it proves
// nothing.
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

void clamp(Production& p) {
  const ValueFact data = compared_input(p, 0);
  p.output() =
      clipped(p, data, bound_of(p, "min", data.dtype, true), bound_of(p, "max", data.dtype, false));
}

void clip(Production& p) {
  if (p.version() != 0 && p.version() < 11) return clamp(p);
  const ValueFact data = compared_input(p, 0);
  p.output() = clipped(p, data, bound_of(p, 1, data.dtype), bound_of(p, 2, data.dtype));
}

constexpr ProducerRow kArithmetic[] = {
    {{"Add", 7}, {"Add"}, fold<kAdd>, true},
    {{"Sum", 8}, {}, fold<kAdd>, true},
    {{"Sub", 7}, {"Subtract"}, fold<kSubtract>, true},
    {{"Mul", 7}, {"Multiply"}, fold<kMultiply>, true},
    {{"Min", 8}, {"Minimum"}, fold<kMinimum>, true},
    {{"Max", 8}, {"Maximum"}, fold<kMaximum>, true},
    {{"Div", 7}, {}, fold<kDivideTowardZero>, true},
    {{}, {"Divide"}, divide_openvino, true},
    {{"Mod", 10}, {}, mod, true},
    {{}, {"Mod"}, remainder<kRemainderOfDividend>, true},
    {{}, {"FloorMod"}, remainder<kRemainderOfDivisor>, true},
    {{"Neg"}, {"Negative"}, map_elements<kNegative>, true},
    {{"Abs"}, {"Abs"}, map_elements<kAbsolute>, true},
    {{"Sign", 9}, {"Sign"}, map_elements<kSign>, true},
    {{"Floor"}, {"Floor"}, map_elements<kFloor>, true},
    {{"Ceil"}, {"Ceiling"}, map_elements<kCeiling>, true},
    {{"Round", 11}, {"Round", 5}, map_elements<kRound>, true},
    {{"Relu"}, {"ReLU"}, map_elements<kRelu>, true},
    {{"Sigmoid"}, {"Sigmoid"}, sigmoid, true},
    {{"Clip"}, {}, clip, true},
    {{}, {"Clamp"}, clamp, true},
};

}  // namespace

std::span<const ProducerRow> arithmetic_producers() { return kArithmetic; }

}  // namespace windrow::internal
