#ifndef WINDROW_TOOLS_WINDROW_ELEMENT_H_
#define WINDROW_TOOLS_WINDROW_ELEMENT_H_

#include <cstdint>

#include "tools/windrow/console.h"
#include "windrow/element.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// The element at a row-major position. Precondition: 0 <= position < tensor.element_count().
inline Element element_at(const Tensor& tensor, std::int64_t position) {
  return windrow::element_at(tensor.dtype(), tensor.data(), position);
}

// NaN and infinities as the strings "nan", "inf", "-inf"; a complex number as [real, imaginary].
Json to_json(const Element& element);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_ELEMENT_H_
