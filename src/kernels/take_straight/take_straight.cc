#include <cstring>
#include <limits>

#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take_straight/take_straight.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/private-inl.h"
#include "src/kernels/stream-inl.h"

// With single loads, and with the machine's gather instructions where it has them.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "src/kernels/take_straight/take_run.inc"

// With single loads: the coordinates of some elements, then a load for each.
template <class ElementType, class IndexType, bool kPlacedRun>
class LoadedElements {
 public:
  using Element = ElementType;
  using Index = IndexType;
  static constexpr bool kPlaced = kPlacedRun;
  static constexpr std::int64_t kCount = 64;

  explicit LoadedElements(const TakeRun& run)
      : extent_(run.extent), wrap_(run.wraps ? extent_ : 0) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    std::uint32_t coordinates[kCount];
    PrivateCopy<Index, kCount> indices;
    indices.take_all(run.indices + static_cast<std::size_t>(j) * sizeof(Index));
    unsigned outside = 0;
    for (std::int64_t k = 0; k < kCount; ++k) {
      const std::int64_t wide = indices.elements[k];
      const std::int64_t coordinate = wide < 0 ? wide + wrap_ : wide;
      outside |=
          static_cast<std::uint64_t>(coordinate) >= static_cast<std::uint64_t>(extent_) ? 1U : 0U;
      coordinates[k] = static_cast<std::uint32_t>(
          coordinate + static_cast<std::int64_t>(place_of<kPlaced>(run, j + k)));
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
    for (std::int64_t k = 0; k < kCount; ++k) take_one<Element, Index, kPlaced>(run, j + k);
  }

  std::int64_t extent_;
  std::int64_t wrap_;
  bool outside_ = false;
};

template <class Element, class Index, bool kPlaced>
bool take_loaded(const TakeRun& run) noexcept {
  return take_run(run, LoadedElements<Element, Index, kPlaced>(run));
}

