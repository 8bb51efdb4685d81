#include <array>
#include <cstdint>
#include <limits>

#include "src/reference/element.h"
#include "src/reference/number.h"

namespace windrow::internal::reference {
namespace {

// 0, 1, the largest or the lowest value.
template <class T>
T choose(Reduction reduction, T one, T largest, T lowest) {
  switch (reduction) {
    case Reduction::kMul:
      return one;
    case Reduction::kMin:
      return largest;
    case Reduction::kMax:
      return lowest;
    default:
      return T{0};
  }
}

template <class T>
std::array<T, 2> neutral_complex(Reduction reduction) {
  return {reduction == Reduction::kMul ? T{1} : T{0}, T{0}};
}

}  // namespace

Element neutral_element(DType dtype, Reduction reduction) {
  switch (dtype) {
    case DType::kBool:
      return with_number(dtype, choose<std::uint8_t>(reduction, 1, 1, 0));
    case DType::kInt4:
      return with_number(dtype, choose<std::uint8_t>(reduction, 1, 0x7, 0x8));
    case DType::kUint4:
      return with_number(dtype, choose<std::uint8_t>(reduction, 1, 0xf, 0));
    case DType::kComplex64:
      return with_number(dtype, neutral_complex<float>(reduction));
    case DType::kComplex128:
      return with_number(dtype, neutral_complex<double>(reduction));
    default:
      break;
  }
  if (is_integer(dtype)) {
    return visit_integer(zero_element(dtype), [&](auto zero) {
      using Limits = std::numeric_limits<decltype(zero)>;
      return with_number(dtype, choose<decltype(zero)>(reduction, 1, Limits::max(), Limits::min()));
    });
  }
  return visit_real(dtype, [&](const auto& format) {
    using Value = decltype(format.largest);
    const Value largest = format.largest;
    return format.element(dtype, choose<Value>(reduction, 1, largest, -largest));
  });
}

Element identity_element(DType dtype, Reduction reduction) {
  const bool bounded = reduction == Reduction::kMin || reduction == Reduction::kMax;
  const bool has_infinity =
      !is_integer(dtype) && dtype != DType::kBool && dtype != DType::kFloat8E4M3FN;
  if (!bounded || !has_infinity) return neutral_element(dtype, reduction);
  return visit_real(dtype, [&](const auto& format) {
    const auto infinity = std::numeric_limits<decltype(format.largest)>::infinity();
    return format.element(dtype, reduction == Reduction::kMin ? infinity : -infinity);
  });
}

}  // namespace windrow::internal::reference
