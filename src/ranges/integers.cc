#include "src/ranges/integers.h"

// The file is longer than 300 lines because the arithmetic of intervals is one concept with many
// small operations.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "src/base/integers.h"
#include "src/ranges/floats.h"

namespace windrow::internal {
namespace {

using Number = std::optional<std::int64_t>;  // absent if it may be beyond int64

// One end of an interval before it is fitted to a type.
struct End {
  Number number;
  std::optional<ExtentBound> extent;
};
struct Ends {
  End low;
  End high;
};

// The interval's ends; kHighest is no bound for uint64.
Ends ends_of(const Interval& a, DType type) {
  const bool is_open = type == DType::kUint64 && a.high == Interval::kHighest;
  return {{a.low, a.above}, {is_open ? Number() : Number(a.high), a.below}};
}

std::optional<ExtentBound> shifted(const std::optional<ExtentBound>& bound, const Number& by) {
  if (!bound || !by) return std::nullopt;
  const Number offset = checked_add(bound->offset, *by);
  if (!offset || *offset > Extents::kLargestOffset || *offset < -Extents::kLargestOffset)
    return std::nullopt;
  ExtentBound result = *bound;
  result.offset = *offset;
  return result;
}

ExtentBound without_offset(ExtentBound bound) {
  bound.offset = 0;
  return bound;
}

std::optional<ExtentBound> negated(std::optional<ExtentBound> bound) {
  if (!bound) return std::nullopt;
  bound->offset = -bound->offset;
  bound->factor = -bound->factor;
  return bound;
}

// Whether two bounds differ by their offsets alone.
bool are_parallel(const std::optional<ExtentBound>& a, const std::optional<ExtentBound>& b) {
  return a && b && without_offset(*a) == without_offset(*b);
}

bool cancels(const std::optional<ExtentBound>& a, const std::optional<ExtentBound>& b) {
  return are_parallel(a, negated(b));
}

// The sum of a product (a + s) b and the extent b: (a + s + 1) b; nothing for others.
std::optional<ExtentBound> sum_of_products(const std::optional<ExtentBound>& a,
                                           const std::optional<ExtentBound>& b) {
  if (!a || !b || is_simple(*a) || !is_simple(*b)) return std::nullopt;
  if (a->factor != 1 || b->factor != 1 || a->times != b->extent) return std::nullopt;
  ExtentBound result = *a;
  ++result.shift;
  return shifted(result, b->offset);
}

Number sum(const Number& a, const Number& b) { return a && b ? checked_add(*a, *b) : std::nullopt; }

// The sum of two lower or of two upper ends. It keeps one of the two bounds by extents, preferably
// that of an end whose other summand is a single number.
End sum(const End& a, const End& b, bool b_is_single) {
  End result{sum(a.number, b.number), std::nullopt};
  const std::optional<ExtentBound> of_a = shifted(a.extent, b.number);
  const std::optional<ExtentBound> of_b = shifted(b.extent, a.number);
  result.extent = of_a && (b_is_single || !of_b) ? of_a : of_b;
  if (const auto both = sum_of_products(a.extent, b.extent)) result.extent = both;
  if (const auto both = sum_of_products(b.extent, a.extent)) result.extent = both;
  return result;
}

Ends sum(const Ends& a, const Ends& b) {
  const auto is_single = [](const Ends& ends) {
    return ends.low.number && ends.low.number == ends.high.number;
  };
  Ends result{sum(a.low, b.low, is_single(b)), sum(a.high, b.high, is_single(b))};
  const auto tighten = [](End& end, const End& x, const End& y, bool is_low) {
    if (!cancels(x.extent, y.extent)) return;
    const std::int64_t exact = x.extent->offset + y.extent->offset;
    if (!end.number || (is_low ? exact > *end.number : exact < *end.number)) end.number = exact;
  };
  tighten(result.low, a.low, b.low, true);
  tighten(result.high, a.high, b.high, false);
  return result;
}

Number negated(const Number& number) {
  if (!number || *number == Interval::kLowest) return std::nullopt;
  return -*number;
}

Ends negated(const Ends& a) {
  return {{negated(a.high.number), negated(a.high.extent)},
          {negated(a.low.number), negated(a.low.extent)}};
}

// Tightens the numbers to the values that the bounds by extents can have.
void tighten(Interval& a, const Extents& extents) {
  if (a.above) a.low = std::max(a.low, extents.numbers_of(*a.above).first);
  if (a.below) a.high = std::min(a.high, extents.numbers_of(*a.below).second);
}

Interval fitted(const Ends& ends, DType type, const Extents& extents) {
  const Interval all = type_interval(type);
  if (!ends.low.number || !ends.high.number) return extents.profile().anything(type);
  Interval result{*ends.low.number, *ends.high.number, ends.low.extent, ends.high.extent};
  tighten(result, extents);
  if (is_single(result)) result.above = result.below = std::nullopt;
  const bool fits = all.low <= result.low && result.high <= all.high;
  return fits ? result : extents.profile().anything(type);
}

// The weaker of a bound and a number, expressed as a bound by the same extent.
std::optional<ExtentBound> weaker(const ExtentBound& bound, std::int64_t number, bool is_upper,
                                  const Extents& extents) {
  const auto [least, most] = extents.numbers_of(without_offset(bound));
  const Number offset = checked_add(number, -(is_upper ? least : most));
  if (!offset) return std::nullopt;
  const std::int64_t weakest =
      is_upper ? std::max(bound.offset, *offset) : std::min(bound.offset, *offset);
  return shifted(without_offset(bound), weakest);
}

std::optional<ExtentBound> joined(const std::optional<ExtentBound>& a, std::int64_t a_number,
                                  const std::optional<ExtentBound>& b, std::int64_t b_number,
                                  bool is_upper, const Extents& extents) {
  if (are_parallel(a, b)) return (is_upper ? a->offset > b->offset : a->offset < b->offset) ? a : b;
  if (a) return weaker(*a, b_number, is_upper, extents);
  if (b) return weaker(*b, a_number, is_upper, extents);
  return std::nullopt;
}

std::optional<ExtentBound> stronger(const std::optional<ExtentBound>& a,
                                    const std::optional<ExtentBound>& b, bool is_upper) {
  if (!are_parallel(a, b)) return b ? b : a;
  return (is_upper ? a->offset < b->offset : a->offset > b->offset) ? a : b;
}

// The bound of the product of a position, which is not negative and below an extent, and an extent.
std::optional<ExtentBound> product_bound(const Interval& position, const Interval& extent) {
  const auto& end = position.below;
  if (position.low < 0 || !end || end->factor != 1 || !is_simple(*end)) return std::nullopt;
  if (extent.above != extent.below || !extent.below || !is_extent_itself(*extent.below))
    return std::nullopt;
  return ExtentBound{end->extent, 0, 1, extent.below->extent, end->offset};
}

// Whether double holds every number of the interval.
bool is_exact_in_double(const Interval& a) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  return a.low >= -kMost && a.high <= kMost;
}

// The interval with its ends rounded to double. It holds the rounded values, since rounding
// preserves their order.
Interval rounded_to_double(Interval a) {
  for (std::int64_t* const end : {&a.low, &a.high}) {
    const auto rounded = static_cast<double>(*end);
    *end = rounded < 0x1p63 ? static_cast<std::int64_t>(rounded) : Interval::kHighest;
  }
  return a;
}

}  // namespace

