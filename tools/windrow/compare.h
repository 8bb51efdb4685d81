#ifndef WINDROW_TOOLS_WINDROW_COMPARE_H_
#define WINDROW_TOOLS_WINDROW_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tools/windrow/console.h"
#include "tools/windrow/error_sizes.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// How far a floating-point or complex element may be from the expected one:
// |got - expected| <= absolute + relative * |expected|. With both 0 the bits are compared.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

struct Mismatch {
  std::string text;  // "first differs at [0, 3]: got 1.5, expected 2 (2 of 12 elements differ)"
  Json details;      // the same, by name
};

// Returns why `got` differs from what is expected, or nothing if it does not. Adds the errors of
// all elements that can be compared, tolerated ones too, to `sizes`. Types and shapes must be the
// same. NaN equals NaN; signed zeros differ unless a tolerance is given; integers, strings and
// other elements without fractions must be equal.
std::optional<Mismatch> compare(const Tensor& got, const Tensor& expected,
                                const Tolerance& tolerance, ErrorSizes& sizes);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMPARE_H_
