#include "src/ranges/floats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "src/ranges/integers.h"

namespace windrow::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A floating-point type, whose numbers are multiples of 2^(exponent - digits).
struct Format {
  int digits;        // bits of the mantissa, with the hidden bit
  int min_exponent;  // of the smallest normal number, as in std::frexp
  double largest;
};

Format format_of(DType type) {
  if (type == DType::kFloat16) return {11, -13, 65504.0};
  if (type == DType::kBFloat16) return {8, -125, 0x1.fep127};
  if (type == DType::kFloat32) return {24, -125, std::numeric_limits<float>::max()};
  return {53, -1021, std::numeric_limits<double>::max()};
}

// The number of the type that is next to `value` away from zero, or toward it. Precondition:
// `value` is not negative.
double rounded_magnitude(double value, const Format& format, bool away) {
  if (value == 0 || std::isinf(value)) return value;
  if (value > format.largest && away) return kInfinity;
  if (value > format.largest) return format.largest;
  int exponent = 0;
  std::frexp(value, &exponent);
  if (exponent < format.min_exponent) return away ? std::ldexp(0.5, format.min_exponent) : 0;
  const double unit = std::ldexp(1.0, exponent - format.digits);
  return (away ? std::ceil(value / unit) : std::floor(value / unit)) * unit;
}

// The largest number of the type that is at most `value`.
double rounded_down(double value, const Format& format) {
  return value < 0 ? -rounded_magnitude(-value, format, true)
                   : rounded_magnitude(value, format, false);
}

// A result in double precision, and its error: 0 if the result is exact, else any other number.
struct Rounded {
  double value;
  double error;
};

Rounded sum(double a, double b) {
  const double value = a + b;
  const double part = value - a;
  return {value, (a - (value - part)) + (b - part)};
}

// Zero times infinity is 0 here: the products of numbers near zero and numbers near infinity lie
// between the products at the other corners.
Rounded rounded_product(double a, double b) {
  if (a == 0 || b == 0) return {0, 0};
  return {a * b, std::fma(a, b, -(a * b))};
}

Rounded quotient(double a, double b) {
  if (std::isinf(a) && std::isinf(b)) return {0, 1};
  const double value = a / b;
  return {value, std::isinf(b) ? 0 : std::fma(value, b, -a)};
}

// A number that is at most the exact result.
double at_most(const Rounded& result) {
  if (std::isnan(result.value)) return -kInfinity;
  if (result.value == kInfinity)
    return std::isfinite(result.error) ? result.value : std::numeric_limits<double>::max();
  return result.error == 0 ? result.value : std::nextafter(result.value, -kInfinity);
}

bool may_be_infinite(const FloatInterval& a) { return a.low == -kInfinity || a.high == kInfinity; }
bool may_be_zero(const FloatInterval& a) { return a.low <= 0 && a.high >= 0; }
// Whether the interval holds no number, so that all values are NaN.
bool has_no_number(const FloatInterval& a) { return a.low > a.high; }

// Whether all values of both are numbers.
bool are_numbers(const FloatInterval& a, const FloatInterval& b) {
  return !a.may_be_nan && !b.may_be_nan;
}

// The interval of the results, NaN aside, of an operation that is monotone in each operand.
FloatInterval hull_of_corners(const FloatInterval& a, const FloatInterval& b,
                              Rounded (*operation)(double, double)) {
  FloatInterval hull{kInfinity, -kInfinity, false};
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      hull.low = std::min(hull.low, at_most(operation(x, y)));
      hull.high = std::max(hull.high, -at_most(operation(-x, y)));
    }
  }
  return hull;
}

}  // namespace

bool has_float_intervals(DType type) {
  return type == DType::kFloat16 || type == DType::kBFloat16 || type == DType::kFloat32 ||
         type == DType::kFloat64;
}

