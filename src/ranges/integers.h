#ifndef WINDROW_RANGES_INTEGERS_H_
#define WINDROW_RANGES_INTEGERS_H_

#include <cstdint>
#include <span>

#include "src/ranges/arithmetic_profile.h"
#include "src/ranges/ranges.h"
#include "windrow/dtype.h"

// Unions and intersections of intervals of integers, and the intervals of arithmetic results.
namespace windrow::internal {

inline bool is_empty(const Interval& interval) { return interval.low > interval.high; }
inline bool is_single(const Interval& interval) { return interval.low == interval.high; }
// The interval of a condition: 1, 0 or either.
inline Interval truth(bool always, bool never) { return {always ? 1 : 0, never ? 0 : 1}; }
inline Interval inverse(const Interval& truth) { return {1 - truth.high, 1 - truth.low}; }
// Whether the interval holds one value only, which may be an extent plus an offset.
inline bool is_exact(const Interval& interval) {
  return is_single(interval) || (interval.above && interval.above == interval.below);
}

// Whether intervals of integers are kept of the type: integers and booleans.
inline bool has_integer_intervals(DType type) { return is_integer(type) || type == DType::kBool; }
// The interval of all integers or booleans of a type.
Interval type_interval(DType type);

// The interval with its numbers rounded outward to float32, without bounds by extents. It holds the
// values after they were rounded.
Interval rounded_to_float(const Interval& a);

// An interval that holds the values of both; if one is empty, the other.
Interval join(const Interval& a, const Interval& b, const Extents& extents);
Interval join(std::span<const Interval> intervals, const Extents& extents);
// The values that lie in both; an empty interval if there are none.
Interval meet(const Interval& a, const Interval& b, const Extents& extents);

// Arithmetic in an integer type. Where the mathematical result may not fit the type, the result is
// what the runtimes' profile says of such results: most wrap around. Precondition: operands are not
// empty, and the runtimes compute exactly with them.
class IntegerArithmetic {
 public:
  IntegerArithmetic(DType type, const Extents& extents) : type_(type), extents_(extents) {}

  Interval add(const Interval& a, const Interval& b) const;
  Interval subtract(const Interval& a, const Interval& b) const;
  Interval multiply(const Interval& a, const Interval& b) const;
  // Rounds down, or toward zero. A divisor that may be 0 proves nothing.
  Interval divide(const Interval& a, const Interval& b, bool rounds_down) const;
  Interval divide_down(const Interval& a, const Interval& b) const { return divide(a, b, true); }
  Interval divide_toward_zero(const Interval& a, const Interval& b) const {
    return divide(a, b, false);
  }
  // The remainder has the sign of the divisor if `rounds_down`, else that of the dividend.
  Interval remainder(const Interval& a, const Interval& b, bool rounds_down) const;
  Interval remainder_of_divisor(const Interval& a, const Interval& b) const {
    return remainder(a, b, true);
  }
  Interval remainder_of_dividend(const Interval& a, const Interval& b) const {
    return remainder(a, b, false);
  }
  // The remainder with the sign of the dividend. Holds for hosts that compute it exactly and for
  // those that first round both operands to double.
  Interval remainder_like_fmod(const Interval& a, const Interval& b) const;
  Interval negate(const Interval& a) const;
  Interval absolute(const Interval& a) const;
  Interval minimum(const Interval& a, const Interval& b) const;
  Interval maximum(const Interval& a, const Interval& b) const;
  // Values of another integer type, or booleans, converted to this type.
  Interval cast(const Interval& a, DType from) const;
  // A sum of N values of the interval, where N lies in `count`.
  Interval sum_of(const Interval& a, const Interval& count) const;

 private:
  // divide() of operands whose quotient the type holds. Precondition: the divisor is not 0.
  Interval divide_exactly(const Interval& a, const Interval& b, bool rounds_down) const;
  Interval anything() const { return extents_.profile().anything(type_); }
  // Whether the upper bound is beyond int64.
  bool is_open_ended(const Interval& a) const {
    return type_ == DType::kUint64 && a.high == Interval::kHighest;
  }

  DType type_;
  const Extents& extents_;
};

Interval is_less(const Interval& a, const Interval& b);
Interval is_less_or_equal(const Interval& a, const Interval& b);
Interval is_equal(const Interval& a, const Interval& b);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_INTEGERS_H_