Interval type_interval(DType type) {
  const int bits = dtype_bits(type);
  switch (dtype_kind(type)) {
    case DTypeKind::kBoolean:
      return {0, 1};
    case DTypeKind::kSigned:
      if (bits == 64) return {};
      return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
    case DTypeKind::kUnsigned:
      return {0, bits == 64 ? Interval::kHighest : (std::int64_t{1} << bits) - 1};
    default:
      return {};
  }
}

Interval rounded_to_float(const Interval& a) {
  const auto end = [](double value) {
    if (value >= 0x1p63) return Interval::kHighest;
    return value <= -0x1p63 ? Interval::kLowest : static_cast<std::int64_t>(value);
  };
  const FloatInterval rounded = FloatArithmetic(DType::kFloat32).cast(a, DType::kInt64);
  return {end(rounded.low), end(rounded.high)};
}

Interval join(const Interval& a, const Interval& b, const Extents& extents) {
  if (is_empty(a)) return b;
  if (is_empty(b) || a == b) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high),
          joined(a.above, a.low, b.above, b.low, false, extents),
          joined(a.below, a.high, b.below, b.high, true, extents)};
}

Interval join(std::span<const Interval> intervals, const Extents& extents) {
  if (intervals.empty()) return {};
  Interval all = intervals.front();
  for (const Interval& interval : intervals.subspan(1)) all = join(all, interval, extents);
  return all;
}

