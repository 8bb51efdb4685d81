#ifndef WINDROW_SMALL_FLOAT_H_
#define WINDROW_SMALL_FLOAT_H_

#include <cstdint>
#include <optional>

#include "windrow/dtype.h"
#include "windrow/export.h"

namespace windrow {

// What the patterns of a floating-point type with the highest exponent, or its negative zero, stand
// for.
enum class Specials : std::uint8_t {
  kIeee,   // infinities and NaN
  kFn,     // no infinity; all ones is NaN
  kFnuz,   // no infinity, no negative zero; its pattern is NaN
  kNone,   // only finite values
  kScale,  // no sign, no mantissa, no zero; all ones is NaN
};

// A floating-point type of at most 16 bits, described from the sign to the mantissa.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

// The format of float16, bfloat16 and the 8- and 4-bit floats. Returns nothing for other types.
WINDROW_EXPORT std::optional<SmallFloat> small_float_of(DType type) noexcept;

// The value of a bit pattern; exact. NaN has no payload.
WINDROW_EXPORT float decode(const SmallFloat& format, std::uint16_t bits) noexcept;

}  // namespace windrow

#endif  // WINDROW_SMALL_FLOAT_H_
