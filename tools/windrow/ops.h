#ifndef WINDROW_TOOLS_WINDROW_OPS_H_
#define WINDROW_TOOLS_WINDROW_OPS_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/operator_words.h"
#include "windrow/dtype.h"
#include "windrow/element.h"
#include "windrow/operators.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// "bool int8-64 float16-64 string": complete families of types are written as one.
std::string type_list(const std::vector<DType>& types);

// The element at a row-major position. Precondition: 0 <= position < tensor.element_count().
inline Element element_at(const Tensor& tensor, std::int64_t position) {
  return windrow::element_at(tensor.dtype(), tensor.data(), position);
}

// NaN and infinities as the strings "nan", "inf", "-inf"; a complex number as [real, imaginary].
Json to_json(const Element& element);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OPS_H_