FloatInterval join(const FloatInterval& a, const FloatInterval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

FloatInterval join(std::span<const FloatInterval> intervals) {
  if (intervals.empty()) return {};
  FloatInterval all = intervals.front();
  for (const FloatInterval& interval : intervals.subspan(1)) all = join(all, interval);
  return all;
}

FloatInterval FloatArithmetic::rounded(double low, double high, bool may_be_nan) const {
  const Format format = format_of(type_);
  return {rounded_down(low, format), -rounded_down(-high, format), may_be_nan};
}

FloatInterval FloatArithmetic::add(const FloatInterval& a, const FloatInterval& b) const {
  if (has_no_number(a) || has_no_number(b)) return {};
  const bool nan = a.may_be_nan || b.may_be_nan || (a.high == kInfinity && b.low == -kInfinity) ||
                   (a.low == -kInfinity && b.high == kInfinity);
  const auto lower = [](double x, double y) {
    if (std::isinf(x) || std::isinf(y)) return x < 0 || y < 0 ? -kInfinity : kInfinity;
    return at_most(sum(x, y));
  };
  return rounded(lower(a.low, b.low), -lower(-a.high, -b.high), nan);
}

FloatInterval FloatArithmetic::subtract(const FloatInterval& a, const FloatInterval& b) const {
  return add(a, negate(b));
}

FloatInterval FloatArithmetic::multiply(const FloatInterval& a, const FloatInterval& b) const {
  if (has_no_number(a) || has_no_number(b)) return {};
  const bool nan = a.may_be_nan || b.may_be_nan || (may_be_zero(a) && may_be_infinite(b)) ||
                   (may_be_zero(b) && may_be_infinite(a));
  const FloatInterval hull = hull_of_corners(a, b, rounded_product);
  return rounded(hull.low, hull.high, nan);
}

FloatInterval FloatArithmetic::divide(const FloatInterval& a, const FloatInterval& b) const {
  if (has_no_number(a) || has_no_number(b) || may_be_zero(b)) return {};
  if (may_be_infinite(a) && may_be_infinite(b)) return {};
  const FloatInterval hull = hull_of_corners(a, b, quotient);
  return rounded(hull.low, hull.high, a.may_be_nan || b.may_be_nan);
}

FloatInterval FloatArithmetic::remainder(const FloatInterval& a, const FloatInterval& b) const {
  if (has_no_number(a) || has_no_number(b) || may_be_zero(b)) return {};
  const double size = std::max(std::abs(b.low), std::abs(b.high));
  const bool nan = a.may_be_nan || b.may_be_nan || may_be_infinite(a);
  return rounded(a.low >= 0 ? 0 : std::max(a.low, -size), a.high <= 0 ? 0 : std::min(a.high, size),
                 nan);
}

FloatInterval FloatArithmetic::minimum(const FloatInterval& a, const FloatInterval& b) const {
  return negate(maximum(negate(a), negate(b)));
}

FloatInterval FloatArithmetic::maximum(const FloatInterval& a, const FloatInterval& b) const {
  double low = std::max(a.low, b.low);
  if (a.may_be_nan) low = std::min(low, b.low);
  if (b.may_be_nan) low = std::min(low, a.low);
  return {low, std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

FloatInterval FloatArithmetic::cast(const FloatInterval& a) const {
  return rounded(a.low, a.high, a.may_be_nan);
}

FloatInterval FloatArithmetic::cast(const Interval& a, DType from) const {
  const bool is_open = from == DType::kUint64 && a.high == Interval::kHighest;
  // A 64-bit integer may lie between two doubles.
  const auto as_double = [](std::int64_t value, double toward) {
    const auto nearest = static_cast<double>(value);
    return std::abs(nearest) < 0x1p53 ? nearest : std::nextafter(nearest, toward);
  };
  return rounded(as_double(a.low, -kInfinity), is_open ? 0x1p64 : as_double(a.high, kInfinity),
                 false);
}

FloatInterval absolute(const FloatInterval& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return negate(a);
  return {0, std::max(-a.low, a.high), a.may_be_nan};
}

FloatInterval mapped(const FloatInterval& a, double (*function)(double)) {
  return {function(a.low), function(a.high), a.may_be_nan};
}

std::optional<Interval> truncate(const FloatInterval& a, DType to) {
  if (a.may_be_nan || has_no_number(a)) return std::nullopt;
  const double low = std::trunc(a.low);
  const double high = std::trunc(a.high);
  const Interval all = type_interval(to);
  const auto limit = static_cast<double>(all.high);  // for 64 bits 2^63, which is one too many
  const bool is_wide = all.high == Interval::kHighest;
  if (low < static_cast<double>(all.low) || high > limit || (is_wide && high >= limit))
    return std::nullopt;
  return Interval{static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

Interval is_less(const FloatInterval& a, const FloatInterval& b) {
  return truth(are_numbers(a, b) && a.high < b.low, a.low >= b.high);
}

Interval is_less_or_equal(const FloatInterval& a, const FloatInterval& b) {
  return truth(are_numbers(a, b) && a.high <= b.low, a.low > b.high);
}

Interval is_equal(const FloatInterval& a, const FloatInterval& b) {
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
  return truth(are_numbers(a, b) && same, a.high < b.low || b.high < a.low);
}

}  // namespace windrow::internal
