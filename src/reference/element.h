#ifndef WINDROW_REFERENCE_ELEMENT_H_
#define WINDROW_REFERENCE_ELEMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "src/reference/positions.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// One element of a tensor, typed dynamically.
struct Element {
  DType dtype = DType::kAbsent;
  std::array<std::byte, 16>
      bits{};        // of a number, from the first byte on; a 4-bit one in the low half
  std::string text;  // of a string
};

enum class Reduction : std::uint8_t { kNone, kAdd, kMul, kMin, kMax };

// 0, false or "".
Element zero_element(DType dtype);

Element read_element(const TensorView& tensor, const Position& position);

void write_element(Tensor& tensor, const Position& position, const Element& element);

// An element of an int32 or int64 tensor.
std::int64_t read_index(const TensorView& indices, const Position& position);

// Whether the table "Reductions" of docs/operators/onnx.md gives `reduction` a meaning for `dtype`.
bool has_reduction(DType dtype, Reduction reduction);

// op(cell, update), as that table says. Both have one type, which has the reduction.
Element combine(Reduction reduction, const Element& cell, const Element& update);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ELEMENT_H_
