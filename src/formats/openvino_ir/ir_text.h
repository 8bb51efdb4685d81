#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dim.h"
#include "windrow/shape.h"
#include "windrow/status.h"

// Numbers, names and shapes as OpenVINO IR writes them into attributes.
namespace windrow::internal {

// A whole number; blanks around it are allowed.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

// The parts between commas, without the blanks around them; none for a blank text.
std::vector<std::string_view> split_list(std::string_view text);

// "x,a\,b" is "x" and "a,b".
std::vector<std::string> split_names(std::string_view text);
// The inverse. Errors: kUnsupported for a name that it has no spelling for.
Result<std::string> join_names(const std::vector<std::string>& names);

// A constant's "2, 3". Errors: kFormat, kUnsupported (a rank above kMaxRank).
Result<Shape> parse_shape(std::string_view text);
std::string shape_text(const Shape& shape);

// A parameter's "?,3,1..10"; "..." is a shape of unknown rank. Errors as for parse_shape.
Result<SymbolicShape> parse_partial_shape(std::string_view text);
std::string partial_shape_text(const SymbolicShape& dims);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_
