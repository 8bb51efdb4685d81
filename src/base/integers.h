#ifndef WINDROW_BASE_INTEGERS_H_
#define WINDROW_BASE_INTEGERS_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

// 64-bit arithmetic that detects overflow.
namespace windrow::internal {

inline std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// a + b, or the nearest number that fits.
inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

// |step| * count, or 2^63-1 where that is larger. `count` is at least 0.
inline std::int64_t saturating_span(std::int64_t step, std::int64_t count) noexcept {
  std::int64_t span = 0;
  if (__builtin_mul_overflow(step, count, &span) ||
      span == std::numeric_limits<std::int64_t>::min())
    return std::numeric_limits<std::int64_t>::max();
  return span < 0 ? -span : span;
}

// The value of an element of an index tensor as int64. A uint64 above 2^63-1 gives 2^63-1; floats
// are truncated toward zero, and NaN and floats outside the range of int64 give -2^63.
template <class T>
inline std::int64_t index_value(T element) noexcept {
  using Limits = std::numeric_limits<std::int64_t>;
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    constexpr std::uint64_t kTop = Limits::max();
    return static_cast<std::int64_t>(element < kTop ? element : kTop);
  } else if constexpr (std::is_floating_point_v<T>) {
    const bool fits = element > T(-0x1p63) && element < T(0x1p63);
    return fits ? static_cast<std::int64_t>(element) : Limits::min();
  } else {
    return static_cast<std::int64_t>(element);
  }
}

// An int64 that is congruent to an element of an index tensor modulo `extent`, which is at least 1.
inline std::int64_t congruent_value(std::uint64_t element, std::int64_t extent) noexcept {
  constexpr std::uint64_t kTop = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(element <= kTop ? element
                                                   : element % static_cast<std::uint64_t>(extent));
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_INTEGERS_H_
