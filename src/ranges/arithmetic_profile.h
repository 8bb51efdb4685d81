#ifndef WINDROW_RANGES_ARITHMETIC_PROFILE_H_
#define WINDROW_RANGES_ARITHMETIC_PROFILE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "windrow/dtype.h"

namespace windrow::internal {

// The number in Extents of an extent that is known in a run only.
using ExtentNumber = int;

// `factor` times `extent`, plus `offset`; the factor is 1 or -1. With a second extent, `extent`
// plus `shift` is multiplied by it.
struct ExtentBound {
  static constexpr ExtentNumber kNone = -1;

  ExtentNumber extent = 0;
  std::int64_t offset = 0;
  int factor = 1;
  ExtentNumber times = kNone;
  std::int64_t shift = 0;
  friend bool operator==(const ExtentBound&, const ExtentBound&) = default;
};

// Whether the bound is by one extent alone, and whether it is that extent.
inline bool is_simple(const ExtentBound& bound) { return bound.times == ExtentBound::kNone; }
inline bool is_extent_itself(const ExtentBound& bound) {
  return is_simple(bound) && bound.factor == 1 && bound.offset == 0;
}

// Where an integer lies; all four bounds hold. kLowest and kHighest stand for no bound, for uint64
// too. Booleans are 0 and 1. An interval whose `low` is greater than its `high` is empty. Equal
// `above` and `below` give the value exactly: an extent plus an offset.
struct Interval {
  static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

  std::int64_t low = kLowest;
  std::int64_t high = kHighest;
  std::optional<ExtentBound> above = std::nullopt;  // at least this
  std::optional<ExtentBound> below = std::nullopt;  // at most this
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Where a float lies if it is a number, and whether it may be NaN.
struct FloatInterval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool may_be_nan = true;
  friend bool operator==(const FloatInterval&, const FloatInterval&) = default;
};

// What the arithmetic of a runtime is known to keep of the specification's. What is not known
// proves nothing: bounds are wider, or absent.
struct ArithmeticProfile {
  std::string_view name;
  // The runtime's name, with its device where devices differ, as in the effects of rules; empty for
  // the profile of all runtimes that have none of their own.
  std::span<const std::string_view> runtimes = {};
  // Whether integers are computed in their own type, and results that it does not hold wrap around.
  // If not, they are computed exactly while operands and results are at most `most_exact` in size,
  // values beyond int32 may become any number, and a result may leave the type that the model
  // gives it.
  bool keeps_integer_types = true;
  std::int64_t most_exact = Interval::kHighest;
  // The largest byte that a boolean can be.
  std::int64_t largest_boolean = 1;
  // Whether floats may be computed in bfloat16, and in float16; divisors may then be replaced by
  // their reciprocals.
  bool rounds_to_bfloat16 = false;
  bool rounds_to_float16 = false;
  // Whether Min, Max, Clip, Relu and Sign compare 64-bit integers whose upper halves are equal by
  // their lower halves as signed numbers (ONNX Runtime up to 1.31).
  bool compares_by_signed_halves = false;
  // Whether a quotient of integers may also be rounded down.
  bool may_divide_down = false;
  // Whether a constant without elements may be taken for another value.
  bool misreads_empty_constants = false;
  // Whether shapes are inferred as onnx does, and read where they are known.
  bool infers_as_onnx = false;
  // Whether a Loop without iterations may stack what it stacked in an earlier run.
  bool keeps_stacked_values = false;
  // Whether the elements that an If gives may be foreign memory in a model's first run.
  bool may_lose_values_of_if = false;
  // How far the values of Sigmoid may lie outside 0 to 1; negative if nothing is known.
  double sigmoid_excess = 0;
  // How it is known: observed in a run on that date with that version, or read.
  bool ran = false;
  std::string_view source = {};
  std::string_view seen = {};

  // The interval of a computed value of which nothing is known.
  Interval anything(DType type) const;
  // The interval of a value that a run is given or that the model holds, which lies in `range`.
  Interval given(DType type, const Interval& range) const;
  // The interval of a float once the runtime has stored it.
  FloatInterval stored(const FloatInterval& range) const;
};

// The arithmetic of the specification, which the first profile has.
const ArithmeticProfile& specified_arithmetic();
// Every profile, each of which is about other runtimes.
std::span<const ArithmeticProfile> arithmetic_profiles();
// The profile of a runtime and device, such as "openvino" and "cpu".
const ArithmeticProfile& profile_of(std::string_view runtime, std::string_view device);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_ARITHMETIC_PROFILE_H_
