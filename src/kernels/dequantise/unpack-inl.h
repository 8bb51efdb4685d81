// Codes of 2, 4 and 8 bits as bytes. Included once per Highway target.
#if defined(WINDROW_KERNELS_DEQUANTISE_UNPACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_DEQUANTISE_UNPACK_INL_H_
#undef WINDROW_KERNELS_DEQUANTISE_UNPACK_INL_H_
#else
#define WINDROW_KERNELS_DEQUANTISE_UNPACK_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The most codes that are unpacked at a time.
constexpr std::int64_t kPieceCodes = 256;

#if HWY_TARGET != HWY_SCALAR  // which interleaves nothing
using CodeVector = hn::CappedTag<std::uint8_t, 16>;

HWY_INLINE std::int64_t code_lanes() { return static_cast<std::int64_t>(hn::Lanes(CodeVector())); }

// Two codes in every byte, or four: those of a vector of bytes, in their order, to `to`.
HWY_INLINE void spread_nibbles(hn::Vec<CodeVector> bytes, std::uint8_t* to) {
  const CodeVector d;
  const auto low = hn::And(bytes, hn::Set(d, 0xf));
  const auto high = hn::ShiftRight<4>(bytes);
  hn::StoreU(hn::InterleaveLower(d, low, high), d, to);
  hn::StoreU(hn::InterleaveUpper(d, low, high), d, to + code_lanes());
}
HWY_INLINE void spread_pairs(hn::Vec<CodeVector> bytes, std::uint8_t* to) {
  const CodeVector d;
  // Each nibble holds two codes: first the nibbles are set apart, then the codes in them.
  std::uint8_t nibbles[2 * hn::MaxLanes(CodeVector())];
  spread_nibbles(bytes, nibbles);
  for (int half = 0; half < 2; ++half) {
    const auto two = hn::LoadU(d, nibbles + half * code_lanes());
    const auto low = hn::And(two, hn::Set(d, 3));
    const auto high = hn::ShiftRight<2>(two);
    std::uint8_t* const out = to + 2 * half * code_lanes();
    hn::StoreU(hn::InterleaveLower(d, low, high), d, out);
    hn::StoreU(hn::InterleaveUpper(d, low, high), d, out + code_lanes());
  }
}
#endif

// Codes of one line, from a place in memory on.
struct PackedCodes {
  const std::byte* codes;
  std::int64_t first;  // the number of the first one
  int bits;
  unsigned flip;
};

// The bytes of at most kPieceCodes codes.
class Codes {
 public:
  // `count` codes, as bytes, each with the bits of `flip` turned over. They are valid until the
  // next call, and at most as long as the memory that they come from.
  HWY_NOINLINE const std::uint8_t* read(const PackedCodes& packed, std::int64_t count) {
    if (packed.bits == 8) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(packed.codes) + packed.first;
      if (packed.flip == 0) return bytes;
      for (std::int64_t i = 0; i < count; ++i)
        bytes_[i] = static_cast<std::uint8_t>(bytes[i] ^ packed.flip);
      return bytes_;
    }
    const std::int64_t per_byte = 8 / packed.bits;
    const std::int64_t skipped = packed.first & (per_byte - 1);
    // Rounded down, also where rows stand in front of the first one.
    const auto* const from =
        reinterpret_cast<const std::uint8_t*>(packed.codes) + (packed.first >> (per_byte / 2));
    const std::int64_t bytes = (skipped + count + per_byte - 1) / per_byte;
    if (packed.bits == 4)
      unpack<4>(from, bytes);
    else
      unpack<2>(from, bytes);
    if (packed.flip != 0)
      for (std::int64_t i = 0; i < skipped + count; ++i)
        bytes_[i] = static_cast<std::uint8_t>(bytes_[i] ^ packed.flip);
    return bytes_ + skipped;
  }

 private:
  // Unpacks whole bytes, and reads none behind them.
  template <int kBits>
  HWY_INLINE void unpack(const std::uint8_t* from, std::int64_t bytes) {
    constexpr std::int64_t kPerByte = 8 / kBits;
    std::int64_t at = 0;
#if HWY_TARGET != HWY_SCALAR
    for (; at + code_lanes() <= bytes; at += code_lanes()) {
      const auto vector = hn::LoadU(CodeVector(), from + at);
      if constexpr (kBits == 4)
        spread_nibbles(vector, bytes_ + at * kPerByte);
      else
        spread_pairs(vector, bytes_ + at * kPerByte);
    }
#endif
    for (; at < bytes; ++at) {
      const unsigned byte = from[at];
      for (std::int64_t i = 0; i < kPerByte; ++i)
        bytes_[at * kPerByte + i] =
            static_cast<std::uint8_t>((byte >> (i * kBits)) & ((1U << kBits) - 1));
    }
  }

  // Codes of the first byte in front of the line may come along, and some behind it.
  HWY_ALIGN std::uint8_t bytes_[kPieceCodes + 64];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_DEQUANTISE_UNPACK_INL_H_
