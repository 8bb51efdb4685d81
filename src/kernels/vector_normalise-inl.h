// Coordinates in vectors, for the targets that gain by it. Included once per Highway target.
#if defined(WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#undef WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#else
#define WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hwy/highway.h"
#include "src/kernels/private-inl.h"

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

using Lanes32 = hn::ScalableTag<std::uint32_t>;
using Lanes64 = hn::ScalableTag<std::uint64_t>;

// Vectors of the coordinates that normalise() gives on an axis of less than 2^31 cells whose
// indices must be inside, and all ones where they are not. If `kPads`, an index that is padding has
// the coordinate 2^31. By hand, since the compiler makes vectors of 64 bits out of it for indices
// of 32, and of a private copy.
template <class D, bool kPads>
class VectorNormaliser {
 public:
  VectorNormaliser(std::int64_t extent, bool wraps, std::optional<std::int64_t> padding)
      : extent_(hn::Set(D(), static_cast<T>(extent))),
        wrap_(wraps ? hn::BitCast(Signed(), extent_) : hn::Zero(Signed())),
        padding_(hn::Set(Signed(), kPads ? static_cast<hn::TFromD<Signed>>(*padding) : 0)) {}

  HWY_INLINE hn::Vec<D> read(const std::byte* indices) const {
    const auto index = load_once(Signed(), indices);
    const auto negative = hn::Lt(index, hn::Zero(Signed()));
    const auto coordinate = hn::BitCast(D(), hn::Add(index, hn::IfThenElseZero(negative, wrap_)));
    const auto checked =
        hn::IfThenElse(hn::Lt(coordinate, extent_), coordinate, hn::Set(D(), ~T{0}));
    if constexpr (!kPads) return checked;
    const auto padded = hn::RebindMask(D(), hn::Eq(index, padding_));
    return hn::IfThenElse(padded, hn::Set(D(), T{1} << 31), checked);
  }

 private:
  using T = hn::TFromD<D>;
  using Signed = hn::RebindToSigned<D>;
  hn::Vec<D> extent_;
  hn::Vec<Signed> wrap_;
  hn::Vec<Signed> padding_;
};

template <bool kPads>
HWY_INLINE hn::Vec<Lanes32> coordinates(const VectorNormaliser<Lanes32, kPads>& normaliser,
                                        const std::byte* indices) {
  return normaliser.read(indices);
}
template <bool kPads>
HWY_INLINE hn::Vec<Lanes32> coordinates(const VectorNormaliser<Lanes64, kPads>& normaliser,
                                        const std::byte* indices) {
  const Lanes32 d;
  const auto low = normaliser.read(indices);
  const auto high = normaliser.read(indices + hn::MaxLanes(Lanes64()) * sizeof(std::int64_t));
  return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
}

// The offsets, all ones where the coordinate is outside or padding.
HWY_INLINE hn::Vec<Lanes32> mark_outside(hn::Vec<Lanes32> coordinate, hn::Vec<Lanes32> offset) {
  const hn::RebindToSigned<Lanes32> d;
  const auto outside = hn::BroadcastSignBit(hn::BitCast(d, coordinate));
  return hn::Or(offset, hn::BitCast(Lanes32(), outside));
}

// Whether a coordinate is outside or padding.
HWY_INLINE bool has_outside(hn::Vec<Lanes32> coordinate) {
  const hn::RebindToSigned<Lanes32> d;
  return !hn::AllFalse(d, hn::Lt(hn::BitCast(d, coordinate), hn::Zero(d)));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();
#endif

#endif  // WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
