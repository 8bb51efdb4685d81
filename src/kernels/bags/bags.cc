#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/bags/bags.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/jobs.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/reduce/arithmetic-inl.h"

// Folds the rows of a bag into one row, from the left, rounding after every product and every step.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// The folds. `Cell` is the type of the table, `Total` that of what is folded, to which take()
// widens a cell.

// A sum may carry a NaN of any payload to the end of the bag, because every sum with a NaN is one.
template <class Ops>
struct Sum {
  using Cell = typename Ops::Cell;
  using Total = Cell;
  static HWY_INLINE Total take(Cell cell) { return cell; }
  static HWY_INLINE Total step(Total total, Total sample) { return Ops::add(total, sample); }
  static HWY_INLINE Total mul(Total sample, Total weight) { return Ops::mul(sample, weight); }
  static HWY_INLINE Total finish(Total total) { return total; }
};
template <class T>
struct Sum<Real<T>> {
  using Cell = T;
  using Total = T;
  static HWY_INLINE T take(T cell) { return cell; }
  static HWY_INLINE T step(T total, T sample) { return total + sample; }
  static HWY_INLINE T mul(T sample, T weight) { return sample * weight; }
  static HWY_INLINE T finish(T total) { return canonical(total); }
};

// Vectors of float16 keep the payload of a NaN.
template <>
struct Sum<Narrow<Float16>> {
  using Ops = Narrow<Float16>;
  using Cell = std::uint16_t;
  using Total = Cell;
  static HWY_INLINE Total take(Cell cell) { return cell; }
  static HWY_INLINE Total step(Total total, Total sample) { return Ops::add(total, sample); }
  static HWY_INLINE Total mul(Total sample, Total weight) { return Ops::mul(sample, weight); }
  static HWY_INLINE Total finish(Total total) {
    constexpr Total kInfinity = 0x7c00;
    constexpr Total kNaN = 0x7e00;
    return (total & 0x7fff) > kInfinity ? kNaN : total;
  }
};

// Rows of 16- and 8-bit floats that are summed in float32.
template <class Format>
struct SumInFloat {
  using Cell = typename Format::Bits;
  using Total = float;
  static HWY_INLINE float take(Cell cell) { return Format::to_float(cell); }
  static HWY_INLINE float step(float total, float sample) { return total + sample; }
  static HWY_INLINE float mul(float sample, float weight) { return sample * weight; }
  static HWY_INLINE float finish(float total) { return canonical(total); }
  static HWY_INLINE Cell round(float total) { return Format::from_float(total); }
};

template <class Ops>
struct Highest {
  using Cell = typename Ops::Cell;
  using Total = Cell;
  static HWY_INLINE Total take(Cell cell) { return cell; }
  static HWY_INLINE Total step(Total total, Total sample) { return Ops::max(total, sample); }
  static HWY_INLINE Total finish(Total total) { return total; }
};

// Whether a fold's samples may have weights.
template <class Fold>
inline constexpr bool kHasWeights = requires {
  &Fold::mul;
};
// Whether the folded row is rounded to the type of the table at the end.
template <class Fold>
inline constexpr bool kRounds = requires {
  &Fold::round;
};

// Rows are folded in passes over the bag, each of which takes a strip of every row and keeps the
// strip's totals in registers. The bytes of totals of a long strip, and of a short one.
constexpr std::int64_t kLongStrip = 256;
constexpr std::int64_t kShortStrip = 64;

template <class Cell>
HWY_INLINE Cell read_cell(const std::byte* from) {
  Cell cell;
  std::memcpy(&cell, from, sizeof cell);
  return cell;
}

// The strips of a bag's rows that a pass takes: the `bytes` at `first` of each row.
template <class Cell>
class Strips {
 public:
  HWY_INLINE Strips(const Bag& bag, std::int64_t first, std::int64_t bytes)
      : bag_(bag), table_(bag.table + first), bytes_(bytes) {}