template <class Index, bool kPlaced>
constexpr std::array<TakeFunction, 4> loaded_functions() {
  return {&take_loaded<std::uint8_t, Index, kPlaced>, &take_loaded<std::uint16_t, Index, kPlaced>,
          &take_loaded<std::uint32_t, Index, kPlaced>, &take_loaded<std::uint64_t, Index, kPlaced>};
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

#include "src/kernels/take_straight/coordinates.inc"

template <class D, class V>
HWY_INLINE void write(D d, V values, std::byte* out, bool streams) {
  auto* lanes = reinterpret_cast<hn::TFromD<D>*>(out);
  if (streams) {
    hn::Stream(values, d, lanes);
  } else {
    hn::StoreU(values, d, lanes);
  }
}

// D: lanes as wide as an element; IndexLanes: the lanes in which indices are read.
template <class D, class IndexLanes, bool kPlacedRun>
class GatheredVectors {
 public:
  using Element = hn::TFromD<D>;
  using Index = hn::TFromD<IndexLanes>;
  static constexpr bool kPlaced = kPlacedRun;
  static constexpr auto kCount = static_cast<std::int64_t>(hn::MaxLanes(D()));

  explicit GatheredVectors(const TakeRun& run) : coordinates_(run), outside_(hn::Zero(D())) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    const D d;
    const auto coordinate =
        coordinates_of(d, coordinates_, run.indices + static_cast<std::size_t>(j) * sizeof(Index));
    const auto outside = hn::Lt(coordinate, hn::Zero(d));
    outside_ = hn::Or(outside_, coordinate);
    const auto place = add_places<kPlaced>(d, run, j, hn::IfThenZeroElse(outside, coordinate));
    const auto values = hn::GatherIndex(d, reinterpret_cast<const Element*>(run.table), place);
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
template <class NarrowElement, class IndexLanes, bool kPlacedRun>
class GatheredWords {
 public:
  using Element = NarrowElement;
  using Index = hn::TFromD<IndexLanes>;
  static constexpr bool kPlaced = kPlacedRun;
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
      write(d, take_elements(d, run, j + k),
            run.out + static_cast<std::size_t>(j + k) * sizeof(Element), streams);
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
  HWY_INLINE hn::Vec<D> take_elements(D d, const TakeRun& run, std::int64_t j) {
    if constexpr (hn::MaxLanes(d) == hn::MaxLanes(Lanes32())) {
      return hn::TruncateTo(d, take_words(run, j));
    } else {
      const hn::Half<D> half;
      const auto low = take_elements(half, run, j);
      const auto high = take_elements(half, run, j + static_cast<std::int64_t>(hn::MaxLanes(half)));
      return hn::Combine(d, high, low);
    }
  }

  // Each element in the low end of a lane.
  HWY_INLINE hn::Vec<hn::RebindToUnsigned<Lanes32>> take_words(const TakeRun& run, std::int64_t j) {
    const Lanes32 d;
    const hn::RebindToUnsigned<Lanes32> words;
    const Vector32 coordinate =
        coordinates_of(d, coordinates_, run.indices + static_cast<std::size_t>(j) * sizeof(Index));
    const auto outside = hn::Lt(coordinate, hn::Zero(d));
    outside_ = hn::Or(outside_, coordinate);
    const Vector32 place =
        hn::Mul(add_places<kPlaced>(d, run, j, hn::IfThenZeroElse(outside, coordinate)),
                hn::Set(d, kElementBytes));
    const Vector32 first =
        hn::Max(hn::Sub(place, hn::Set(d, kWordBytes - kElementBytes)), hn::Zero(d));
    const Vector32 word =
        hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(run.table), first);
    const auto shift = hn::BitCast(words, hn::ShiftLeft<3>(hn::Sub(place, first)));
    return hn::Shr(hn::BitCast(words, hn::IfThenZeroElse(outside, word)), shift);
  }

  Coordinates<IndexLanes> coordinates_;
  Vector32 outside_;
};

template <class Element, class IndexLanes, bool kPlaced>
bool take_narrow(const TakeRun& run) noexcept {
  using Words = GatheredWords<Element, IndexLanes, kPlaced>;
  if (!Words::can_take(run)) return take_loaded<Element, typename Words::Index, kPlaced>(run);
  return take_run(run, Words(run));
}

template <class D, class IndexLanes, bool kPlaced>
bool take_gathered(const TakeRun& run) noexcept {
  return take_run(run, GatheredVectors<D, IndexLanes, kPlaced>(run));
}

template <bool kPlaced>
constexpr std::array<TakeFunction, 4> gathered_functions_int32() {
  return {&take_narrow<std::uint8_t, Lanes32, kPlaced>,
          &take_narrow<std::uint16_t, Lanes32, kPlaced>, &take_gathered<Lanes32, Lanes32, kPlaced>,
          &take_gathered<Lanes64, HalfLanes32, kPlaced>};
}

template <bool kPlaced>
constexpr std::array<TakeFunction, 4> gathered_functions_int64() {
  return {&take_narrow<std::uint8_t, Lanes64, kPlaced>,
          &take_narrow<std::uint16_t, Lanes64, kPlaced>, &take_gathered<Lanes32, Lanes64, kPlaced>,
          &take_gathered<Lanes64, Lanes64, kPlaced>};
}

#endif

}  // namespace

void bind_take_straight_target(KernelTable& table) {
  table.take_straight_int32 = loaded_functions<std::int32_t, false>();
  table.take_straight_int64 = loaded_functions<std::int64_t, false>();
  table.take_placed_int32 = loaded_functions<std::int32_t, true>();
  table.take_placed_int64 = loaded_functions<std::int64_t, true>();
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  table.take_gathered_int32 = gathered_functions_int32<false>();
  table.take_gathered_int64 = gathered_functions_int64<false>();
  table.gather_placed_int32 = gathered_functions_int32<true>();
  table.gather_placed_int64 = gathered_functions_int64<true>();
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
