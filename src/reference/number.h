#ifndef WINDROW_REFERENCE_NUMBER_H_
#define WINDROW_REFERENCE_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "src/base/float_types.h"
#include "src/reference/element.h"

// Elements as numbers of C++.
namespace windrow::internal::reference {

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

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_NUMBER_H_
