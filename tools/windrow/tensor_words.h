#ifndef WINDROW_TOOLS_WINDROW_TENSOR_WORDS_H_
#define WINDROW_TOOLS_WINDROW_TENSOR_WORDS_H_

#include <optional>
#include <string>

#include "tools/windrow/documents.h"
#include "windrow/tensor.h"

// Tensors that are written out as text. `input` names them in messages. Everything here throws
// Error on bad input. Needs no operating system.
namespace windrow::tool {

// "3x4x2" or "5x" as a shape; nothing if the word is not a shape.
std::optional<Shape> parse_shape(const std::string& word);
// The same, and "5" too, where the word can only be a shape.
std::optional<Shape> parse_extents(const std::string& word);

// Elements that count from 0 in row-major order; they start again where the type can't hold the
// next number. Precondition: the shape's elements can be counted.
Tensor counting_tensor(DType type, const Shape& shape);

// Throws kInvalidArgument: "--input: text".
[[noreturn]] void refuse(const std::string& input, const std::string& text);

// Nested lists of numbers, or one number, as JSON writes them; strings for strings, true and false
// for booleans. Floats become the nearest value of the type; whole numbers must be in its range.
Tensor tensor_of_lists(const std::string& input, DType type, const Json& lists);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TENSOR_WORDS_H_