  // The strip of a sample, null if the sample is outside. Fetches the one that is `ahead` on.
  HWY_INLINE const std::byte* next(std::int64_t sample) const {
    const std::int64_t next = sample + bag_.ahead;
    if (bag_.ahead != 0 && next < bag_.known) {
      if (const std::byte* const strip = at(next); strip != nullptr)
        for (std::int64_t byte = 0; byte < bytes_; byte += kLine) fetch_line<1>(strip + byte);
    }
    return at(sample);
  }

 private:
  HWY_INLINE const std::byte* at(std::int64_t sample) const {
    const std::uint64_t offset = bag_.offsets[sample];
    if (offset == kOutside<std::uint64_t>) return nullptr;
    return table_ + offset * static_cast<std::uint64_t>(bag_.unit);
  }

  const Bag& bag_;
  const std::byte* table_;
  std::int64_t bytes_;
};

// The weight of a sample, of the type of the totals.
template <class Fold, bool kWeighted>
HWY_INLINE typename Fold::Total weight_of(const Bag& bag, std::int64_t sample) {
  using Total = typename Fold::Total;
  if constexpr (!kWeighted) return Total{};
  if constexpr (kRounds<Fold>) {
    using Cell = typename Fold::Cell;
    if (bag.narrow_weights)
      return Fold::take(
          read_cell<Cell>(bag.weights + sample * static_cast<std::int64_t>(sizeof(Cell))));
  }
  return read_cell<Total>(bag.weights + sample * static_cast<std::int64_t>(sizeof(Total)));
}

// Sums of float16 are made a vector at a time where there is an instruction that converts one;
// compilers convert single elements.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
namespace hn = hwy::HWY_NAMESPACE;

template <class Fold>
inline constexpr bool kHasVectors =
    std::is_same_v<Fold, Sum<Narrow<Float16>>> || std::is_same_v<Fold, SumInFloat<Float16>>;

// The totals of a strip of kVectors vectors, as vectors of float32.
template <class Fold, std::size_t... kVectors>
class VectorTotals {
  using Total = typename Fold::Total;
  using Floats = hn::ScalableTag<float>;
  using Halves = hn::Rebind<hwy::float16_t, Floats>;
  using Vector = hn::Vec<Floats>;
  static constexpr bool kInFloat = kRounds<Fold>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Floats());

 public:
  static constexpr auto kCells = static_cast<std::int64_t>(sizeof...(kVectors) * kLanes);

  HWY_INLINE void clear() { ((totals_[kVectors] = hn::Zero(Floats())), ...); }
  HWY_INLINE void load(const Total* from) {
    ((totals_[kVectors] = read(from + kVectors * kLanes)), ...);
  }
  HWY_INLINE void divide(float divisor) {
    ((totals_[kVectors] = hn::Div(totals_[kVectors], hn::Set(Floats(), divisor))), ...);
  }
  // As they are, or rounded to float16.
  template <class To>
  HWY_INLINE void store(To* to) const {
    (write(totals_[kVectors], to + kVectors * kLanes), ...);
  }
  template <bool kWeighted>
  HWY_INLINE void step(const std::byte* strip, Total weight) {
    Vector factor{};
    if constexpr (kWeighted) factor = hn::Set(Floats(), widened(weight));
    (step_one<kWeighted>(totals_[kVectors], strip + kVectors * kLanes * 2, factor), ...);
  }

 private:
  static HWY_INLINE Vector widened(const void* from) {
    return hn::PromoteTo(Floats(), hn::LoadU(Halves(), static_cast<const hwy::float16_t*>(from)));
  }
  static HWY_INLINE float widened(float weight) { return weight; }
  static HWY_INLINE float widened(std::uint16_t weight) { return Float16::to_float(weight); }
  static HWY_INLINE Vector read(const float* from) { return hn::LoadU(Floats(), from); }
  static HWY_INLINE Vector read(const std::uint16_t* from) { return widened(from); }
  static HWY_INLINE void write(Vector totals, float* to) { hn::StoreU(totals, Floats(), to); }
  static HWY_INLINE void write(Vector totals, std::uint16_t* to) {
    hn::StoreU(hn::DemoteTo(Halves(), totals), Halves(), reinterpret_cast<hwy::float16_t*>(to));
  }
  static HWY_INLINE Vector rounded(Vector values) {
    if constexpr (kInFloat) return values;
    return hn::PromoteTo(Floats(), hn::DemoteTo(Halves(), values));
  }
  template <bool kWeighted>
  static HWY_INLINE void step_one(Vector& total, const std::byte* cells, Vector factor) {
    Vector sample = widened(cells);
    if constexpr (kWeighted) sample = rounded(hn::Mul(sample, factor));
    total = rounded(hn::Add(total, sample));
  }

  Vector totals_[sizeof...(kVectors)];
};
#else
template <class Fold>
inline constexpr bool kHasVectors = false;
#endif

