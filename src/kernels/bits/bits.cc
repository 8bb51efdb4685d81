#include <algorithm>
#include <cstring>
#include <limits>

#include "src/base/memory.h"
#include "src/kernels/registry.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/bits/bits.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int32_t kOtherRow = -2;

HWY_INLINE unsigned take_bit(const BitRun& run, std::int64_t row) {
  const std::int64_t bit = run.first + row;
  return (unsigned{read_once<std::uint8_t>(run.bits + bit / 8)} >> (bit % 8)) & 1U;
}

// Writes the bits of the rows from `at` on, a multiple of 8.
void take_singly(const BitRun& run, std::int64_t at) {
  for (; at < run.count; at += 8) {
    const std::int64_t count = std::min<std::int64_t>(8, run.count - at);
    unsigned byte = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int32_t row = run.rows[at + j];
      const unsigned bit =
          row >= 0 ? take_bit(run, row) : (row == kOtherRow && run.other ? 1U : 0U);
      byte |= bit << j;
    }
    run.to[at / 8] = static_cast<std::byte>(byte);
  }
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

// Takes whole vectors of rows. Returns the number of rows. A bit is cut out of the four bytes that
// begin with its own; near the end of the bitmap, out of its last four.
std::int64_t take_vectors(const BitRun& run) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const std::int64_t skipped = run.first / 8;
  const std::int64_t last = run.bytes - skipped - 4;
  if (last < 0 || last > std::numeric_limits<std::int32_t>::max()) return 0;
  const auto* const words = reinterpret_cast<const std::int32_t*>(run.bits + skipped);
  const auto first = hn::Set(du, static_cast<std::uint32_t>(run.first % 8));
  const auto last_word = hn::Set(du, static_cast<std::uint32_t>(last));
  const auto one = hn::Set(d, 1);
  const auto other = hn::Set(d, run.other ? kOtherRow : std::numeric_limits<std::int32_t>::max());
  std::int64_t at = 0;
  for (; at + kLanes <= run.count; at += kLanes) {
    const auto row = hn::LoadU(d, run.rows + at);
    const auto bit = hn::Add(hn::BitCast(du, hn::Max(row, hn::Zero(d))), first);
    const auto byte = hn::Min(hn::ShiftRight<3>(bit), last_word);
    const auto word = hn::GatherOffset(d, words, hn::BitCast(d, byte));
    const auto shift = hn::Sub(bit, hn::ShiftLeft<3>(byte));
    const auto cut = hn::BitCast(d, hn::Shr(hn::BitCast(du, word), shift));
    const auto taken = hn::IfThenZeroElse(hn::Lt(row, hn::Zero(d)), hn::And(cut, one));
    hn::StoreMaskBits(d, hn::Or(hn::Eq(taken, one), hn::Eq(row, other)),
                      reinterpret_cast<std::uint8_t*>(run.to + at / 8));
  }
  return at;
}

void take_bits(const BitRun& run) noexcept {
  take_singly(run, run.gathers ? take_vectors(run) : 0);
}

#else

void take_bits(const BitRun& run) noexcept { take_singly(run, 0); }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_bits
#define WINDROW_ROWS "src/kernels/bits/rows.inc"
#include "src/kernels/bind_rows-inl.h"
