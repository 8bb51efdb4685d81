#include <algorithm>
#include <cstring>

#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/dequantise/dequantise.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/dequantise/unpack-inl.h"
#include "src/kernels/jobs.h"
#include "src/kernels/reduce/arithmetic-inl.h"

// Turns the codes of a quantised table into numbers.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

constexpr std::size_t kMostLanes = hn::MaxLanes(Floats());

HWY_INLINE std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(Floats())); }

// Whether Highway converts between float16 and float32 with instructions, which round to nearest
// even.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define WINDROW_HAS_FLOAT16 1
#else
#define WINDROW_HAS_FLOAT16 0
#endif

// How a result is stored: one number, or a vector of numbers without other NaN than the quiet one.
struct ToFloat32 {
  static constexpr std::int64_t kBytes = 4;
  static HWY_INLINE void store(float value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
  }
  static HWY_INLINE void store(hn::Vec<Floats> values, std::byte* to) {
    hn::StoreU(values, Floats(), reinterpret_cast<float*>(to));
  }
};

// Rounds to nearest even, as float_to_bfloat16() does.
struct ToBFloat16 {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE void store(float value, std::byte* to) {
    const std::uint16_t bits = BFloat16::from_float(value);
    std::memcpy(to, &bits, sizeof bits);
  }
  static HWY_INLINE void store(hn::Vec<Floats> values, std::byte* to) {
    const hn::RebindToUnsigned<Floats> d;
    const auto bits = hn::BitCast(d, values);
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(last, hn::Set(d, 0x7fff))));
    const hn::Rebind<std::uint16_t, Floats> half;
    const hn::RebindToSigned<Floats> numbers;  // of at most 16 bits, which no conversion limits
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(numbers, rounded)), half,
               reinterpret_cast<std::uint16_t*>(to));
  }
};

struct ToFloat16 {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE void store(float value, std::byte* to) {
    const std::uint16_t bits = Float16::from_float(value);
    std::memcpy(to, &bits, sizeof bits);
  }
  static HWY_INLINE void store(hn::Vec<Floats> values, std::byte* to) {
#if WINDROW_HAS_FLOAT16
    const hn::Rebind<hwy::float16_t, Floats> half;
    hn::StoreU(hn::DemoteTo(half, values), half, reinterpret_cast<hwy::float16_t*>(to));
#else
    float numbers[kMostLanes];
    hn::StoreU(values, Floats(), numbers);
    for (std::int64_t i = 0; i < lanes(); ++i) store(numbers[i], to + i * kBytes);
#endif
  }
};

// What the values of a piece are read from: the bytes of their codes, or numbers.
struct ByteSource {
  const std::uint8_t* first;
  HWY_INLINE float at(std::int64_t i) const { return static_cast<float>(first[i]); }
  HWY_INLINE hn::Vec<Floats> from(std::int64_t i) const {
    const hn::RebindToSigned<Floats> numbers;
    const hn::Rebind<std::uint8_t, Floats> bytes;
    return hn::ConvertTo(Floats(), hn::PromoteTo(numbers, hn::LoadU(bytes, first + i)));
  }
};
struct FloatSource {
  const float* first;
  HWY_INLINE float at(std::int64_t i) const { return first[i]; }
  HWY_INLINE hn::Vec<Floats> from(std::int64_t i) const { return hn::LoadU(Floats(), first + i); }
};

// The factors of a piece: one for all values, or one for each.
struct OneFactor {
  float zero;
  float scale;
  HWY_INLINE float zero_at(std::int64_t /*i*/) const { return zero; }
  HWY_INLINE float scale_at(std::int64_t /*i*/) const { return scale; }
  HWY_INLINE hn::Vec<Floats> zeros_from(std::int64_t /*i*/) const {
    return hn::Set(Floats(), zero);
  }
  HWY_INLINE hn::Vec<Floats> scales_from(std::int64_t /*i*/) const {
    return hn::Set(Floats(), scale);
  }
};
struct FactorEach {
  const float* zeros;
  const float* scales;
  HWY_INLINE float zero_at(std::int64_t i) const { return zeros[i]; }
  HWY_INLINE float scale_at(std::int64_t i) const { return scales[i]; }
  HWY_INLINE hn::Vec<Floats> zeros_from(std::int64_t i) const {
    return hn::LoadU(Floats(), zeros + i);
  }
  HWY_INLINE hn::Vec<Floats> scales_from(std::int64_t i) const {
    return hn::LoadU(Floats(), scales + i);
  }
};

template <class Out, class Source, class Factors>
HWY_INLINE void store_vector(Source source, Factors factors, std::int64_t i, std::byte* out) {
  const hn::Vec<Floats> difference = hn::Sub(source.from(i), factors.zeros_from(i));
  const hn::Vec<Floats> product = hn::Mul(difference, factors.scales_from(i));
  const hn::Vec<Floats> nan = hn::Set(Floats(), std::numeric_limits<float>::quiet_NaN());
  Out::store(hn::IfThenElse(hn::IsNaN(product), nan, product), out + i * Out::kBytes);
}

