#include <cstring>
#include <limits>

#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take_straight/take_straight.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/stream-inl.h"

// With single loads, and with the machine's gather instructions where it has them.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "src/kernels/take_straight/take_run.inc"

// With single loads: the coordinates of some elements, then a load for each.
template <class ElementType, class IndexType>
class LoadedElements {
 public:
  using Element = ElementType;
  using Index = IndexType;
  static constexpr std::int64_t kCount = 64;

  explicit LoadedElements(const TakeRun& run)
      : extent_(run.extent), wrap_(run.wraps ? extent_ : 0) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    std::uint32_t coordinates[kCount];
    const std::byte* indices = run.indices + static_cast<std::size_t>(j) * sizeof(Index);
    unsigned outside = 0;
    for (std::int64_t k = 0; k < kCount; ++k) {
      Index index;
      std::memcpy(&index, indices + static_cast<std::size_t>(k) * sizeof index, sizeof index);
      const std::int64_t wide = index;
      const std::int64_t coordinate = wide < 0 ? wide + wrap_ : wide;
      outside |=
          static_cast<std::uint64_t>(coordinate) >= static_cast<std::uint64_t>(extent_) ? 1U : 0U;
      coordinates[k] = static_cast<std::uint32_t>(coordinate);
    }
    outside_ |= outside != 0;
    if (outside != 0) return take_singly(run, j);
    std::byte* out = run.out + static_cast<std::size_t>(j) * sizeof(Element);
    if (!streams) return load(run.table, coordinates, out);
    alignas(64) std::byte elements[kCount * sizeof(Element)];
    load(run.table, coordinates, elements);
    stream_copy<WideStream>(out, elements, sizeof elements);
  }

  bool any_outside() const { return outside_; }

 private:
  static HWY_INLINE void load(const std::byte* table, const std::uint32_t* coordinates,
                              std::byte* out) {
    for (std::size_t k = 0; k < kCount; ++k)
      std::memcpy(out + k * sizeof(Element), table + coordinates[k] * sizeof(Element),
                  sizeof(Element));
  }

  static void take_singly(const TakeRun& run, std::int64_t j) {
    for (std::int64_t k = 0; k < kCount; ++k) take_one<Element, Index>(run, j + k);
  }

  std::int64_t extent_;
  std::int64_t wrap_;
  bool outside_ = false;
};

