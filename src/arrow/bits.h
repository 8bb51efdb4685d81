#ifndef WINDROW_ARROW_BITS_H_
#define WINDROW_ARROW_BITS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/arrow/chosen_kernels.h"
#include "src/arrow/output.h"
#include "src/arrow/selection.h"
#include "src/base/memory.h"
#include "windrow/plan.h"

// Bitmaps as Arrow has them: bit i is bit i mod 8 of byte i / 8, counted from the lowest.
namespace windrow::arrow {

// Bit i of foreign memory.
inline bool bit_at(const std::byte* bits, std::int64_t i) {
  const auto byte = windrow::internal::read_once<std::uint8_t>(bits + i / 8);
  return ((byte >> (i % 8)) & 1) != 0;
}

inline std::int64_t bitmap_bytes(std::int64_t bits) { return bits / 8 + (bits % 8 == 0 ? 0 : 1); }

// to[j] = bit first + j, 0 or 1, for j in [0, count). Each byte is read once.
void unpack_bits(const std::byte* bits, std::int64_t first, std::int64_t count, std::uint8_t* to);

// to[j] = from[j] as bits, for j in [0, count), from a byte's lowest bit on; `from` holds 0 and 1.
// The rest of the last byte is 0.
void pack_bits(const std::uint8_t* from, std::int64_t count, std::byte* to);

// Sets a bit of the library's own memory.
inline void set_bit(std::byte* bits, std::int64_t i, bool value) {
  const auto mask = static_cast<std::byte>(1U << (i % 8));
  if (value) {
    bits[i / 8] |= mask;
  } else {
    bits[i / 8] &= ~mask;
  }
}

// The number of bits of [0, count) that are 0. The memory is the library's own.
std::int64_t count_zeros(const std::byte* bits, std::int64_t count);

// Rows of bits of one chunk.
struct BitRows {
  const std::byte* bits = nullptr;  // null: every bit is 1
  std::int64_t first = 0;           // the first bit of row 0
  std::int64_t count = 0;           // bits from there on
};

// Bit first + i of the rows, or 1 without a bitmap.
inline bool row_bit(const BitRows& rows, std::int64_t i) {
  return rows.bits == nullptr || bit_at(rows.bits, rows.first + i);
}

// A bitmap of `per_row` bits for each selected row. `zero_bit` is what rows of kZeroRow have; those
// of kNullRow have 0. Errors: kOutOfMemory, kInterrupted.
Result<NewBuffer> gather_bits(std::span<const BitRows> chunks, const Selection& selection,
                              std::int64_t per_row, bool zero_bit, const ChosenKernels& kernels,
                              const RunOptions& run);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_BITS_H_
