#include <algorithm>
#include <cstring>
#include <type_traits>

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

// The cells of a row that are summed in registers while the bag's rows are read.
constexpr std::int64_t kPassBytes = 256;

template <class Cell>
HWY_INLINE Cell read_cell(const std::byte* from) {
  Cell cell;
  std::memcpy(&cell, from, sizeof cell);
  return cell;
}

// Sums of float16 are made a vector at a time where there is an instruction that converts one;
// compilers convert single elements. step_vectors() folds the first cells of a row like step_row(),
// and returns their number.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
template <class Fold>
inline constexpr bool kHasVectors =
    std::is_same_v<Fold, Sum<Narrow<Float16>>> || std::is_same_v<Fold, SumInFloat<Float16>>;

template <class Fold, bool kWeighted>
HWY_INLINE std::int64_t step_vectors(typename Fold::Total* totals, const std::byte* row,
                                     std::int64_t cells, typename Fold::Total weight) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr bool kInFloat = kRounds<Fold>;
  const hn::ScalableTag<float> floats;
  const hn::Rebind<hwy::float16_t, decltype(floats)> halves;
  const auto widened = [&](const void* from) {
    return hn::PromoteTo(floats, hn::LoadU(halves, static_cast<const hwy::float16_t*>(from)));
  };
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(floats));
  std::int64_t i = 0;
  for (; i + lanes <= cells; i += lanes) {
    auto sample = widened(row + i * 2);
    if constexpr (kWeighted && kInFloat) sample = hn::Mul(sample, hn::Set(floats, weight));
    if constexpr (kWeighted && !kInFloat) {
      const auto factor = hn::Set(floats, Float16::to_float(weight));
      sample = hn::PromoteTo(floats, hn::DemoteTo(halves, hn::Mul(sample, factor)));
    }
    if constexpr (kInFloat) {
      hn::StoreU(hn::Add(hn::LoadU(floats, totals + i), sample), floats, totals + i);
    } else {
      const auto total = hn::DemoteTo(halves, hn::Add(widened(totals + i), sample));
      hn::StoreU(total, halves, reinterpret_cast<hwy::float16_t*>(totals + i));
    }
  }
  return i;
}
#else
template <class Fold>
inline constexpr bool kHasVectors = false;
#endif

// Folds the cells of one row into `totals`, times `weight` if kWeighted.
template <class Fold, bool kWeighted>
HWY_INLINE void step_row(typename Fold::Total* HWY_RESTRICT totals, const std::byte* row,
                         std::int64_t cells, typename Fold::Total weight) {
  using Cell = typename Fold::Cell;
  std::int64_t i = 0;
  if constexpr (kHasVectors<Fold>) i = step_vectors<Fold, kWeighted>(totals, row, cells, weight);
  for (; i < cells; ++i) {
    auto sample = Fold::take(read_cell<Cell>(row + i * static_cast<std::int64_t>(sizeof(Cell))));
    if constexpr (kWeighted) sample = Fold::mul(sample, weight);
    totals[i] = Fold::step(totals[i], sample);
  }
}

// Fetches the row that is `ahead` samples on.
HWY_INLINE void fetch_row(const Bag& bag, std::int64_t sample) {
  const std::int64_t next = sample + bag.ahead;
  if (bag.ahead == 0 || next >= bag.known || bag.offsets[next] == kOutside<std::uint64_t>) return;
  const std::byte* row = bag.table + bag.offsets[next] * static_cast<std::uint64_t>(bag.unit);
  const std::int64_t bytes = std::min<std::int64_t>(bag.row_bytes, kMostBagFetchBytes);
  for (std::int64_t at = 0; at < bytes; at += kLine) fetch_line<1>(row + at);
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
  Total totals[kCells];
  std::memset(totals, 0, sizeof totals);
  if (!bag.starts)
    std::memcpy(totals, bag.out + first * kTotalBytes,
                static_cast<std::size_t>(cells * kTotalBytes));
  for (std::int64_t j = 0; j < bag.count; ++j) {
    if (first == 0) fetch_row(bag, j);
    if (bag.offsets[j] == kOutside<std::uint64_t>) continue;
    const std::byte* row =
        bag.table + bag.offsets[j] * static_cast<std::uint64_t>(bag.unit) + first * kBytes;
    Total weight{};
    if constexpr (kWeighted) weight = read_cell<Total>(bag.weights + j * kTotalBytes);
    step_row<Fold, kWeighted>(totals, row, cells, weight);
  }
  write_totals<Fold>(bag, first, cells, totals);
}

template <class Fold, bool kWeighted>
void fold_rows(const Bag& bag) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename Fold::Cell));
  constexpr std::int64_t kCells =
      kPassBytes / static_cast<std::int64_t>(sizeof(typename Fold::Total));
  const std::int64_t cells = bag.row_bytes / kBytes;
  std::int64_t first = 0;
  for (; first + kCells <= cells; first += kCells)
    fold_cells<Fold, kCells, true, kWeighted>(bag, first, kCells);
  if (first < cells) fold_cells<Fold, kCells, false, kWeighted>(bag, first, cells - first);
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
