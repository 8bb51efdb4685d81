#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/base/float_types.h"
#include "src/reference/element.h"

namespace windrow::internal::reference {
namespace {

template <class T>
T number(const Element& element, std::size_t offset = 0) {
  T value{};
  std::memcpy(&value, element.bits.data() + offset, sizeof value);
  return value;
}

template <class T>
void set_number(Element& element, T value, std::size_t offset = 0) {
  std::memcpy(element.bits.data() + offset, &value, sizeof value);
}

// min and max: one of the two operands. A NaN in the cell stays; equal values take the update.
template <class T>
Element choose(Reduction reduction, const Element& cell, const Element& update, const T& a,
               const T& u) {
  const bool is_nan = !(a == a);
  const bool keep = is_nan || (reduction == Reduction::kMin ? a < u : a > u);
  return keep ? cell : update;
}

Element combine_bool(Reduction reduction, const Element& cell, const Element& update) {
  const bool a = number<std::uint8_t>(cell) != 0;
  const bool u = number<std::uint8_t>(update) != 0;
  const bool is_or = reduction == Reduction::kAdd || reduction == Reduction::kMax;
  Element result = zero_element(cell.dtype);
  set_number(result, std::uint8_t{is_or ? a || u : a && u});
  return result;
}

template <class T>
Element combine_integer(Reduction reduction, const Element& cell, const Element& update) {
  const T a = number<T>(cell);
  const T u = number<T>(update);
  if (reduction == Reduction::kMin || reduction == Reduction::kMax)
    return choose(reduction, cell, update, a, u);
  // Unsigned arithmetic wraps; what is cut off above T's bits makes it modulo 2^bits.
  const std::uint64_t wide_a = static_cast<std::make_unsigned_t<T>>(a);
  const std::uint64_t wide_u = static_cast<std::make_unsigned_t<T>>(u);
  Element result = zero_element(cell.dtype);
  set_number(result,
             static_cast<T>(reduction == Reduction::kAdd ? wide_a + wide_u : wide_a * wide_u));
  return result;
}

template <class T>
T canonical(T value) {
  return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

template <class T>
Element combine_float(Reduction reduction, const Element& cell, const Element& update) {
  const T a = number<T>(cell);
  const T u = number<T>(update);
  if (reduction == Reduction::kMin || reduction == Reduction::kMax)
    return choose(reduction, cell, update, a, u);
  Element result = zero_element(cell.dtype);
  set_number(result, canonical(reduction == Reduction::kAdd ? a + u : a * u));
  return result;
}

Element combine_float_16(Reduction reduction, const Element& cell, const Element& update,
                         float (*to_float)(std::uint16_t), std::uint16_t (*from_float)(float)) {
  const float a = to_float(number<std::uint16_t>(cell));
  const float u = to_float(number<std::uint16_t>(update));
  if (reduction == Reduction::kMin || reduction == Reduction::kMax)
    return choose(reduction, cell, update, a, u);
  Element result = zero_element(cell.dtype);
  set_number(result, from_float(reduction == Reduction::kAdd ? a + u : a * u));
  return result;
}

template <class T>
Element combine_complex(Reduction reduction, const Element& cell, const Element& update) {
  const T ar = number<T>(cell);
  const T ai = number<T>(cell, sizeof(T));
  const T ur = number<T>(update);
  const T ui = number<T>(update, sizeof(T));
  const bool add = reduction == Reduction::kAdd;
  Element result = zero_element(cell.dtype);
  set_number(result, canonical(add ? ar + ur : ar * ur - ai * ui));
  set_number(result, canonical(add ? ai + ui : ar * ui + ai * ur), sizeof(T));
  return result;
}

Element combine_string(Reduction reduction, const Element& cell, const Element& update) {
  if (reduction != Reduction::kAdd) return choose(reduction, cell, update, cell.text, update.text);
  Element result = cell;
  result.text += update.text;
  return result;
}

}  // namespace

bool has_reduction(DType dtype, Reduction reduction) {
  switch (dtype_kind(dtype)) {
    case DTypeKind::kComplex:
      return reduction != Reduction::kMin && reduction != Reduction::kMax;
    case DTypeKind::kText:
      return reduction != Reduction::kMul;
    default:
      return true;
  }
}

Element combine(Reduction reduction, const Element& cell, const Element& update) {
  if (reduction == Reduction::kNone) return update;
  switch (cell.dtype) {
    case DType::kBool:
      return combine_bool(reduction, cell, update);
    case DType::kInt8:
      return combine_integer<std::int8_t>(reduction, cell, update);
    case DType::kInt16:
      return combine_integer<std::int16_t>(reduction, cell, update);
    case DType::kInt32:
      return combine_integer<std::int32_t>(reduction, cell, update);
    case DType::kInt64:
      return combine_integer<std::int64_t>(reduction, cell, update);
    case DType::kUint8:
      return combine_integer<std::uint8_t>(reduction, cell, update);
    case DType::kUint16:
      return combine_integer<std::uint16_t>(reduction, cell, update);
    case DType::kUint32:
      return combine_integer<std::uint32_t>(reduction, cell, update);
    case DType::kUint64:
      return combine_integer<std::uint64_t>(reduction, cell, update);
    case DType::kFloat16:
      return combine_float_16(reduction, cell, update, float16_to_float, float_to_float16);
    case DType::kBFloat16:
      return combine_float_16(reduction, cell, update, bfloat16_to_float, float_to_bfloat16);
    case DType::kFloat32:
      return combine_float<float>(reduction, cell, update);
    case DType::kFloat64:
      return combine_float<double>(reduction, cell, update);
    case DType::kComplex64:
      return combine_complex<float>(reduction, cell, update);
    case DType::kComplex128:
      return combine_complex<double>(reduction, cell, update);
    case DType::kString:
      return combine_string(reduction, cell, update);
    default:  // 8-bit floats and 4-bit types are only ever assigned
      return update;
  }
}

}  // namespace windrow::internal::reference
