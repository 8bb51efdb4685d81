#ifndef WINDROW_RANGES_FLOATS_H_
#define WINDROW_RANGES_FLOATS_H_

#include <optional>
#include <span>

#include "src/ranges/interval.h"
#include "windrow/dtype.h"

// Intervals of floats: unions, and what arithmetic makes of them.
namespace windrow::internal {

// Whether intervals are kept of the type: float16, bfloat16, float32 and float64.
bool has_float_intervals(DType type);

FloatInterval join(const FloatInterval& a, const FloatInterval& b);
FloatInterval join(std::span<const FloatInterval> intervals);

// Arithmetic in a floating-point type. Bounds are rounded outward to numbers of the type, so that
// they hold for hosts that compute in a wider type, and for those that take subnormal numbers for
// zero.
class FloatArithmetic {
 public:
  // Precondition: has_float_intervals(type).
  explicit FloatArithmetic(DType type) : type_(type) {}

  FloatInterval add(const FloatInterval& a, const FloatInterval& b) const;
  FloatInterval multiply(const FloatInterval& a, const FloatInterval& b) const;
  // A divisor that may be 0 proves nothing.
  FloatInterval divide(const FloatInterval& a, const FloatInterval& b) const;
  // The remainder with the dividend's sign; a divisor that may be 0 proves nothing.
  FloatInterval remainder(const FloatInterval& a, const FloatInterval& b) const;
  // Hosts give NaN where one operand is NaN, or the other operand.
  FloatInterval minimum(const FloatInterval& a, const FloatInterval& b) const;
  FloatInterval maximum(const FloatInterval& a, const FloatInterval& b) const;
  // Values of another type in this one.
  FloatInterval cast(const FloatInterval& a) const;
  FloatInterval cast(const Interval& a, DType from) const;

 private:
  FloatInterval rounded(double low, double high, bool may_be_nan) const;

  DType type_;
};

inline FloatInterval negate(const FloatInterval& a) { return {-a.high, -a.low, a.may_be_nan}; }
FloatInterval absolute(const FloatInterval& a);
// Of a monotone function that has its values at the ends: floor, ceil, rint, relu.
FloatInterval mapped(const FloatInterval& a, double (*function)(double));

// The integers that a conversion gives; nothing if it may meet a NaN or a number that the type does
// not hold.
std::optional<Interval> truncate(const FloatInterval& a, DType to);

// What a comparison gives: 1, 0 or either. A NaN compares as false.
Interval is_less(const FloatInterval& a, const FloatInterval& b);
Interval is_less_or_equal(const FloatInterval& a, const FloatInterval& b);
Interval is_equal(const FloatInterval& a, const FloatInterval& b);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FLOATS_H_