Interval meet(const Interval& a, const Interval& b, const Extents& extents) {
  Interval both{std::max(a.low, b.low), std::min(a.high, b.high), stronger(a.above, b.above, false),
                stronger(a.below, b.below, true)};
  tighten(both, extents);
  return both;
}

Interval IntegerArithmetic::add(const Interval& a, const Interval& b) const {
  return fitted(sum(ends_of(a, type_), ends_of(b, type_)), type_, extents_);
}

Interval IntegerArithmetic::subtract(const Interval& a, const Interval& b) const {
  return fitted(sum(ends_of(a, type_), negated(ends_of(b, type_))), type_, extents_);
}

Interval IntegerArithmetic::negate(const Interval& a) const {
  return fitted(negated(ends_of(a, type_)), type_, extents_);
}

Interval IntegerArithmetic::multiply(const Interval& a, const Interval& b) const {
  if (is_single(a) && a.low == 1) return b;
  if (is_single(b) && b.low == 1) return a;
  const Ends x = ends_of(a, type_);
  const Ends y = ends_of(b, type_);
  if (!x.high.number || !y.high.number) return anything();
  const std::array<Number, 4> corners = {checked_mul(a.low, b.low), checked_mul(a.low, b.high),
                                         checked_mul(a.high, b.low), checked_mul(a.high, b.high)};
  Ends result{{corners[0], std::nullopt}, {corners[0], std::nullopt}};
  for (const Number& corner : corners) {
    if (!corner) return anything();
    result.low.number = std::min(*result.low.number, *corner);
    result.high.number = std::max(*result.high.number, *corner);
  }
  result.high.extent = product_bound(a, b);
  if (!result.high.extent) result.high.extent = product_bound(b, a);
  return fitted(result, type_, extents_);
}

Interval IntegerArithmetic::divide(const Interval& a, const Interval& b, bool rounds_down) const {
  const bool may_be_zero = b.low <= 0 && b.high >= 0;
  const bool may_overflow = a.low == Interval::kLowest && b.low <= -1;
  if (may_be_zero || may_overflow) return anything();
  if (!rounds_down && (a.low < 0 || b.low < 0) && extents_.profile().may_divide_down) {
    const Interval down = divide(a, b, true);
    return join(down, divide_exactly(a, b, false), extents_);
  }
  return divide_exactly(a, b, rounds_down);
}

Interval IntegerArithmetic::divide_exactly(const Interval& a, const Interval& b,
                                           bool rounds_down) const {
  const auto quotient = [rounds_down](std::int64_t x, std::int64_t y) {
    const std::int64_t toward_zero = x / y;
    const bool is_rounded_up = x % y != 0 && (x < 0) != (y < 0);
    return toward_zero - (rounds_down && is_rounded_up ? 1 : 0);
  };
  const std::array<std::int64_t, 4> corners = {quotient(a.low, b.low), quotient(a.low, b.high),
                                               quotient(a.high, b.low), quotient(a.high, b.high)};
  Interval result{*std::min_element(corners.begin(), corners.end()),
                  *std::max_element(corners.begin(), corners.end())};
  if (is_open_ended(a)) result.high = Interval::kHighest;
  if (is_open_ended(b)) result.low = std::min<std::int64_t>(result.low, 0);
  if (a.low >= 0 && b.low >= 1) result.below = a.below;
  const Interval all = type_interval(type_);
  return all.low <= result.low && result.high <= all.high ? result : anything();
}

