#ifndef WINDROW_TOOLS_WINDROW_ELEMENT_H_
#define WINDROW_TOOLS_WINDROW_ELEMENT_H_

#include <complex>
#include <cstdint>
#include <string>
#include <variant>

#include "tools/windrow/console.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// One element of a tensor as C++ knows it; floating-point types of at most 32 bits are float.
using Element = std::variant<bool, std::int64_t, std::uint64_t, float, double, std::complex<float>,
                             std::complex<double>, std::string>;

// The element at a row-major position. Precondition: 0 <= position < tensor.element_count().
Element element_at(const Tensor& tensor, std::int64_t position);

// The shortest text that reads back as the same value: 1.5, nan, -inf, true, 1-2j, "text" (long
// strings are cut).
std::string to_text(const Element& element);

// NaN and infinities as the strings "nan", "inf", "-inf"; a complex number as [real, imaginary].
Json to_json(const Element& element);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_ELEMENT_H_
