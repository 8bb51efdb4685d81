#include <cstring>

#include "src/base/read_once.h"
#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take_straight/look_up.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"

// Tables of at most four vectors, held in registers and permuted by the indices. With intrinsics:
// Highway has no permutation of two vectors.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3

// In place of Highway's own attributes for this target, not around them: Clang keeps the outer
// ones.
HWY_POP_ATTRIBUTES
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR_AVX3 ",avx512vbmi")

// Coordinates of sixteen elements in lanes of 32 bits, and which of them are inside, a bit each.
// The bits stay masks, never integers: GCC 12 spills a mask that a comparison wrote in its own 8 or
// 16 bits and reads it back as wide as the integer that it was assigned to.
struct Sixteen {
  __m512i coordinates;
  __mmask16 inside;
};

template <class Index>
class IndexReader;

template <>
class IndexReader<std::int32_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm512_set1_epi32(static_cast<int>(run.extent))), wraps_(run.wraps ? 0xffff : 0) {}

  HWY_INLINE Sixteen read(const std::byte* at) const {
    __m512i index = _mm512_loadu_si512(at);
    const __mmask16 negative = _kand_mask16(_mm512_movepi32_mask(index), wraps_);
    index = _mm512_mask_add_epi32(index, negative, index, extent_);
    return {index, _mm512_cmplt_epu32_mask(index, extent_)};
  }

 private:
  __m512i extent_;
  __mmask16 wraps_;
};

template <>
class IndexReader<std::int64_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm512_set1_epi64(run.extent)), wraps_(run.wraps ? 0xff : 0) {}

  HWY_INLINE Sixteen read(const std::byte* at) const {
    const __m512i low = wrapped(at);
    const __m512i high = wrapped(at + sizeof low);
    const __m512i even =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return {_mm512_permutex2var_epi32(low, even, high),
            _mm512_kunpackb(_mm512_cmplt_epu64_mask(high, extent_),
                            _mm512_cmplt_epu64_mask(low, extent_))};
  }

 private:
  HWY_INLINE __m512i wrapped(const std::byte* at) const {
    const __m512i index = _mm512_loadu_si512(at);
    const __mmask8 negative = _kand_mask8(_mm512_movepi64_mask(index), wraps_);
    return _mm512_mask_add_epi64(index, negative, index, extent_);
  }

  __m512i extent_;
  __mmask8 wraps_;
};

#include "src/kernels/take_straight/take_run.inc"

// What depends on the elements' width: coordinates of a whole vector in lanes of that width, from
// readings of sixteen, and the vector's elements out of the table's four.
template <class Element>
struct Lanes;

template <>
struct Lanes<std::uint8_t> {
  __m512i coordinates;
  __mmask64 inside;

  template <class Reader>
  static HWY_INLINE Lanes read(const Reader& reader, const std::byte* at, std::size_t step) {
    const Sixteen a = reader.read(at);
    const Sixteen b = reader.read(at + step);
    const Sixteen c = reader.read(at + 2 * step);
    const Sixteen d = reader.read(at + 3 * step);
    __m512i all = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(a.coordinates));
    all = _mm512_inserti32x4(all, _mm512_cvtepi32_epi8(b.coordinates), 1);
    all = _mm512_inserti32x4(all, _mm512_cvtepi32_epi8(c.coordinates), 2);
    all = _mm512_inserti32x4(all, _mm512_cvtepi32_epi8(d.coordinates), 3);
    return {all, _mm512_kunpackd(_mm512_kunpackw(d.inside, c.inside),
                                 _mm512_kunpackw(b.inside, a.inside))};
  }

  HWY_INLINE __m512i of(const __m512i* table) const {
    const __m512i low = _mm512_permutex2var_epi8(table[0], coordinates, table[1]);
    const __m512i high = _mm512_permutex2var_epi8(table[2], coordinates, table[3]);
    const __mmask64 upper = _mm512_movepi8_mask(coordinates);
    return _mm512_maskz_mov_epi8(inside, _mm512_mask_blend_epi8(upper, low, high));
  }
};

template <>
struct Lanes<std::uint16_t> {
  __m512i coordinates;
  __mmask32 inside;

