#ifndef WINDROW_BASE_INDEX_VALUE_H_
#define WINDROW_BASE_INDEX_VALUE_H_

#include <cstdint>
#include <limits>
#include <type_traits>

namespace windrow::internal {

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

#endif  // WINDROW_BASE_INDEX_VALUE_H_
