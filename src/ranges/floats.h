#ifndef WINDROW_RANGES_FLOATS_H_
#define WINDROW_RANGES_FLOATS_H_

#include <optional>
#include <span>

#include "src/ranges/arithmetic_profile.h"
#include "windrow/dtype.h"

// Unions of intervals of floats, and the intervals of arithmetic results.
namespace windrow::internal {

// Whether intervals are kept of the type: float16, bfloat16, float32 and float64.
bool has_float_intervals(DType type);

FloatInterval join(const FloatInterval& a, const FloatInterval& b);
FloatInterval join(std::span<const FloatInterval> intervals);

// Arithmetic in a floating-point type. Bounds are rounded outward to numbers of the type, so that
// they hold for hosts that compute in a wider type and for those that flush subnormal numbers to
// zero.
class FloatArithmetic {
 public:
  // Precondition: has_float_intervals(type).
  explicit FloatArithmetic(DType type) : type_(type) {}

  FloatInterval add(const FloatInterval& a, const FloatInterval& b) const;
  FloatInterval subtract(const FloatInterval& a, const FloatInterval& b) const;
  FloatInterval multiply(const FloatInterval& a, const FloatInterval& b) const;
  // A divisor that may be 0 proves nothing.
  FloatInterval divide(const FloatInterval& a, const FloatInterval& b) const;
  // The remainder with the dividend's sign; a divisor that may be 0 proves nothing.
  FloatInterval remainder(const FloatInterval& a, const FloatInterval& b) const;
  // Where one operand is NaN, some hosts give NaN and others the other operand.
  FloatInterval minimum(const FloatInterval& a, const FloatInterval& b) const;
  FloatInterval maximum(const FloatInterval& a, const FloatInterval& b) const;
  // Values of another type, converted to this type.
  FloatInterval cast(const FloatInterval& a) const;
  FloatInterval cast(const Interval& a, DType from) const;

 private:
  FloatInterval rounded(double low, double high, bool may_be_nan) const;

  DType type_;
};

inline FloatInterval negate(const FloatInterval& a) { return {-a.high, -a.low, a.may_be_nan}; }
FloatInterval absolute(const FloatInterval& a);
// The interval of a monotone function's values: floor, ceil, rint, relu.
FloatInterval mapped(const FloatInterval& a, double (*function)(double));

// The interval of the integers that a conversion gives; nothing if the value may be NaN or a number
// that the type does not hold.
std::optional<Interval> truncate(const FloatInterval& a, DType to);

// A comparison with NaN is false.
Interval is_less(const FloatInterval& a, const FloatInterval& b);
Interval is_less_or_equal(const FloatInterval& a, const FloatInterval& b);
Interval is_equal(const FloatInterval& a, const FloatInterval& b);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FLOATS_H_
