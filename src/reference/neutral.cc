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
T neutral_number(Reduction reduction) {
  return choose(reduction, T{1}, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest());
}

template <class T>
std::array<T, 2> neutral_complex(Reduction reduction) {
  return {reduction == Reduction::kMul ? T{1} : T{0}, T{0}};
}

template <class Code>
Code neutral_code(Reduction reduction, const SmallFloat<Code>& format) {
  const auto sign = static_cast<Code>(std::numeric_limits<Code>::max() / 2 + 1);
  return choose(reduction, format.from_float(1.0F), format.largest,
                static_cast<Code>(format.largest | sign));
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
    case DType::kFloat32:
      return with_number(dtype, neutral_number<float>(reduction));
    case DType::kFloat64:
      return with_number(dtype, neutral_number<double>(reduction));
    case DType::kComplex64:
      return with_number(dtype, neutral_complex<float>(reduction));
    case DType::kComplex128:
      return with_number(dtype, neutral_complex<double>(reduction));
    default:
      break;
  }
  if (is_integer(dtype)) {
    return visit_integer(zero_element(dtype), [&](auto zero) {
      return with_number(dtype, neutral_number<decltype(zero)>(reduction));
    });
  }
  return visit_small_float(dtype, [&](const auto& format) {
    return with_number(dtype, neutral_code(reduction, format));
  });
}

Element identity_element(DType dtype, Reduction reduction) {
  const bool bounded = reduction == Reduction::kMin || reduction == Reduction::kMax;
  const double infinity = reduction == Reduction::kMin ? std::numeric_limits<double>::infinity()
                                                       : -std::numeric_limits<double>::infinity();
  if (!bounded || is_integer(dtype)) return neutral_element(dtype, reduction);
  switch (dtype) {
    case DType::kFloat32:
      return with_number(dtype, static_cast<float>(infinity));
    case DType::kFloat64:
      return with_number(dtype, infinity);
    case DType::kBool:
    case DType::kFloat8E4M3FN:  // has no infinity
      return neutral_element(dtype, reduction);
    default:
      return visit_small_float(dtype, [&](const auto& format) {
        return with_number(dtype, format.from_float(static_cast<float>(infinity)));
      });
  }
}

}  // namespace windrow::internal::reference
