#include <cstring>

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

// 16 bytes of coordinates, narrowed to an element's width, and which of them are inside, a bit
// each.
struct Narrowed {
  __m128i coordinates;
  std::uint64_t inside;
};

// Reads 16 / kBytes indices into coordinates of kBytes bytes.
template <int kBytes, class Index>
class IndexReader;

template <>
class IndexReader<1, std::int32_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm512_set1_epi32(static_cast<int>(run.extent))), wraps_(run.wraps ? 0xffff : 0) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    __m512i index = _mm512_loadu_si512(at);
    const auto negative = static_cast<__mmask16>(_mm512_movepi32_mask(index) & wraps_);
    index = _mm512_mask_add_epi32(index, negative, index, extent_);
    return {_mm512_cvtepi32_epi8(index), _mm512_cmplt_epu32_mask(index, extent_)};
  }

 private:
  __m512i extent_;
  __mmask16 wraps_;
};

template <>
class IndexReader<2, std::int32_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm256_set1_epi32(static_cast<int>(run.extent))), wraps_(run.wraps ? 0xff : 0) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const auto negative = static_cast<__mmask8>(_mm256_movepi32_mask(index) & wraps_);
    index = _mm256_mask_add_epi32(index, negative, index, extent_);
    return {_mm256_cvtepi32_epi16(index), _mm256_cmplt_epu32_mask(index, extent_)};
  }

 private:
  __m256i extent_;
  __mmask8 wraps_;
};

template <>
class IndexReader<4, std::int32_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm_set1_epi32(static_cast<int>(run.extent))), wraps_(run.wraps ? 0xf : 0) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    __m128i index = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto negative = static_cast<__mmask8>(_mm_movepi32_mask(index) & wraps_);
    index = _mm_mask_add_epi32(index, negative, index, extent_);
    return {index, _mm_cmplt_epu32_mask(index, extent_)};
  }

 private:
  __m128i extent_;
  __mmask8 wraps_;
};

// Eight indices of 64 bits.
class WideReader {
 public:
  explicit WideReader(const TakeRun& run)
      : extent_(_mm512_set1_epi64(run.extent)), wraps_(run.wraps ? 0xff : 0) {}
  HWY_INLINE __m512i read(const std::byte* at, std::uint64_t& inside) const {
    __m512i index = _mm512_loadu_si512(at);
    const auto negative = static_cast<__mmask8>(_mm512_movepi64_mask(index) & wraps_);
    index = _mm512_mask_add_epi64(index, negative, index, extent_);
    inside = _mm512_cmplt_epu64_mask(index, extent_);
    return index;
  }

 private:
  __m512i extent_;
  __mmask8 wraps_;
};

template <>
class IndexReader<1, std::int64_t> {
 public:
  explicit IndexReader(const TakeRun& run) : wide_(run) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    const __m128i first = _mm512_cvtepi64_epi8(wide_.read(at, low));
    const __m128i second = _mm512_cvtepi64_epi8(wide_.read(at + 64, high));
    return {_mm_unpacklo_epi64(first, second), low | high << 8};
  }

 private:
  WideReader wide_;
};

template <>
class IndexReader<2, std::int64_t> {
 public:
  explicit IndexReader(const TakeRun& run) : wide_(run) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    std::uint64_t inside = 0;
    const __m128i coordinates = _mm512_cvtepi64_epi16(wide_.read(at, inside));
    return {coordinates, inside};
  }

 private:
  WideReader wide_;
};

template <>
class IndexReader<4, std::int64_t> {
 public:
  explicit IndexReader(const TakeRun& run)
      : extent_(_mm256_set1_epi64x(run.extent)), wraps_(run.wraps ? 0xf : 0) {}
  HWY_INLINE Narrowed read(const std::byte* at) const {
    __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const auto negative = static_cast<__mmask8>(_mm256_movepi64_mask(index) & wraps_);
    index = _mm256_mask_add_epi64(index, negative, index, extent_);
    return {_mm256_cvtepi64_epi32(index), _mm256_cmplt_epu64_mask(index, extent_)};
  }

 private:
  __m256i extent_;
  __mmask8 wraps_;
};

template <int kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = std::uint32_t;
};

HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR_AVX3 ",avx512vbmi")

#include "src/kernels/take_straight/take_run.inc"

// The table in four registers; the lane width is kBytes.
template <int kBytes>
class Table {
 public:
  explicit Table(const TakeRun& run) {
    const std::int64_t bytes = run.extent * kBytes;
    for (std::int64_t part = 0; part < 4; ++part) {
      const std::int64_t left = bytes - part * 64;
      const std::uint64_t mask = left >= 64 ? ~std::uint64_t{0}
                                 : left > 0 ? (std::uint64_t{1} << left) - 1
                                            : 0;
      parts_[part] = _mm512_maskz_loadu_epi8(mask, run.table + (left > 0 ? part * 64 : 0));
    }
  }