// Short strips make code, and are for the types that tables of embeddings have.
template <class Fold>
inline constexpr bool kHasShortStrips =
    kHasVectors<Fold> || std::is_same_v<Fold, Sum<Real<float>>> ||
    std::is_same_v<Fold, Sum<Int<std::int8_t>>>;

// Folds the cells of a strip into `totals`, times `weight` if kWeighted.
template <class Fold, bool kWeighted>
HWY_INLINE void step_cells(typename Fold::Total* HWY_RESTRICT totals, const std::byte* strip,
                           std::int64_t cells, typename Fold::Total weight) {
  using Cell = typename Fold::Cell;
  for (std::int64_t i = 0; i < cells; ++i) {
    auto sample = Fold::take(read_cell<Cell>(strip + i * static_cast<std::int64_t>(sizeof(Cell))));
    if constexpr (kWeighted) sample = Fold::mul(sample, weight);
    totals[i] = Fold::step(totals[i], sample);
  }
}

// Writes `cells` totals to the row at `first`: as they are, or rounded to the table's type.
template <class Fold>
HWY_INLINE void write_totals(const Bag& bag, std::int64_t first, std::int64_t cells,
                             typename Fold::Total* totals) {
  using Cell = typename Fold::Cell;
  using Total = typename Fold::Total;
  if constexpr (kRounds<Fold>) {
    if (bag.rounded != nullptr) {
      std::byte* const out = bag.rounded + first * static_cast<std::int64_t>(sizeof(Cell));
      if (bag.divisor != 1.0F)
        for (std::int64_t i = 0; i < cells; ++i) totals[i] /= bag.divisor;
      for (std::int64_t i = 0; i < cells; ++i) {
        const Cell cell = Fold::round(totals[i]);
        std::memcpy(out + i * static_cast<std::int64_t>(sizeof cell), &cell, sizeof cell);
      }
      return;
    }
  }
  for (std::int64_t i = 0; i < cells; ++i) totals[i] = Fold::finish(totals[i]);
  std::memcpy(bag.out + first * static_cast<std::int64_t>(sizeof(Total)), totals,
              static_cast<std::size_t>(cells) * sizeof(Total));
}

// Folds the cells at `first` of all rows into `count` totals, at most kCells of them; exactly
// kCells if kWhole, which the compiler then keeps in registers.
template <class Fold, std::int64_t kCells, bool kWhole, bool kWeighted>
void fold_cells(const Bag& bag, std::int64_t first, std::int64_t count) {
  using Cell = typename Fold::Cell;
  using Total = typename Fold::Total;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Cell));
  constexpr auto kTotalBytes = static_cast<std::int64_t>(sizeof(Total));
  const std::int64_t cells = kWhole ? kCells : count;
  const Strips<Cell> strips(bag, first * kBytes, cells * kBytes);
  Total totals[kCells];
  std::memset(totals, 0, sizeof totals);
  if (!bag.starts)
    std::memcpy(totals, bag.out + first * kTotalBytes,
                static_cast<std::size_t>(cells * kTotalBytes));
  for (std::int64_t j = 0; j < bag.count; ++j) {
    const std::byte* const strip = strips.next(j);
    if (strip == nullptr) continue;
    step_cells<Fold, kWeighted>(totals, strip, cells, weight_of<Fold, kWeighted>(bag, j));
  }
  write_totals<Fold>(bag, first, cells, totals);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// The same by vectors.