Interval IntegerArithmetic::remainder(const Interval& a, const Interval& b,
                                      bool rounds_down) const {
  const bool may_be_zero = b.low <= 0 && b.high >= 0;
  if (may_be_zero || b.low == Interval::kLowest) return anything();
  // A negative divisor is replaced by its opposite: -r is the remainder of -a by -b.
  if (b.high < 0 && rounds_down) {
    if (a.low == Interval::kLowest) return {b.low + 1, 0};
    return negate(remainder(negate(a), negate(b), true));
  }
  const std::int64_t least = b.low > 0 ? b.low : -b.high;
  const std::int64_t most = b.low > 0 ? b.high : -b.low;
  if (a.low >= 0 && a.high < least) return a;
  if (is_single(b) && a.low >= 0 && !is_open_ended(a) && a.low / b.low == a.high / b.low)
    return {a.low % b.low, a.high % b.low};
  Interval result{0, is_open_ended(b) ? Interval::kHighest : most - 1};
  if (b.low > 0) result.below = shifted(b.below, -1);
  if (a.low >= 0) {
    result.high = std::min(result.high, a.high);
  } else if (!rounds_down) {
    result.low = std::max(a.low, -(most - 1));
    if (a.high <= 0) result.high = 0;
    if (b.low > 0) result.above = negated(result.below);
  }
  return result;
}

Interval IntegerArithmetic::remainder_like_fmod(const Interval& a, const Interval& b) const {
  const Interval exact = remainder(a, b, false);
  if (is_exact_in_double(a) && is_exact_in_double(b)) return exact;
  // The ends may be inexact, since 2^63 is replaced by the largest int64. With 0 among the
  // dividends, the remainder does not rely on them.
  const Interval dividend = join(rounded_to_double(a), {0, 0}, extents_);
  return join(exact, remainder(dividend, rounded_to_double(b), false), extents_);
}

Interval IntegerArithmetic::absolute(const Interval& a) const {
  if (a.low >= 0) return a;
  const Interval mirrored = negate(a);
  if (a.high <= 0 || a.low == type_interval(type_).low) return mirrored;
  Interval result = maximum(a, mirrored);
  result.low = 0;
  result.above.reset();
  return result;
}

Interval IntegerArithmetic::minimum(const Interval& a, const Interval& b) const {
  Interval result{std::min(a.low, b.low), std::min(a.high, b.high),
                  joined(a.above, a.low, b.above, b.low, false, extents_),
                  stronger(a.below, b.below, true)};
  tighten(result, extents_);
  return result;
}

Interval IntegerArithmetic::maximum(const Interval& a, const Interval& b) const {
  Interval result{std::max(a.low, b.low), std::max(a.high, b.high),
                  stronger(a.above, b.above, false),
                  joined(a.below, a.high, b.below, b.high, true, extents_)};
  tighten(result, extents_);
  return result;
}

Interval IntegerArithmetic::cast(const Interval& a, DType from) const {
  if (type_ == DType::kBool && from == DType::kBool) return a;
  if (type_ == DType::kBool) return truth(a.low > 0 || a.high < 0, is_single(a) && a.low == 0);
  const bool is_open = from == DType::kUint64 && a.high == Interval::kHighest;
  if (is_open && type_ != DType::kUint64) return anything();
  const Interval all = type_interval(type_);
  return all.low <= a.low && a.high <= all.high ? a : anything();
}

Interval IntegerArithmetic::sum_of(const Interval& a, const Interval& count) const {
  const Interval least = multiply(a, {count.low, count.low});
  const Interval most = multiply(a, {count.high, count.high});
  const Interval all = anything();
  if (least == all || most == all) return all;
  Interval result{std::min(least.low, most.low), std::max(least.high, most.high)};
  if (a.low >= 0 && a.high <= 1) result.below = count.below;
  return result;
}

Interval is_less(const Interval& a, const Interval& b) {
  const bool by_extent = are_parallel(a.below, b.above) && a.below->offset < b.above->offset;
  const bool never_by_extent = are_parallel(a.above, b.below) && a.above->offset >= b.below->offset;
  const bool never = b.high < Interval::kHighest && a.low >= b.high;
  return truth(a.high < b.low || by_extent, never || never_by_extent);
}

Interval is_less_or_equal(const Interval& a, const Interval& b) { return inverse(is_less(b, a)); }

Interval is_equal(const Interval& a, const Interval& b) {
  const bool same = is_exact(a) && a == b && (a.above || a.high < Interval::kHighest);
  const bool apart = is_less(a, b).low == 1 || is_less(b, a).low == 1;
  return truth(same, apart);
}

}  // namespace windrow::internal
