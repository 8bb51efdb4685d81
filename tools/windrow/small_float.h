#ifndef WINDROW_TOOLS_WINDROW_SMALL_FLOAT_H_
#define WINDROW_TOOLS_WINDROW_SMALL_FLOAT_H_

#include <cstdint>
#include <optional>

#include "windrow/dtype.h"

namespace windrow::tool {

// What the patterns with the highest exponent, or the negative zero, stand for.
enum class Specials {
  kIeee,   // infinities and NaN
  kFn,     // no infinity; all ones is NaN
  kFnuz,   // no infinity, no negative zero; its pattern is NaN
  kNone,   // only finite values
  kScale,  // no sign, no mantissa, no zero; all ones is NaN
};

// A floating-point type of at most 16 bits, from the sign down to the mantissa.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

// Nothing for other types.
std::optional<SmallFloat> small_float_of(DType type);

// The value of a bit pattern; exact.
float decode(const SmallFloat& format, std::uint16_t bits);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_SMALL_FLOAT_H_