  template <class Reader>
  static HWY_INLINE Lanes read(const Reader& reader, const std::byte* at, std::size_t step) {
    const Sixteen low = reader.read(at);
    const Sixteen high = reader.read(at + step);
    const __m512i half = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(low.coordinates));
    return {_mm512_inserti64x4(half, _mm512_cvtepi32_epi16(high.coordinates), 1),
            _mm512_kunpackw(high.inside, low.inside)};
  }

  HWY_INLINE __m512i of(const __m512i* table) const {
    const __m512i low = _mm512_permutex2var_epi16(table[0], coordinates, table[1]);
    const __m512i high = _mm512_permutex2var_epi16(table[2], coordinates, table[3]);
    const __mmask32 upper = _mm512_test_epi16_mask(coordinates, _mm512_set1_epi16(64));
    return _mm512_maskz_mov_epi16(inside, _mm512_mask_blend_epi16(upper, low, high));
  }
};

template <>
struct Lanes<std::uint32_t> {
  __m512i coordinates;
  __mmask16 inside;

  template <class Reader>
  static HWY_INLINE Lanes read(const Reader& reader, const std::byte* at, std::size_t step) {
    (void)step;
    const Sixteen all = reader.read(at);
    return {all.coordinates, all.inside};
  }

  HWY_INLINE __m512i of(const __m512i* table) const {
    const __m512i low = _mm512_permutex2var_epi32(table[0], coordinates, table[1]);
    const __m512i high = _mm512_permutex2var_epi32(table[2], coordinates, table[3]);
    const __mmask16 upper = _mm512_test_epi32_mask(coordinates, _mm512_set1_epi32(32));
    return _mm512_maskz_mov_epi32(inside, _mm512_mask_blend_epi32(upper, low, high));
  }
};

template <class ElementType, class IndexType>
class LookUps {
 public:
  using Element = ElementType;
  using Index = IndexType;
  static constexpr std::int64_t kCount = 64 / sizeof(Element);
  static constexpr bool kPlaced = false;

  explicit LookUps(const TakeRun& run) : reader_(run) {
    const auto bytes = run.extent * static_cast<std::int64_t>(sizeof(Element));
    for (std::int64_t part = 0; part < 4; ++part) {
      const std::int64_t left = bytes - part * 64;
      const std::uint64_t mask = left >= 64 ? ~std::uint64_t{0}
                                 : left > 0 ? (std::uint64_t{1} << left) - 1
                                            : 0;
      table_[part] = _mm512_maskz_loadu_epi8(mask, run.table + (left > 0 ? part * 64 : 0));
    }
  }

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    const auto lanes = Lanes<Element>::read(
        reader_, run.indices + static_cast<std::size_t>(j) * sizeof(Index), 16 * sizeof(Index));
    all_inside_ &= lanes.inside;
    const __m512i values = lanes.of(table_);
    std::byte* out = run.out + static_cast<std::size_t>(j) * sizeof(Element);
    if (streams) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out), values);
    } else {
      _mm512_storeu_si512(out, values);
    }
  }

  bool any_outside() const { return all_inside_ != kAll; }

 private:
  using Mask = decltype(Lanes<Element>::inside);
  static constexpr auto kAll = static_cast<Mask>(~Mask{0});

  IndexReader<Index> reader_;
  __m512i table_[4];
  Mask all_inside_ = kAll;
};

template <class Element, class Index>
bool look_up(const TakeRun& run) noexcept {
  return take_run(run, LookUps<Element, Index>(run));
}

HWY_POP_ATTRIBUTES
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR)

#endif

}  // namespace

void bind_look_up_target(KernelTable& table) {
#if HWY_TARGET == HWY_AVX3
  // Without it there is no permutation of bytes; machines that have the rest of AVX-512 and not
  // this are few.
  if (!__builtin_cpu_supports("avx512vbmi")) return;
  table.look_up_int32 = {&look_up<std::uint8_t, std::int32_t>,
                         &look_up<std::uint16_t, std::int32_t>,
                         &look_up<std::uint32_t, std::int32_t>, nullptr};
  table.look_up_int64 = {&look_up<std::uint8_t, std::int64_t>,
                         &look_up<std::uint16_t, std::int64_t>,
                         &look_up<std::uint32_t, std::int64_t>, nullptr};
#else
  (void)table;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_look_up_target);

void bind_look_up(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_look_up_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
