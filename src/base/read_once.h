#ifndef WINDROW_BASE_READ_ONCE_H_
#define WINDROW_BASE_READ_ONCE_H_

#include <cstring>
#include <type_traits>

namespace windrow::internal {

// The element at `from`, which need not be aligned, of memory that other threads and processes may
// change. An ordinary load promises nothing there: the compiler may load the element twice, check
// one value and use the other.
template <class T>
[[gnu::always_inline]] inline T read_once(const void* from) {
  T element;
  std::memcpy(&element, from, sizeof element);
  if constexpr (std::is_integral_v<T>) {
    __asm__("" : "+r"(element));
  } else {
    __asm__("" : "+m"(element));
  }
  return element;
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_READ_ONCE_H_
