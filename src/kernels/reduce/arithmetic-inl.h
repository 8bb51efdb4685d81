// The arithmetic of reductions, one class per kind of element. `Cell` is the type in memory; add,
// sub, mul, min and max take (cell, update). The rules are in docs/operators/. Included once per
// Highway target.
#if defined(WINDROW_KERNELS_REDUCE_ARITHMETIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_REDUCE_ARITHMETIC_INL_H_
#undef WINDROW_KERNELS_REDUCE_ARITHMETIC_INL_H_
#else
#define WINDROW_KERNELS_REDUCE_ARITHMETIC_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "src/base/float_types.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// Any byte but 0 is true; results are 0 or 1.
struct Bool {
  using Cell = std::uint8_t;
  static HWY_INLINE Cell add(Cell a, Cell u) { return (a | u) != 0 ? 1 : 0; }
  static HWY_INLINE Cell sub(Cell a, Cell u) { return (a != 0) != (u != 0) ? 1 : 0; }
  static HWY_INLINE Cell mul(Cell a, Cell u) { return a != 0 && u != 0 ? 1 : 0; }
  static HWY_INLINE Cell max(Cell a, Cell u) { return add(a, u); }
  static HWY_INLINE Cell min(Cell a, Cell u) { return mul(a, u); }
};

template <class T>
struct Int {
  using Cell = T;
  // Wide enough that promotion to int cannot overflow. The result is taken modulo 2^bits.
  using Wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
  static HWY_INLINE T add(T a, T u) {
    return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(u));
  }
  static HWY_INLINE T sub(T a, T u) {
    return static_cast<T>(static_cast<Wide>(a) - static_cast<Wide>(u));
  }
  static HWY_INLINE T mul(T a, T u) {
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(u));
  }
  static HWY_INLINE T max(T a, T u) { return a > u ? a : u; }
  static HWY_INLINE T min(T a, T u) { return a < u ? a : u; }
};

template <class T>
HWY_INLINE T canonical(T value) {
  return value == value ? value : std::numeric_limits<T>::quiet_NaN();
}

template <class T>
struct Real {
  using Cell = T;
  static HWY_INLINE T add(T a, T u) { return canonical(a + u); }
  static HWY_INLINE T sub(T a, T u) { return canonical(a - u); }
  static HWY_INLINE T mul(T a, T u) { return canonical(a * u); }
  static HWY_INLINE T max(T a, T u) { return a > u || a != a ? a : u; }
  static HWY_INLINE T min(T a, T u) { return a < u || a != a ? a : u; }
};

struct Float16 {
  using Bits = std::uint16_t;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  static HWY_INLINE float to_float(std::uint16_t bits) { return _cvtsh_ss(bits); }
  static HWY_INLINE std::uint16_t from_float(float value) {
    // The instruction would keep the payload of a NaN.
    constexpr std::uint16_t kNaN = 0x7e00;
    return value == value ? _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT) : kNaN;
  }
#else
  static HWY_INLINE float to_float(std::uint16_t bits) { return float16_to_float(bits); }
  static HWY_INLINE std::uint16_t from_float(float value) { return float_to_float16(value); }
#endif
};
struct BFloat16 {
  using Bits = std::uint16_t;
  static HWY_INLINE float to_float(std::uint16_t bits) { return bfloat16_to_float(bits); }
  static HWY_INLINE std::uint16_t from_float(float value) { return float_to_bfloat16(value); }
};
struct Float8E4M3FN {
  using Bits = std::uint8_t;
  static HWY_INLINE float to_float(Bits bits) { return float8_e4m3fn_to_float(bits); }
  static HWY_INLINE Bits from_float(float value) { return float_to_float8_e4m3fn(value); }
};
struct Float8E5M2 {
  using Bits = std::uint8_t;
  static HWY_INLINE float to_float(Bits bits) { return float8_e5m2_to_float(bits); }
  static HWY_INLINE Bits from_float(float value) { return float_to_float8_e5m2(value); }
};

