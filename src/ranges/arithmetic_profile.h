#ifndef WINDROW_RANGES_ARITHMETIC_PROFILE_H_
#define WINDROW_RANGES_ARITHMETIC_PROFILE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/ranges/interval.h"
#include "windrow/dtype.h"

namespace windrow::internal {

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
  // their lower halves as signed numbers.
  bool compares_by_signed_halves = false;
  // Whether a quotient of integers may also be rounded down.
  bool may_divide_down = false;
  // Whether a constant without elements may be taken for another value.
  bool misreads_empty_constants = false;
  // Whether shapes are inferred as onnx does, and read where they are known.
  bool infers_as_onnx = false;
  // Whether a Loop without iterations may stack what it stacked in an earlier run.
  bool keeps_stacked_values = false;
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
