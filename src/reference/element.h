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

// kMean folds as kAdd does; divide() makes a mean of the sum.
enum class Reduction : std::uint8_t { kNone, kAdd, kSub, kMul, kMin, kMax, kMean };

// 0, false or "".
Element zero_element(DType dtype);

Element read_element(const TensorView& tensor, const Position& position);

void write_element(Tensor& tensor, const Position& position, const Element& element);

// An element of a tensor of any integer type, float16, float32 or float64. A uint64 above 2^63-1
// gives 2^63-1; a float is truncated toward zero; NaN and floats outside int64 give -2^63.
std::int64_t read_index(const TensorView& indices, const Position& position);
// An element of a uint64 index tensor, unchanged.
std::uint64_t read_uint64(const TensorView& indices, const Position& position);
// An element of an index tensor in decimal; a uint64 above 2^63-1 is not limited.
std::string index_text(const TensorView& indices, const Position& position);

// op(cell, update), as the tables "Reductions" of docs/operators/ say. Both have one type, which
// has the reduction in the dialect that asks.
Element combine(Reduction reduction, const Element& cell, const Element& update);

// What a fold that leaves out the cell of data starts with: 0, 1, the largest (min) or the lowest
// (max) finite value. For the types that combine() takes, except strings.
Element neutral_element(DType dtype, Reduction reduction);

// The result of a fold of nothing: the same, but infinities for floats that have them.
Element identity_element(DType dtype, Reduction reduction);

// The mean of `count` (above 0) elements whose sum is `sum`, an integer or real number: toward -inf
// for integers.
Element divide(const Element& sum, std::int64_t count);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ELEMENT_H_
