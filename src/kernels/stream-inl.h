// Non-temporal stores of whole rows. Included once per Highway target.
#if defined(WINDROW_KERNELS_STREAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_STREAM_INL_H_
#undef WINDROW_KERNELS_STREAM_INL_H_
#else
#define WINDROW_KERNELS_STREAM_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "src/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// 16 bytes at a time: the alignment of NumPy's arrays.
using NarrowStream = hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 16>;
// A whole vector at a time, at most a cache line.
using WideStream = hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 64>;

// `to` and `bytes` must be multiples of the tag's vector.
template <class Tag>
HWY_INLINE void stream_copy(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const Tag tag;
  for (std::int64_t at = 0; at < bytes; at += lane_count(tag))
    hwy::HWY_NAMESPACE::Stream(
        hwy::HWY_NAMESPACE::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from + at)), tag,
        reinterpret_cast<std::uint8_t*>(to + at));
}

template <class Tag>
HWY_INLINE void stream_zeros(std::byte* to, std::int64_t bytes) {
  const Tag tag;
  for (std::int64_t at = 0; at < bytes; at += lane_count(tag))
    hwy::HWY_NAMESPACE::Stream(hwy::HWY_NAMESPACE::Zero(tag), tag,
                               reinterpret_cast<std::uint8_t*>(to + at));
}

// Whether rows can be written with non-temporal stores of the tag's vectors.
template <class Tag>
HWY_INLINE bool fits_stream(const std::byte* to, std::int64_t step, std::int64_t bytes) {
  const auto all = reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(step) |
                   static_cast<std::uintptr_t>(bytes);
  return all % static_cast<std::uintptr_t>(lane_count(Tag())) == 0;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_STREAM_INL_H_