// 16- and 8-bit floats: computed in float32 and rounded to nearest even after every step.
template <class Format>
struct Narrow {
  using Cell = typename Format::Bits;
  static HWY_INLINE Cell add(Cell a, Cell u) {
    return Format::from_float(Format::to_float(a) + Format::to_float(u));
  }
  static HWY_INLINE Cell sub(Cell a, Cell u) {
    return Format::from_float(Format::to_float(a) - Format::to_float(u));
  }
  static HWY_INLINE Cell mul(Cell a, Cell u) {
    return Format::from_float(Format::to_float(a) * Format::to_float(u));
  }
  static HWY_INLINE Cell max(Cell a, Cell u) {
    const float x = Format::to_float(a);
    return x > Format::to_float(u) || x != x ? a : u;
  }
  static HWY_INLINE Cell min(Cell a, Cell u) {
    const float x = Format::to_float(a);
    return x < Format::to_float(u) || x != x ? a : u;
  }
};

// -value as a bit operation: g++ 12 combines a subtraction beside an addition into a fused vector
// instruction (fmaddsub), even under -ffp-contract=off, and fused products are not rounded.
template <class T>
HWY_INLINE T negative(T value) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(value) ^ kSign));
}

template <class T>
struct Complex {
  struct Cell {
    T re;
    T im;
  };
  static HWY_INLINE Cell add(Cell a, Cell u) {
    return {canonical(a.re + u.re), canonical(a.im + u.im)};
  }
  static HWY_INLINE Cell mul(Cell a, Cell u) {
    return {canonical(a.re * u.re + negative(a.im * u.im)), canonical(a.re * u.im + a.im * u.re)};
  }
};

// The folds, as types.
struct Add {
  template <class Ops>
  static HWY_INLINE typename Ops::Cell apply(typename Ops::Cell a, typename Ops::Cell u) {
    return Ops::add(a, u);
  }
};
struct Sub {
  template <class Ops>
  static HWY_INLINE typename Ops::Cell apply(typename Ops::Cell a, typename Ops::Cell u) {
    return Ops::sub(a, u);
  }
};
struct Mul {
  template <class Ops>
  static HWY_INLINE typename Ops::Cell apply(typename Ops::Cell a, typename Ops::Cell u) {
    return Ops::mul(a, u);
  }
};
struct Min {
  template <class Ops>
  static HWY_INLINE typename Ops::Cell apply(typename Ops::Cell a, typename Ops::Cell u) {
    return Ops::min(a, u);
  }
};
struct Max {
  template <class Ops>
  static HWY_INLINE typename Ops::Cell apply(typename Ops::Cell a, typename Ops::Cell u) {
    return Ops::max(a, u);
  }
};

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

// The folds of cells in vectors, by hand for floats: of these g++ makes single elements, for the
// sake of NaN.
// The cells that a maximum or a minimum leaves unchanged, as a mask.
template <class Fold, class V>
HWY_INLINE auto unchanged_cells(V cells, V updates) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto beyond = std::is_same_v<Fold, Max> ? hn::Gt(cells, updates) : hn::Lt(cells, updates);
  return hn::Or(beyond, hn::IsNaN(cells));
}

// A NaN may have any payload.
template <class Fold, class V>
HWY_INLINE V fold_raw(V cells, V updates) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (std::is_same_v<Fold, Max> || std::is_same_v<Fold, Min>)
    return hn::IfThenElse(unchanged_cells<Fold>(cells, updates), cells, updates);
  if constexpr (std::is_same_v<Fold, Add>) return hn::Add(cells, updates);
  if constexpr (std::is_same_v<Fold, Sub>) return hn::Sub(cells, updates);
  if constexpr (std::is_same_v<Fold, Mul>) return hn::Mul(cells, updates);
}

// A maximum or a minimum is one of its operands, bit for bit.
template <class Fold, class D, class V>
HWY_INLINE V with_canonical_nan(D d, V result) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (std::is_same_v<Fold, Max> || std::is_same_v<Fold, Min>) return result;
  constexpr auto kNaN = std::numeric_limits<hn::TFromD<D>>::quiet_NaN();
  return hn::IfThenElse(hn::IsNaN(result), hn::Set(d, kNaN), result);
}