template <class Element, class Index>
bool take_loaded(const TakeRun& run) noexcept {
  return take_run(run, LoadedElements<Element, Index>(run));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using Lanes32 = hn::ScalableTag<std::int32_t>;
using Lanes64 = hn::ScalableTag<std::int64_t>;
using Vector32 = hn::Vec<Lanes32>;
using Vector64 = hn::Vec<Lanes64>;

// Indices to coordinates; -1 where they are outside.
template <class D>
struct Coordinates {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  V extent;
  V wrap;

  explicit Coordinates(const TakeRun& run)
      : extent(hn::Set(D(), static_cast<T>(run.extent))),
        wrap(hn::Set(D(), run.wraps ? static_cast<T>(run.extent) : 0)) {}

  HWY_INLINE V of(const std::byte* indices) const {
    const V index = hn::LoadU(D(), reinterpret_cast<const T*>(indices));
    const V zero = hn::Zero(D());
    const V coordinate = hn::Add(index, hn::IfThenElseZero(hn::Lt(index, zero), wrap));
    const auto inside = hn::Lt(coordinate, extent);
    return hn::IfThenElse(inside, hn::Max(coordinate, hn::Set(D(), -1)), hn::Set(D(), -1));
  }
};

template <class D, class V>
HWY_INLINE void write(D d, V values, std::byte* out, bool streams) {
  auto* lanes = reinterpret_cast<hn::TFromD<D>*>(out);
  if (streams) {
    hn::Stream(values, d, lanes);
  } else {
    hn::StoreU(values, d, lanes);
  }
}

// As many coordinates as a vector of D has lanes, from indices of either type.
HWY_INLINE Vector32 coordinates_of(Lanes32 d, const Coordinates<Lanes32>& coordinates,
                                   const std::byte* indices) {
  (void)d;
  return coordinates.of(indices);
}
HWY_INLINE Vector32 coordinates_of(Lanes32 d, const Coordinates<Lanes64>& coordinates,
                                   const std::byte* indices) {
  const hn::RebindToUnsigned<Lanes64> wide;
  const hn::Half<hn::RebindToUnsigned<Lanes32>> half;
  const Vector64 low = coordinates.of(indices);
  const Vector64 high = coordinates.of(indices + hn::MaxLanes(wide) * sizeof(std::int64_t));
  return hn::BitCast(
      d, hn::Combine(hn::RebindToUnsigned<Lanes32>(), hn::TruncateTo(half, hn::BitCast(wide, high)),
                     hn::TruncateTo(half, hn::BitCast(wide, low))));
}
HWY_INLINE Vector64 coordinates_of(Lanes64 d, const Coordinates<Lanes64>& coordinates,
                                   const std::byte* indices) {
  (void)d;
  return coordinates.of(indices);
}
using HalfLanes32 = hn::Rebind<std::int32_t, Lanes64>;
HWY_INLINE Vector64 coordinates_of(Lanes64 d, const Coordinates<HalfLanes32>& coordinates,
                                   const std::byte* indices) {
  return hn::PromoteTo(d, coordinates.of(indices));
}

// D: lanes as wide as an element; IndexLanes: the lanes in which indices are read.
template <class D, class IndexLanes>
class GatheredVectors {
 public:
  using Element = hn::TFromD<D>;
  using Index = hn::TFromD<IndexLanes>;
  static constexpr auto kCount = static_cast<std::int64_t>(hn::MaxLanes(D()));

  explicit GatheredVectors(const TakeRun& run) : coordinates_(run), outside_(hn::Zero(D())) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    const D d;
    const auto coordinate =
        coordinates_of(d, coordinates_, run.indices + static_cast<std::size_t>(j) * sizeof(Index));
    const auto outside = hn::Lt(coordinate, hn::Zero(d));
    outside_ = hn::Or(outside_, coordinate);
    const auto values = hn::GatherIndex(d, reinterpret_cast<const Element*>(run.table),
                                        hn::IfThenZeroElse(outside, coordinate));
    write(d, hn::IfThenZeroElse(outside, values),
          run.out + static_cast<std::size_t>(j) * sizeof(Element), streams);
  }

  bool any_outside() const { return !hn::AllFalse(D(), hn::Lt(outside_, hn::Zero(D()))); }

 private:
  Coordinates<IndexLanes> coordinates_;
  hn::Vec<D> outside_;
};

// Elements narrower than what the instructions gather, a cache line of them at a time: the four
// bytes that end with each or, at the table's beginning, the first four.
template <class NarrowElement, class IndexLanes>
class GatheredWords {
 public:
  using Element = NarrowElement;
  using Index = hn::TFromD<IndexLanes>;
  static constexpr std::int64_t kCount = 64 / sizeof(Element);

  static bool can_take(const TakeRun& run) {
    const std::int64_t bytes = run.extent * kElementBytes;
    return bytes >= kWordBytes && bytes <= std::numeric_limits<std::int32_t>::max();
  }

