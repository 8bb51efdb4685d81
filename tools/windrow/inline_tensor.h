#ifndef WINDROW_TOOLS_WINDROW_INLINE_TENSOR_H_
#define WINDROW_TOOLS_WINDROW_INLINE_TENSOR_H_

#include <optional>
#include <string>

#include "tools/windrow/console.h"
#include "windrow/tensor.h"

// Tensors that are written out on the command line. `input` names them in messages. Everything
// here throws Error on bad input.
namespace windrow::tool {

// "3x4x2" or "5x" as a shape; nothing if the word is not a shape.
std::optional<Shape> parse_shape(const std::string& word);

// Elements that count from 0 in row-major order; they start again where the type can't hold the
// next number. Precondition: the shape's elements can be counted.
Tensor counting_tensor(DType type, const Shape& shape);

// Nested lists of numbers, or one number, as JSON writes them; strings for strings, true and false
// for booleans. Floats become the nearest value of the type; whole numbers must be in its range.
Tensor tensor_of_lists(const std::string& input, DType type, const Json& lists);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INLINE_TENSOR_H_