template <class Fold, class D, class V>
HWY_INLINE V fold_floats(D d, V cells, V updates) {
  return with_canonical_nan<Fold>(d, fold_raw<Fold>(cells, updates));
}

template <class Fold, class T, std::size_t kCount>
HWY_INLINE void fold_some(Real<T> /*ops*/, const std::byte* direct, std::byte* indirect) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<T, kCount> d;
  auto* const cells = reinterpret_cast<T*>(indirect);
  const auto updates = hn::LoadU(d, reinterpret_cast<const T*>(direct));
  hn::StoreU(fold_floats<Fold>(d, hn::LoadU(d, cells), updates), d, cells);
}

// The quiet NaN of float32 becomes that of float16.
template <class Fold, class, std::size_t kCount>
HWY_INLINE void fold_some(Narrow<Float16> /*ops*/, const std::byte* direct, std::byte* indirect) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<std::uint16_t, kCount> bits;
  const hn::Rebind<hwy::float16_t, decltype(bits)> narrow;
  const hn::Rebind<float, decltype(bits)> d;
  auto* const cells = reinterpret_cast<std::uint16_t*>(indirect);
  const auto old = hn::LoadU(bits, cells);
  const auto change = hn::LoadU(bits, reinterpret_cast<const std::uint16_t*>(direct));
  const auto a = hn::PromoteTo(d, hn::BitCast(narrow, old));
  const auto u = hn::PromoteTo(d, hn::BitCast(narrow, change));
  if constexpr (std::is_same_v<Fold, Max> || std::is_same_v<Fold, Min>) {
    const hn::RebindToSigned<decltype(d)> wide;
    const hn::RebindToSigned<decltype(bits)> masks;
    const auto keeps = hn::BitCast(wide, hn::VecFromMask(d, unchanged_cells<Fold>(a, u)));
    const auto mask = hn::BitCast(bits, hn::DemoteTo(masks, keeps));
    hn::StoreU(hn::IfVecThenElse(mask, old, change), bits, cells);
  } else {
    const auto result = hn::DemoteTo(narrow, fold_floats<Fold>(d, a, u));
    hn::StoreU(hn::BitCast(bits, result), bits, cells);
  }
}

template <class Ops>
constexpr bool kFoldsInVectors =
    std::is_same_v<Ops, Real<float>> || std::is_same_v<Ops, Real<double>> ||
    std::is_same_v<Ops, Narrow<Float16>>;

// `kCount` cells that stay in registers while updates are folded into them. What is stored has the
// bits of a fold in memory for each update: once a sum, a difference or a product is a NaN, it
// stays one, and so its payload matters only at the end.
template <class Ops, class Fold, std::size_t kCount>
class HeldCells {
 public:
  explicit HWY_INLINE HeldCells(const std::byte* cells) : cells_(load(cells)) {}
  HWY_INLINE void fold(const std::byte* updates) { cells_ = fold_cells(cells_, load(updates)); }
  HWY_INLINE void store(std::byte* cells) const {
    namespace hn = hwy::HWY_NAMESPACE;
    auto result = cells_;
    if constexpr (std::is_floating_point_v<T>) result = with_canonical_nan<Fold>(D(), cells_);
    if constexpr (kCount > 1) {
      hn::StoreU(result, D(), reinterpret_cast<T*>(cells));
    } else {
      const T single = hn::GetLane(result);
      std::memcpy(cells, &single, sizeof single);
    }
  }

 private:
  using T = typename Ops::Cell;
  using D = hwy::HWY_NAMESPACE::FixedTag<T, kCount>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  // Cells and updates may stand anywhere; single ones are not loaded as vectors, which asks for the
  // alignment of their type.
  static HWY_INLINE V load(const std::byte* from) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (kCount > 1) return hn::LoadU(D(), reinterpret_cast<const T*>(from));
    T single;
    std::memcpy(&single, from, sizeof single);
    return hn::Set(D(), single);
  }
  static HWY_INLINE V fold_cells(V cells, V updates) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (std::is_floating_point_v<T>) return fold_raw<Fold>(cells, updates);
    if constexpr (std::is_same_v<Fold, Add>) return hn::Add(cells, updates);
    if constexpr (std::is_same_v<Fold, Sub>) return hn::Sub(cells, updates);
    if constexpr (std::is_same_v<Fold, Max>) return hn::Max(cells, updates);
    if constexpr (std::is_same_v<Fold, Min>) return hn::Min(cells, updates);
  }
  V cells_;
};

