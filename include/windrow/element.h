#ifndef WINDROW_ELEMENT_H_
#define WINDROW_ELEMENT_H_

#include <complex>
#include <cstdint>
#include <string>
#include <variant>

#include "windrow/dtype.h"
#include "windrow/export.h"

namespace windrow {

// One element of a tensor as a C++ value. Floating-point types of fewer than 32 bits become float,
// integers int64, or uint64 if their type is unsigned. nf4 and uint1 become their codes, as uint64.
using Element = std::variant<bool, std::int64_t, std::uint64_t, float, double, std::complex<float>,
                             std::complex<double>, std::string>;

// The element at a row-major position of dense elements. Preconditions: `data` holds more than
// `position` elements, and position >= 0.
WINDROW_EXPORT Element element_at(DType dtype, const void* data, std::int64_t position);

// The shortest text that reads back as the same value: 1.5, nan, -inf, true, 1-2j. A string is
// quoted, made printable() and, if it is longer than 40 bytes, cut and followed by dots.
WINDROW_EXPORT std::string to_text(const Element& element);

}  // namespace windrow

#endif  // WINDROW_ELEMENT_H_
