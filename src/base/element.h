#ifndef WINDROW_BASE_ELEMENT_H_
#define WINDROW_BASE_ELEMENT_H_

#include <cstdint>

#include "windrow/dtype.h"

// Elements of less than a byte: where they lie in a dense tensor.
namespace windrow::internal {

// A packed element's place: its byte, and its distance from the byte's low end in bits.
struct PackedPlace {
  std::int64_t byte = 0;
  int shift = 0;
  int mask = 0;  // before the shift
};

inline PackedPlace packed_place(DType dtype, std::int64_t index) noexcept {
  const int bits = dtype_bits(dtype);
  if (bits == 1) return {index / 8, 7 - static_cast<int>(index % 8), 1};
  const int per_byte = 8 / bits;
  return {index / per_byte, static_cast<int>(index % per_byte) * bits, (1 << bits) - 1};
}

// Element `index` of a dense tensor of a packed type, in the low bits.
inline std::uint8_t get_packed(DType dtype, const void* data, std::int64_t index) noexcept {
  const PackedPlace place = packed_place(dtype, index);
  const int byte = static_cast<const std::uint8_t*>(data)[place.byte];
  return static_cast<std::uint8_t>((byte >> place.shift) & place.mask);
}

// Sets it to the low bits of `value` and leaves its neighbours alone.
inline void set_packed(DType dtype, void* data, std::int64_t index, std::uint8_t value) noexcept {
  const PackedPlace place = packed_place(dtype, index);
  std::uint8_t& byte = static_cast<std::uint8_t*>(data)[place.byte];
  const int others = byte & ~(place.mask << place.shift);
  byte = static_cast<std::uint8_t>(others | ((value & place.mask) << place.shift));
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_ELEMENT_H_