#if HWY_TARGET == HWY_SCALAR
// out[i] = (source[i] - zero) * scale. The compiler makes its own vectors of the loop.
template <class Out, class Source, class Factors>
HWY_INLINE void scale_values(Source source, Factors factors, std::int64_t count, std::byte* out) {
  for (std::int64_t i = 0; i < count; ++i)
    Out::store(canonical((source.at(i) - factors.zero_at(i)) * factors.scale_at(i)),
               out + i * Out::kBytes);
}
#else
// The same by whole vectors, of which the last one overlaps the one before it. Fewer values than a
// vector has lanes go one by one.
template <class Out, class Source, class Factors>
HWY_INLINE void scale_values(Source source, Factors factors, std::int64_t count, std::byte* out) {
  const std::int64_t step = lanes();
  std::int64_t i = 0;
  for (; i + step <= count; i += step) store_vector<Out>(source, factors, i, out);
  if (i == count) return;
  if (count >= step) return store_vector<Out>(source, factors, count - step, out);
  HWY_ALIGN float values[kMostLanes] = {};
  HWY_ALIGN float zeros[kMostLanes] = {};
  HWY_ALIGN float scales[kMostLanes] = {};
  std::byte result[kMostLanes * sizeof(float)];
  for (i = 0; i < count; ++i) {
    values[i] = source.at(i);
    zeros[i] = factors.zero_at(i);
    scales[i] = factors.scale_at(i);
  }
  store_vector<Out>(FloatSource{values}, FactorEach{zeros, scales}, 0, result);
  std::memcpy(out, result, static_cast<std::size_t>(count * Out::kBytes));
}
#endif

// Scales as float32.
HWY_NOINLINE void read_scales(const QuantisedLine& line, std::int64_t first, std::int64_t count,
                              float* to) {
  if (line.scale_type == DType::kFloat32) {
    std::memcpy(to, line.scales + first * 4, static_cast<std::size_t>(count) * 4);
    return;
  }
  std::uint16_t bits[kPieceCodes];
  std::memcpy(bits, line.scales + first * 2, static_cast<std::size_t>(count) * 2);
  std::int64_t i = 0;
  if (line.scale_type == DType::kBFloat16) {
    for (; i < count; ++i) to[i] = BFloat16::to_float(bits[i]);
    return;
  }
#if WINDROW_HAS_FLOAT16
  const hn::Rebind<hwy::float16_t, Floats> half;
  for (; i + lanes() <= count; i += lanes()) {
    const auto codes = hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(bits + i));
    hn::StoreU(hn::PromoteTo(Floats(), codes), Floats(), to + i);
  }
#endif
  for (; i < count; ++i) to[i] = Float16::to_float(bits[i]);
}

// The zero points and scales of at most kPieceCodes blocks.
struct PieceFactors {
  float zeros[kPieceCodes];
  float scales[kPieceCodes];

  HWY_NOINLINE void read(const QuantisedLine& line, std::int64_t first, std::int64_t count) {
    read_scales(line, first, count, scales);
    if (line.zeros == nullptr) {
      std::fill_n(zeros, count, line.zero);
      return;
    }
    Codes codes;
    const std::uint8_t* const bytes =
        codes.read({line.zeros, line.first_zero + first, line.bits, line.flip}, count);
    for (std::int64_t i = 0; i < count; ++i) zeros[i] = static_cast<float>(bytes[i]);
  }
};

// Goes through a line whose blocks have more than one value, piece by piece.
template <class Out>
class BlockWalk {
 public:
  HWY_INLINE explicit BlockWalk(const QuantisedLine& line)
      : line_(line), blocks_((line.count + line.block - 1) / line.block), left_(line.block) {
    fill();
  }

  template <class Source>
  HWY_INLINE void scale(Source source, std::int64_t count, std::byte* out) {
    while (count > 0) {
      const std::int64_t taken = std::min(count, left_);
      const OneFactor factor = {factors_.zeros[block_], factors_.scales[block_]};
      scale_values<Out>(source, factor, taken, out);
      source.first += taken;
      out += taken * Out::kBytes;
      count -= taken;
      left_ -= taken;
      if (left_ == 0) next_block();
    }
  }

 private:
  HWY_INLINE void next_block() {
    left_ = line_.block;
    if (++block_ < known_) return;
    first_ += known_;
    fill();
  }
  HWY_INLINE void fill() {
    block_ = 0;
    known_ = std::min(blocks_ - first_, kPieceCodes);
    factors_.read(line_, first_, known_);
  }

  const QuantisedLine& line_;
  std::int64_t blocks_;
  std::int64_t first_ = 0;  // the block whose factors stand first
  std::int64_t block_ = 0;  // the present block, from first_ on
  std::int64_t known_ = 0;
  std::int64_t left_;  // values of the present block
  PieceFactors factors_;
};

// Calls scale(source, count, number of the first value) for every piece of a line.
template <class Scale>
HWY_INLINE void for_each_piece(const QuantisedLine& line, const Scale& scale) {
  Codes codes;
  float numbers[kPieceCodes];
  for (std::int64_t at = 0; at < line.count; at += kPieceCodes) {
    const std::int64_t count = std::min(line.count - at, kPieceCodes);
    const std::uint8_t* const bytes =
        codes.read({line.codes, line.first_code + at, line.bits, line.flip}, count);
    if (line.values == nullptr) {
      scale(ByteSource{bytes}, count, at);
      continue;
    }
    for (std::int64_t i = 0; i < count; ++i) numbers[i] = line.values[bytes[i]];
    scale(FloatSource{numbers}, count, at);
  }
}

template <class Out>
void dequantise_line(const QuantisedLine& line) noexcept {
  if (line.count <= 0) return;
  if (line.block == 1) {
    PieceFactors factors;
    for_each_piece(line, [&](auto source, std::int64_t count, std::int64_t at) {
      factors.read(line, at, count);
      scale_values<Out>(source, FactorEach{factors.zeros, factors.scales}, count,
                        line.out + at * Out::kBytes);
    });
    return;
  }
  BlockWalk<Out> walk(line);
  for_each_piece(line, [&](auto source, std::int64_t count, std::int64_t at) {
    walk.scale(source, count, line.out + at * Out::kBytes);
  });
}

#undef WINDROW_HAS_FLOAT16

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_dequantise
#define WINDROW_ROWS "src/kernels/dequantise/rows.inc"
#include "src/kernels/bind_rows-inl.h"