// float16 is held as float32, rounded after every step.
template <class Fold, std::size_t kCount>
class HeldCells<Narrow<Float16>, Fold, kCount> {
 public:
  explicit HWY_INLINE HeldCells(const std::byte* cells) : cells_(load(cells)) {}
  HWY_INLINE void fold(const std::byte* updates) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto result = fold_raw<Fold>(cells_, load(updates));
    cells_ = hn::PromoteTo(Wide(), hn::DemoteTo(Halves(), result));
  }
  HWY_INLINE void store(std::byte* cells) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto result = hn::DemoteTo(Halves(), with_canonical_nan<Fold>(Wide(), cells_));
    hn::StoreU(hn::BitCast(Bits(), result), Bits(), reinterpret_cast<std::uint16_t*>(cells));
  }

 private:
  using Bits = hwy::HWY_NAMESPACE::FixedTag<std::uint16_t, kCount>;
  using Halves = hwy::HWY_NAMESPACE::Rebind<hwy::float16_t, Bits>;
  using Wide = hwy::HWY_NAMESPACE::Rebind<float, Bits>;
  using V = hwy::HWY_NAMESPACE::Vec<Wide>;
  static HWY_INLINE V load(const std::byte* from) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto bits = hn::LoadU(Bits(), reinterpret_cast<const std::uint16_t*>(from));
    return hn::PromoteTo(Wide(), hn::BitCast(Halves(), bits));
  }
  V cells_;
};

template <class Ops, class Fold>
constexpr bool kHoldsCells = false;
template <class T, class Fold>
constexpr bool kHoldsCells<Real<T>, Fold> = true;
// Vectors have no products of integers of every width.
template <class T, class Fold>
constexpr bool kHoldsCells<Int<T>, Fold> = !std::is_same_v<Fold, Mul>;
// A maximum keeps the payload of a NaN, which float32 may change.
template <class Fold>
constexpr bool kHoldsCells<Narrow<Float16>, Fold> =
    !std::is_same_v<Fold, Max> && !std::is_same_v<Fold, Min>;

#else

template <class Ops, class Fold, std::size_t kCount>
class HeldCells;
template <class Ops, class Fold>
constexpr bool kHoldsCells = false;

#endif

// The most cells that a vector holds: of float16, as float32.
template <class Ops>
constexpr std::size_t kMostHeldCells = std::is_same_v<Ops, Narrow<Float16>>
                                           ? 8
                                           : 32 / sizeof(typename Ops::Cell);

// Folds cells that stand side by side, and so do their updates.
template <class Ops, class Fold, std::size_t kCount>
HWY_INLINE void fold_cells(const std::byte* HWY_RESTRICT direct, std::byte* HWY_RESTRICT indirect) {
  using Cell = typename Ops::Cell;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (kFoldsInVectors<Ops> && kCount > 1) {
    constexpr std::size_t kAtOnce = std::min<std::size_t>(kCount, 8);
    for (std::size_t i = 0; i < kCount; i += kAtOnce)
      fold_some<Fold, Cell, kAtOnce>(Ops(), direct + i * sizeof(Cell), indirect + i * sizeof(Cell));
    return;
  }
#endif
  for (std::size_t i = 0; i < kCount; ++i) {
    Cell cell;
    Cell update;
    std::memcpy(&cell, indirect + i * sizeof cell, sizeof cell);
    std::memcpy(&update, direct + i * sizeof cell, sizeof cell);
    cell = Fold::template apply<Ops>(cell, update);
    std::memcpy(indirect + i * sizeof cell, &cell, sizeof cell);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_REDUCE_ARITHMETIC_INL_H_
