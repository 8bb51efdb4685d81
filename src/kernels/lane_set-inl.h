// Lanes of vectors that are kept: compress() moves them to the front. Included once per Highway
// target.
#if defined(WINDROW_KERNELS_LANE_SET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_LANE_SET_INL_H_
#undef WINDROW_KERNELS_LANE_SET_INL_H_
#else
#define WINDROW_KERNELS_LANE_SET_INL_H_
#endif

#include <array>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using SetLanes = hn::ScalableTag<std::uint32_t>;

#if HWY_TARGET == HWY_AVX2

// For each set of eight lanes, the numbers of its lanes in order, four bits each.
constexpr std::array<std::uint32_t, 256> lanes_of_sets() {
  std::array<std::uint32_t, 256> sets{};
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    std::uint32_t length = 0;
    for (std::uint32_t lane = 0; lane < 8; ++lane)
      if ((set >> lane & 1U) != 0) sets[set] |= lane << 4 * length++;
  }
  return sets;
}

// The lanes of a mask side by side. Highway 1.0 copies its table of these to the stack for every
// vector, which takes longer than all else.
class LaneSet {
 public:
  explicit HWY_INLINE LaneSet(hn::Mask<SetLanes> mask) {
    alignas(8) std::uint8_t bits[8] = {};
    hn::StoreMaskBits(SetLanes(), mask, bits);
    count_ = __builtin_popcount(bits[0]);
    const auto packed = hn::Set(SetLanes(), kLanesOfSets[bits[0]]);
    const auto lanes = hn::Shr(packed, hn::ShiftLeft<2>(hn::Iota(SetLanes(), 0)));
    lanes_ = hn::And(lanes, hn::Set(SetLanes(), 7));
  }

  friend hn::Vec<SetLanes> compress(hn::Vec<SetLanes> vector, const LaneSet& set);
  friend std::int64_t count_lanes(const LaneSet& set);

 private:
  static constexpr std::array<std::uint32_t, 256> kLanesOfSets = lanes_of_sets();

  hn::Vec<SetLanes> lanes_;
  std::int64_t count_;
};

// Not in the class, where g++ compiles friends without the instruction set of HWY_BEFORE_NAMESPACE:
// it would take `vector` from another place than callers put it, unless it is inlined.
HWY_INLINE hn::Vec<SetLanes> compress(hn::Vec<SetLanes> vector, const LaneSet& set) {
  return hn::TableLookupLanes(vector, hn::IndicesFromVec(SetLanes(), set.lanes_));
}
HWY_INLINE std::int64_t count_lanes(const LaneSet& set) { return set.count_; }

#else

// Not a class: SVE's masks cannot be members of one.
using LaneSet = hn::Mask<SetLanes>;

HWY_INLINE hn::Vec<SetLanes> compress(hn::Vec<SetLanes> vector, LaneSet set) {
  return hn::Compress(vector, set);
}
HWY_INLINE std::int64_t count_lanes(LaneSet set) {
  return static_cast<std::int64_t>(hn::CountTrue(SetLanes(), set));
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_LANE_SET_INL_H_