  HWY_INLINE __m512i at(__m512i coordinates, std::uint64_t inside) const {
    if constexpr (kBytes == 1) {
      const __m512i low = _mm512_permutex2var_epi8(parts_[0], coordinates, parts_[1]);
      const __m512i high = _mm512_permutex2var_epi8(parts_[2], coordinates, parts_[3]);
      const __m512i all = _mm512_mask_blend_epi8(_mm512_movepi8_mask(coordinates), low, high);
      return _mm512_maskz_mov_epi8(inside, all);
    } else if constexpr (kBytes == 2) {
      const __m512i low = _mm512_permutex2var_epi16(parts_[0], coordinates, parts_[1]);
      const __m512i high = _mm512_permutex2var_epi16(parts_[2], coordinates, parts_[3]);
      const __mmask32 upper = _mm512_test_epi16_mask(coordinates, _mm512_set1_epi16(64));
      return _mm512_maskz_mov_epi16(static_cast<__mmask32>(inside),
                                    _mm512_mask_blend_epi16(upper, low, high));
    } else {
      const __m512i low = _mm512_permutex2var_epi32(parts_[0], coordinates, parts_[1]);
      const __m512i high = _mm512_permutex2var_epi32(parts_[2], coordinates, parts_[3]);
      const __mmask16 upper = _mm512_test_epi32_mask(coordinates, _mm512_set1_epi32(32));
      return _mm512_maskz_mov_epi32(static_cast<__mmask16>(inside),
                                    _mm512_mask_blend_epi32(upper, low, high));
    }
  }

 private:
  __m512i parts_[4];
};

template <int kBytes, class IndexType>
class LookUps {
 public:
  using Element = typename UnsignedOf<kBytes>::Type;
  using Index = IndexType;
  static constexpr std::int64_t kCount = 64 / kBytes;

  explicit LookUps(const TakeRun& run) : reader_(run), table_(run) {}

  HWY_INLINE void take(const TakeRun& run, std::int64_t j, bool streams) {
    constexpr std::size_t kQuarter = 16 / kBytes;
    const std::byte* at = run.indices + static_cast<std::size_t>(j) * sizeof(Index);
    __m512i coordinates = _mm512_setzero_si512();
    const Narrowed parts[] = {reader_.read(at), reader_.read(at + kQuarter * sizeof(Index)),
                              reader_.read(at + 2 * kQuarter * sizeof(Index)),
                              reader_.read(at + 3 * kQuarter * sizeof(Index))};
    coordinates = _mm512_castsi128_si512(parts[0].coordinates);
    coordinates = _mm512_inserti32x4(coordinates, parts[1].coordinates, 1);
    coordinates = _mm512_inserti32x4(coordinates, parts[2].coordinates, 2);
    coordinates = _mm512_inserti32x4(coordinates, parts[3].coordinates, 3);
    const std::uint64_t inside = parts[0].inside | parts[1].inside << kQuarter |
                                 parts[2].inside << (2 * kQuarter) |
                                 parts[3].inside << (3 * kQuarter);
    all_inside_ &= inside;
    const __m512i values = table_.at(coordinates, inside);
    std::byte* out = run.out + static_cast<std::size_t>(j) * kBytes;
    if (streams) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out), values);
    } else {
      _mm512_storeu_si512(out, values);
    }
  }

  bool any_outside() const { return all_inside_ != kAll; }

 private:
  static constexpr std::uint64_t kAll =
      kCount == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (kCount % 64)) - 1;

  IndexReader<kBytes, Index> reader_;
  Table<kBytes> table_;
  std::uint64_t all_inside_ = kAll;
};

template <int kBytes, class Index>
bool look_up(const TakeRun& run) noexcept {
  return take_run(run, LookUps<kBytes, Index>(run));
}

HWY_POP_ATTRIBUTES

#endif

}  // namespace

void bind_look_up_target(KernelTable& table) {
#if HWY_TARGET == HWY_AVX3
  // Without it there is no permutation of bytes; machines that have the rest of AVX-512 and not
  // this are few.
  if (!__builtin_cpu_supports("avx512vbmi")) return;
  table.look_up_int32 = {&look_up<1, std::int32_t>, &look_up<2, std::int32_t>,
                         &look_up<4, std::int32_t>, nullptr};
  table.look_up_int64 = {&look_up<1, std::int64_t>, &look_up<2, std::int64_t>,
                         &look_up<4, std::int64_t>, nullptr};
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
