// Coordinates in vectors, for the targets that gain by it. Included once per Highway target.
#if defined(WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#undef WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#else
#define WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

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
// indices must be inside, and all ones where they are not. By hand, since the compiler makes
// vectors of 64 bits out of it for indices of 32, and of a private copy.
template <class D>
class VectorNormaliser {
 public:
  VectorNormaliser(std::int64_t extent, bool wraps)
      : extent_(hn::Set(D(), static_cast<T>(extent))),
        wrap_(wraps ? hn::BitCast(Signed(), extent_) : hn::Zero(Signed())) {}

  HWY_INLINE hn::Vec<D> read(const std::byte* indices) const {
    const auto index = load_once(Signed(), indices);
    const auto negative = hn::Lt(index, hn::Zero(Signed()));
    const auto coordinate = hn::BitCast(D(), hn::Add(index, hn::IfThenElseZero(negative, wrap_)));
    return hn::IfThenElse(hn::Lt(coordinate, extent_), coordinate, hn::Set(D(), ~T{0}));
  }

 private:
  using T = hn::TFromD<D>;
  using Signed = hn::RebindToSigned<D>;
  hn::Vec<D> extent_;
  hn::Vec<Signed> wrap_;
};

HWY_INLINE hn::Vec<Lanes32> coordinates(const VectorNormaliser<Lanes32>& normaliser,
                                        const std::byte* indices) {
  return normaliser.read(indices);
}
HWY_INLINE hn::Vec<Lanes32> coordinates(const VectorNormaliser<Lanes64>& normaliser,
                                        const std::byte* indices) {
  const Lanes32 d;
  const auto low = normaliser.read(indices);
  const auto high = normaliser.read(indices + hn::MaxLanes(Lanes64()) * sizeof(std::int64_t));
  return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();
#endif

#endif  // WINDROW_KERNELS_VECTOR_NORMALISE_INL_H_
