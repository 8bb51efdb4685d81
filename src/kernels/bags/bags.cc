#include <algorithm>
#include <cstring>

#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/bags/bags.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/jobs.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/reduce/arithmetic-inl.h"

// Folds the rows of a bag into one row, from the left, rounding after every product and every sum.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// A sum may carry a NaN of any payload to the end of the bag, because every sum with a NaN is one.
template <class Ops>
struct Sum {
  using Cell = typename Ops::Cell;
  static HWY_INLINE Cell add(Cell sum, Cell sample) { return Ops::add(sum, sample); }
  static HWY_INLINE Cell mul(Cell sample, Cell weight) { return Ops::mul(sample, weight); }
  static HWY_INLINE Cell finish(Cell sum) { return sum; }
};
template <class T>
struct Sum<Real<T>> {
  using Cell = T;
  static HWY_INLINE T add(T sum, T sample) { return sum + sample; }
  static HWY_INLINE T mul(T sample, T weight) { return sample * weight; }
  static HWY_INLINE T finish(T sum) { return canonical(sum); }
};

// The cells of a row that are summed in registers while the bag's rows are read.
constexpr std::int64_t kPassBytes = 256;

template <class Cell>
HWY_INLINE Cell read_cell(const std::byte* from) {
  Cell cell;
  std::memcpy(&cell, from, sizeof cell);
  return cell;
}

// Fetches the row that is `ahead` samples on.
HWY_INLINE void fetch_row(const Bag& bag, std::int64_t sample) {
  const std::int64_t next = sample + bag.ahead;
  if (bag.ahead == 0 || next >= bag.known || bag.offsets[next] == kOutside<std::uint64_t>) return;
  const std::byte* row = bag.table + bag.offsets[next] * static_cast<std::uint64_t>(bag.unit);
  const std::int64_t bytes = std::min<std::int64_t>(bag.row_bytes, kMostBagFetchBytes);
  for (std::int64_t at = 0; at < bytes; at += kLine) fetch_line<1>(row + at);
}

// Adds the cells at `first` of all rows to `count` sums, at most kCells of them; exactly kCells if
// kWhole, which the compiler then keeps in registers.
template <class Ops, std::int64_t kCells, bool kWhole, bool kWeighted>
void fold_cells(const Bag& bag, std::int64_t first, std::int64_t count) {
  using Cell = typename Ops::Cell;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Cell));
  const std::int64_t cells = kWhole ? kCells : count;
  Cell sums[kCells];
  std::byte* const out = bag.out + first * kBytes;
  std::memset(sums, 0, sizeof sums);
  if (!bag.starts) std::memcpy(sums, out, static_cast<std::size_t>(cells * kBytes));
  for (std::int64_t j = 0; j < bag.count; ++j) {
    if (first == 0) fetch_row(bag, j);
    if (bag.offsets[j] == kOutside<std::uint64_t>) continue;
    const std::byte* row =
        bag.table + bag.offsets[j] * static_cast<std::uint64_t>(bag.unit) + first * kBytes;
    if constexpr (kWeighted) {
      const Cell weight = read_cell<Cell>(bag.weights + j * kBytes);
      for (std::int64_t i = 0; i < cells; ++i)
        sums[i] = Sum<Ops>::add(sums[i], Sum<Ops>::mul(read_cell<Cell>(row + i * kBytes), weight));
    } else {
      for (std::int64_t i = 0; i < cells; ++i)
        sums[i] = Sum<Ops>::add(sums[i], read_cell<Cell>(row + i * kBytes));
    }
  }
  for (std::int64_t i = 0; i < cells; ++i) sums[i] = Sum<Ops>::finish(sums[i]);
  std::memcpy(out, sums, static_cast<std::size_t>(cells * kBytes));
}

template <class Ops, bool kWeighted>
void fold_rows(const Bag& bag) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename Ops::Cell));
  constexpr std::int64_t kCells = kPassBytes / kBytes;
  const std::int64_t cells = bag.row_bytes / kBytes;
  std::int64_t first = 0;
  for (; first + kCells <= cells; first += kCells)
    fold_cells<Ops, kCells, true, kWeighted>(bag, first, kCells);
  if (first < cells) fold_cells<Ops, kCells, false, kWeighted>(bag, first, cells - first);
}

template <class Ops>
void fold_bag(const Bag& bag) noexcept {
  if (bag.weights != nullptr) return fold_rows<Ops, true>(bag);
  fold_rows<Ops, false>(bag);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_bags
#define WINDROW_ROWS "src/kernels/bags/rows.inc"
#include "src/kernels/bind_rows-inl.h"
