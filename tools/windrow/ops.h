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
#include "windrow/dtype.h"
#include "windrow/element.h"
#include "windrow/operators.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// The type that --dtype gives to each input of an operator by "POS=TYPE" texts, POS being a number
// from 0 or the input's name; kAbsent where no text names the input. Throws Error on other texts.
std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts);

// Throws Error if the tensor that was read for an input has another type than --dtype says.
void require_told_type(const OperatorInfo& info, std::size_t place, DType told, DType type);

// "bool int8-64 float16-64 string": complete families of types are written as one.
std::string type_list(const std::vector<DType>& types);

// The element at a row-major position. Precondition: 0 <= position < tensor.element_count().
inline Element element_at(const Tensor& tensor, std::int64_t position) {
  return windrow::element_at(tensor.dtype(), tensor.data(), position);
}

// NaN and infinities as the strings "nan", "inf", "-inf"; a complex number as [real, imaginary].
Json to_json(const Element& element);

// The number that the whole of `text` is; nothing for other text and for one that does not fit.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OPS_H_
