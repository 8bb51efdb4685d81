#ifndef WINDROW_RANGES_INTEGERS_H_
#define WINDROW_RANGES_INTEGERS_H_

#include <cstdint>
#include <span>

#include "src/ranges/interval.h"
#include "src/ranges/ranges.h"
#include "windrow/dtype.h"

// Intervals of integers: unions, and what arithmetic makes of them.
namespace windrow::internal {

inline bool is_empty(const Interval& interval) { return interval.low > interval.high; }
inline bool is_single(const Interval& interval) { return interval.low == interval.high; }
// Whether only one value lies in the interval, be it a number or an extent.
inline bool is_exact(const Interval& interval) {
  return is_single(interval) || (interval.above && interval.above == interval.below);
}

// Where the integers or booleans of a type lie.
Interval type_interval(DType type);

// What holds the values of both. Of an empty one and another, the other.
Interval join(const Interval& a, const Interval& b, const Extents& extents);
Interval join(std::span<const Interval> intervals, const Extents& extents);
// The values that lie in both; empty if none does.
Interval meet(const Interval& a, const Interval& b, const Extents& extents);

// Arithmetic in an integer type. Where the mathematical result may not fit the type, the result is
// the type's interval: hosts wrap around. Operands are not empty.
class IntegerArithmetic {
 public:
  IntegerArithmetic(DType type, const Extents& extents) : type_(type), extents_(extents) {}

  Interval add(const Interval& a, const Interval& b) const;
  Interval subtract(const Interval& a, const Interval& b) const;
  Interval multiply(const Interval& a, const Interval& b) const;
  // Rounds toward zero, or down. A divisor that may be 0 proves nothing.
  Interval divide(const Interval& a, const Interval& b, bool rounds_down) const;
  // The remainder has the sign of the divisor if `rounds_down`, else that of the dividend.
  Interval remainder(const Interval& a, const Interval& b, bool rounds_down) const;
  Interval negate(const Interval& a) const;
  Interval absolute(const Interval& a) const;
  Interval minimum(const Interval& a, const Interval& b) const;
  Interval maximum(const Interval& a, const Interval& b) const;
  // Values of an integer type or booleans in this one.
  Interval cast(const Interval& a, DType from) const;
  // A sum of values of the interval, as many as `count` says.
  Interval sum_of(const Interval& a, const Interval& count) const;

 private:
  // Whether the values have no upper limit that 64 bits with a sign hold.
  bool is_open_ended(const Interval& a) const {
    return type_ == DType::kUint64 && a.high == Interval::kHighest;
  }

  DType type_;
  const Extents& extents_;
};

// What a comparison gives: 1, 0 or either.
Interval is_less(const Interval& a, const Interval& b);
Interval is_less_or_equal(const Interval& a, const Interval& b);
Interval is_equal(const Interval& a, const Interval& b);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_INTEGERS_H_