template <class Fold, bool kWeighted, std::size_t... kVectors>
void fold_vectors(const Bag& bag, std::int64_t first, std::index_sequence<kVectors...>) {
  using Cell = typename Fold::Cell;
  using Total = typename Fold::Total;
  using Totals = VectorTotals<Fold, kVectors...>;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Cell));
  const Strips<Cell> strips(bag, first * kBytes, Totals::kCells * kBytes);
  Total cells[Totals::kCells];
  std::byte* const out = bag.out + first * static_cast<std::int64_t>(sizeof(Total));
  Totals totals;
  totals.clear();
  if (!bag.starts) {
    std::memcpy(cells, out, sizeof cells);
    totals.load(cells);
  }
  for (std::int64_t j = 0; j < bag.count; ++j) {
    const std::byte* const strip = strips.next(j);
    if (strip == nullptr) continue;
    totals.template step<kWeighted>(strip, weight_of<Fold, kWeighted>(bag, j));
  }
  if (bag.rounded != nullptr) {
    if (bag.divisor != 1.0F) totals.divide(bag.divisor);
    Cell rounded[Totals::kCells];
    totals.store(rounded);
    for (Cell& cell : rounded) cell = Sum<Narrow<Float16>>::finish(cell);
    std::memcpy(bag.rounded + first * kBytes, rounded, sizeof rounded);
    return;
  }
  totals.store(cells);
  for (Total& cell : cells) cell = Fold::finish(cell);
  std::memcpy(out, cells, sizeof cells);
}
#endif

// Folds as many strips of `kBytes` bytes of totals as there are from `first` on, and returns the
// cell behind them.
template <class Fold, std::int64_t kBytes, bool kWeighted>
HWY_INLINE std::int64_t fold_strips(const Bag& bag, std::int64_t first, std::int64_t cells) {
  constexpr std::int64_t kCells = kBytes / static_cast<std::int64_t>(sizeof(typename Fold::Total));
  for (; first + kCells <= cells; first += kCells) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if constexpr (kHasVectors<Fold>) {
      constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<float>());
      fold_vectors<Fold, kWeighted>(bag, first, std::make_index_sequence<kCells / kLanes>());
      continue;
    }
#endif
    fold_cells<Fold, kCells, true, kWeighted>(bag, first, kCells);
  }
  return first;
}

template <class Fold, bool kWeighted>
void fold_rows(const Bag& bag) {
  constexpr auto kTotalBytes = static_cast<std::int64_t>(sizeof(typename Fold::Total));
  const std::int64_t cells = bag.row_bytes / static_cast<std::int64_t>(sizeof(typename Fold::Cell));
  constexpr std::int64_t kRest = kHasShortStrips<Fold> ? kShortStrip : kLongStrip;
  std::int64_t first = fold_strips<Fold, kLongStrip, kWeighted>(bag, 0, cells);
  if constexpr (kHasShortStrips<Fold>)
    first = fold_strips<Fold, kShortStrip, kWeighted>(bag, first, cells);
  if (first < cells)
    fold_cells<Fold, kRest / kTotalBytes, false, kWeighted>(bag, first, cells - first);
}

template <class Fold>
void fold_bag(const Bag& bag) noexcept {
  if constexpr (kHasWeights<Fold>) {
    if (bag.weights != nullptr) return fold_rows<Fold, true>(bag);
  }
  fold_rows<Fold, false>(bag);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_bags
#define WINDROW_ROWS "src/kernels/bags/rows.inc"
#include "src/kernels/bind_rows-inl.h"