  explicit GatheredWords(const TakeRun& run) : coordinates_(run), outside_(hn::Zero(Lanes32())) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    const hn::CappedTag<Element, kCount> d;
    constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(d));
    for (std::int64_t k = 0; k < kCount; k += kStep) {
      const auto first = static_cast<std::size_t>(j + k);
      write(d, take_elements(d, run.table, run.indices + first * sizeof(Index)),
            run.out + first * sizeof(Element), streams);
    }
  }

  bool any_outside() const {
    return !hn::AllFalse(Lanes32(), hn::Lt(outside_, hn::Zero(Lanes32())));
  }

 private:
  static constexpr std::int32_t kElementBytes = sizeof(Element);
  static constexpr std::int32_t kWordBytes = 4;

  // In registers: a line put together in memory could not be read back before its parts arrive
  // there.
  template <class D>
  HWY_INLINE hn::Vec<D> take_elements(D d, const std::byte* table, const std::byte* indices) {
    if constexpr (hn::MaxLanes(d) == hn::MaxLanes(Lanes32())) {
      return hn::TruncateTo(d, take_words(table, indices));
    } else {
      const hn::Half<D> half;
      const auto low = take_elements(half, table, indices);
      const auto high = take_elements(half, table, indices + hn::MaxLanes(half) * sizeof(Index));
      return hn::Combine(d, high, low);
    }
  }

  // Each element in the low end of a lane.
  HWY_INLINE hn::Vec<hn::RebindToUnsigned<Lanes32>> take_words(const std::byte* table,
                                                               const std::byte* indices) {
    const Lanes32 d;
    const hn::RebindToUnsigned<Lanes32> words;
    const Vector32 coordinate = coordinates_of(d, coordinates_, indices);
    const auto outside = hn::Lt(coordinate, hn::Zero(d));
    outside_ = hn::Or(outside_, coordinate);
    const Vector32 place =
        hn::Mul(hn::IfThenZeroElse(outside, coordinate), hn::Set(d, kElementBytes));
    const Vector32 first =
        hn::Max(hn::Sub(place, hn::Set(d, kWordBytes - kElementBytes)), hn::Zero(d));
    const Vector32 word = hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(table), first);
    const auto shift = hn::BitCast(words, hn::ShiftLeft<3>(hn::Sub(place, first)));
    return hn::Shr(hn::BitCast(words, hn::IfThenZeroElse(outside, word)), shift);
  }

  Coordinates<IndexLanes> coordinates_;
  Vector32 outside_;
};

template <class Element, class IndexLanes>
bool take_narrow(const TakeRun& run) noexcept {
  using Words = GatheredWords<Element, IndexLanes>;
  if (!Words::can_take(run)) return take_loaded<Element, typename Words::Index>(run);
  return take_run(run, Words(run));
}

template <class D, class IndexLanes>
bool take_gathered(const TakeRun& run) noexcept {
  return take_run(run, GatheredVectors<D, IndexLanes>(run));
}

#endif

}  // namespace

void bind_take_straight_target(KernelTable& table) {
  table.take_straight_int32 = {
      &take_loaded<std::uint8_t, std::int32_t>, &take_loaded<std::uint16_t, std::int32_t>,
      &take_loaded<std::uint32_t, std::int32_t>, &take_loaded<std::uint64_t, std::int32_t>};
  table.take_straight_int64 = {
      &take_loaded<std::uint8_t, std::int64_t>, &take_loaded<std::uint16_t, std::int64_t>,
      &take_loaded<std::uint32_t, std::int64_t>, &take_loaded<std::uint64_t, std::int64_t>};
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  table.take_gathered_int32[0] = &take_narrow<std::uint8_t, Lanes32>;
  table.take_gathered_int64[0] = &take_narrow<std::uint8_t, Lanes64>;
  table.take_gathered_int32[1] = &take_narrow<std::uint16_t, Lanes32>;
  table.take_gathered_int64[1] = &take_narrow<std::uint16_t, Lanes64>;
  table.take_gathered_int32[2] = &take_gathered<Lanes32, Lanes32>;
  table.take_gathered_int64[2] = &take_gathered<Lanes32, Lanes64>;
  table.take_gathered_int32[3] = &take_gathered<Lanes64, HalfLanes32>;
  table.take_gathered_int64[3] = &take_gathered<Lanes64, Lanes64>;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_take_straight_target);

void bind_take_straight(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_take_straight_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
