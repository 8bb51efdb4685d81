#include "src/reference/reduction.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "src/reference/element.h"

namespace windrow::internal::reference {

Result<Reduction> parse_reduction(const Call& call, std::string_view name,
                                  std::span<const NamedReduction> allowed,
                                  bool (*has_meaning)(DType, Reduction)) {
  const std::string text = "reduction is '" + std::string(name) + "'";
  const DType dtype = call.data().dtype;
  std::string names;
  for (const NamedReduction& known : allowed) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (known.name != name) continue;
    if (has_meaning(dtype, known.reduction)) return known.reduction;
    return call.error(ErrorCode::kType, "A3",
                      text + ", which has no meaning for " + std::string(dtype_name(dtype)));
  }
  return call.invalid("A3", text + ", must be one of: " + names);
}

namespace {

// min and max: one of the two operands. A NaN in the cell stays; equal values take the update.
template <class T>
Element choose(Reduction reduction, const Element& cell, const Element& update, const T& a,
               const T& u) {
  const bool is_nan = !(a == a);
  const bool keep = is_nan || (reduction == Reduction::kMin ? a < u : a > u);
  return keep ? cell : update;
}

bool chooses(Reduction reduction) {
  return reduction == Reduction::kMin || reduction == Reduction::kMax;
}

// a + u, a - u or a * u in the operands' own type.
template <class T>
T calculate(Reduction reduction, T a, T u) {
  if (reduction == Reduction::kSub) return a - u;
  return reduction == Reduction::kMul ? a * u : a + u;
}

Element combine_bool(Reduction reduction, const Element& cell, const Element& update) {
  const bool a = number<std::uint8_t>(cell) != 0;
  const bool u = number<std::uint8_t>(update) != 0;
  bool result = a || u;
  if (reduction == Reduction::kSub) result = a != u;
  if (reduction == Reduction::kMul || reduction == Reduction::kMin) result = a && u;
  return with_number(cell.dtype, std::uint8_t{result});
}

Element combine_integer(Reduction reduction, const Element& cell, const Element& update) {
  return visit_integer(cell, [&](auto a) {
    const auto u = integer_value<decltype(a)>(update);
    if (chooses(reduction)) return choose(reduction, cell, update, a, u);
    // Unsigned arithmetic wraps; what is cut off above the type's bits makes it modulo 2^bits.
    const auto wide_a = static_cast<std::uint64_t>(a);
    const auto wide_u = static_cast<std::uint64_t>(u);
    return integer_element<decltype(a)>(cell.dtype, calculate(reduction, wide_a, wide_u));
  });
}

template <class T>
T canonical(T value) {
  return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

Element combine_real(Reduction reduction, const Element& cell, const Element& update) {
  return visit_real(cell.dtype, [&](const auto& format) {
    const auto a = format.value(cell);
    const auto u = format.value(update);
    if (chooses(reduction)) return choose(reduction, cell, update, a, u);
    return format.element(cell.dtype, canonical(calculate(reduction, a, u)));
  });
}

template <class T>
Element combine_complex(Reduction reduction, const Element& cell, const Element& update) {
  const T ar = number<T>(cell);
  const T ai = number<T>(cell, sizeof(T));
  const T ur = number<T>(update);
  const T ui = number<T>(update, sizeof(T));
  const bool add = reduction == Reduction::kAdd;
  const std::array<T, 2> result = {canonical(add ? ar + ur : ar * ur - ai * ui),
                                   canonical(add ? ai + ui : ar * ui + ai * ur)};
  return with_number(cell.dtype, result);
}

Element combine_string(Reduction reduction, const Element& cell, const Element& update) {
  if (reduction != Reduction::kAdd) return choose(reduction, cell, update, cell.text, update.text);
  Element result = cell;
  result.text += update.text;
  return result;
}

// The largest integer that is not above sum / count.
template <class T>
T floor_divide(T sum, std::int64_t count) {
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(std::uint64_t{sum} / static_cast<std::uint64_t>(count));
  } else {
    const std::int64_t quotient = std::int64_t{sum} / count;
    return static_cast<T>(std::int64_t{sum} % count < 0 ? quotient - 1 : quotient);
  }
}

}  // namespace

Element combine(Reduction reduction, const Element& cell, const Element& update) {
  if (reduction == Reduction::kNone) return update;
  switch (cell.dtype) {
    case DType::kBool:
      return combine_bool(reduction, cell, update);
    case DType::kComplex64:
      return combine_complex<float>(reduction, cell, update);
    case DType::kComplex128:
      return combine_complex<double>(reduction, cell, update);
    case DType::kString:
      return combine_string(reduction, cell, update);
    default:
      return is_integer(cell.dtype) ? combine_integer(reduction, cell, update)
                                    : combine_real(reduction, cell, update);
  }
}

Element divide(const Element& sum, std::int64_t count) {
  if (is_integer(sum.dtype)) {
    return visit_integer(sum, [&](auto value) {
      const auto quotient = floor_divide(value, count);
      return integer_element<decltype(value)>(sum.dtype, static_cast<std::uint64_t>(quotient));
    });
  }
  return visit_real(sum.dtype, [&](const auto& format) {
    const auto value = format.value(sum);
    return format.element(sum.dtype, canonical(value / static_cast<decltype(value)>(count)));
  });
}

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
