#ifndef WINDROW_REFERENCE_ELEMENT_H_
#define WINDROW_REFERENCE_ELEMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "src/base/float_types.h"
#include "windrow/shape.h"
#include "windrow/tensor.h"

// Walking over the positions of a tensor, and taking positions and shapes apart.
namespace windrow::internal::reference {

using Position = Dims;

// Calls visit(position) for every position of `shape` in row-major order, while it returns true.
template <class Visit>
void for_each_position(const Shape& shape, Visit visit) {
  if (element_count(shape).value_or(0) == 0) return;
  Position position = Position::filled(shape.rank(), 0);
  int axis = 0;
  while (axis >= 0 && visit(position)) {
    axis = shape.rank() - 1;
    while (axis >= 0 && ++position[axis] == shape[axis]) position[axis--] = 0;
  }
}

// The number of positions before `position` in row-major order.
inline std::int64_t flat_index(const Shape& shape, const Position& position) {
  std::int64_t index = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) index = index * shape[axis] + position[axis];
  return index;
}

inline Position position_of(const Shape& shape, std::int64_t flat_index) {
  Position position = Position::filled(shape.rank(), 0);
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    position[axis] = flat_index % shape[axis];
    flat_index /= shape[axis];
  }
  return position;
}

// dims[from:to]
inline Dims slice(const Dims& dims, int from, int to) {
  Dims part;
  part.append(dims, from, to);
  return part;
}

// dims[from:]
inline Dims tail(const Dims& dims, int from) { return slice(dims, from, dims.rank()); }

// a ++ b; the ranks together are at most kMaxRank.
inline Dims operator+(const Dims& a, const Dims& b) {
  Dims joined = a;
  joined.append(b, 0, b.rank());
  return joined;
}

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

// Elements as numbers of C++.

template <class T>
T number(const Element& element, std::size_t offset = 0) {
  T value{};
  std::memcpy(&value, element.bits.data() + offset, sizeof value);
  return value;
}

template <class T>
Element with_number(DType dtype, T value) {
  Element element = zero_element(dtype);
  std::memcpy(element.bits.data(), &value, sizeof value);
  return element;
}

template <class T>
constexpr T same(T value) {
  return value;
}

// A real type: how the code that is stored becomes a C++ number and back.
template <class Code, class Value>
struct RealFormat {
  Value largest;  // finite
  Value (*to_value)(Code);
  Code (*to_code)(Value);

  Value value(const Element& element) const { return to_value(number<Code>(element)); }
  Element element(DType dtype, Value value) const { return with_number(dtype, to_code(value)); }
};

template <class T>
inline constexpr RealFormat<T, T> kNativeFormat{std::numeric_limits<T>::max(), same<T>, same<T>};
inline constexpr RealFormat<std::uint16_t, float> kFloat16Format{65504, float16_to_float,
                                                                 float_to_float16};
inline constexpr RealFormat<std::uint16_t, float> kBFloat16Format{0x1.fep127F, bfloat16_to_float,
                                                                  float_to_bfloat16};
inline constexpr RealFormat<std::uint8_t, float> kFloat8E4M3FNFormat{448, float8_e4m3fn_to_float,
                                                                     float_to_float8_e4m3fn};
inline constexpr RealFormat<std::uint8_t, float> kFloat8E5M2Format{57344, float8_e5m2_to_float,
                                                                   float_to_float8_e5m2};

// The value of an integer element in T, the C++ type that visit_integer() gives.
template <class T>
T integer_value(const Element& element) {
  const T value = number<T>(element);
  return element.dtype == DType::kInt4 && value > 7 ? static_cast<T>(value - 16) : value;
}

// The integer element of those low bits.
template <class T>
Element integer_element(DType dtype, std::uint64_t bits) {
  return with_number(dtype, static_cast<T>(is_packed(dtype) ? bits & 0xf : bits));
}

// visit(value) with the value of an integer element in the C++ type of that name, std::int8_t and
// std::uint8_t for int4 and uint4.
template <class Visit>
auto visit_integer(const Element& element, Visit visit) {
  switch (element.dtype) {
    case DType::kInt4:
    case DType::kInt8:
      return visit(integer_value<std::int8_t>(element));
    case DType::kInt16:
      return visit(integer_value<std::int16_t>(element));
    case DType::kInt32:
      return visit(integer_value<std::int32_t>(element));
    case DType::kInt64:
      return visit(integer_value<std::int64_t>(element));
    case DType::kUint16:
      return visit(integer_value<std::uint16_t>(element));
    case DType::kUint32:
      return visit(integer_value<std::uint32_t>(element));
    case DType::kUint64:
      return visit(integer_value<std::uint64_t>(element));
    default:  // kUint4, kUint8
      return visit(integer_value<std::uint8_t>(element));
  }
}

// visit(format) with the format of a real type.
template <class Visit>
auto visit_real(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::kFloat64:
      return visit(kNativeFormat<double>);
    case DType::kFloat32:
      return visit(kNativeFormat<float>);
    case DType::kFloat16:
      return visit(kFloat16Format);
    case DType::kBFloat16:
      return visit(kBFloat16Format);
    case DType::kFloat8E4M3FN:
      return visit(kFloat8E4M3FNFormat);
    default:  // kFloat8E5M2
      return visit(kFloat8E5M2Format);
  }
}

// A real number of at most 32 bits as a float32, and a float32 rounded to such a type.
inline Element to_float32(const Element& element) {
  return visit_real(element.dtype, [&](const auto& format) {
    return with_number(DType::kFloat32, static_cast<float>(format.value(element)));
  });
}
inline Element round_float32(DType dtype, const Element& element) {
  return visit_real(
      dtype, [&](const auto& format) { return format.element(dtype, number<float>(element)); });
}

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ELEMENT_H_
