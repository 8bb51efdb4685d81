#include "src/ranges/loop_invariants.h"

#include <algorithm>

#include "src/ranges/dims.h"
#include "src/ranges/value_range.h"

namespace windrow::internal {
namespace {

// Adds premises; returns whether they were all there.
bool add(const Premises& more, Premises& premises) {
  if (std::includes(premises.begin(), premises.end(), more.begin(), more.end())) return true;
  premises = united(premises, more);
  return false;
}

bool includes(const Dim& dim, const Dim& later) {
  if (are_same(dim, later)) return true;
  if (dim.is_known() || !dim.symbol.empty()) return false;
  return dim.low <= least(later) && most(later) <= dim.high;
}

bool weaken_shape(ValueFact& invariant, const ValueFact& later) {
  if (!invariant.dims) return true;
  if (!later.dims || later.dims->size() != invariant.dims->size()) {
    invariant.dims.reset();
    invariant.shape_premises.clear();
    return false;
  }
  bool holds = add(later.shape_premises, invariant.shape_premises);
  for (std::size_t axis = 0; axis < later.dims->size(); ++axis) {
    Dim& dim = (*invariant.dims)[axis];
    if (includes(dim, (*later.dims)[axis])) continue;
    dim = Dim();
    holds = false;
  }
  return holds;
}

// A bound that makes room for `later`: the bound of small numbers, whose sums and products no type
// of 32 bits wraps, or that of the type.
constexpr std::int64_t kSmall = std::int64_t{1} << 20;
std::int64_t lower(std::int64_t later, std::int64_t of_type) {
  for (const std::int64_t bound : {std::int64_t{0}, -kSmall})
    if (bound <= later && bound >= of_type) return bound;
  return of_type;
}
std::int64_t higher(std::int64_t later, std::int64_t of_type) {
  return later <= kSmall && kSmall <= of_type ? kSmall : of_type;
}

bool weaken_interval(Interval& kept, const Interval& later, int round, const Interval& all) {
  const Interval before = kept;
  if (later.low < kept.low) kept.low = round == 0 ? later.low : lower(later.low, all.low);
  if (later.high > kept.high) kept.high = round == 0 ? later.high : higher(later.high, all.high);
  if (kept.above != later.above) kept.above.reset();
  if (kept.below != later.below) kept.below.reset();
  return kept == before;
}

bool weaken_interval(FloatInterval& kept, const FloatInterval& later, int round) {
  const FloatInterval before = kept;
  if (later.low < kept.low) kept.low = round == 0 ? later.low : FloatInterval().low;
  if (later.high > kept.high) kept.high = round == 0 ? later.high : FloatInterval().high;
  kept.may_be_nan |= later.may_be_nan;
  return kept == before;
}

}  // namespace

ValueFact type_invariant(const ValueFact& first) {
  ValueFact fact;
  fact.dtype = first.dtype;
  fact.type_premises = first.type_premises;
  fact.dispute = first.dispute;
  return fact;
}

ValueFact first_invariant(const ValueFact& first, const Extents& extents) {
  ValueFact fact = type_invariant(first);
  fact.dims = first.dims;
  fact.shape_premises = first.shape_premises;
  fact.range = collapsed(first.range, extents);
  return fact;
}

bool weaken(ValueFact& invariant, const ValueFact& later, int round, const Extents& extents) {
  bool holds = weaken_shape(invariant, later);
  holds = holds && later.dispute <= invariant.dispute;
  invariant.dispute = std::max(invariant.dispute, later.dispute);
  if (interval_count(invariant.range) == 0) return holds;
  const ValueRange range = collapsed(later.range, extents);
  const bool is_alike = later.dtype == invariant.dtype &&
                        range.integers.size() == invariant.range.integers.size() &&
                        range.floats.size() == invariant.range.floats.size();
  if (!is_alike) {
    invariant.range = ValueRange();
    return false;
  }
  const Interval all = extents.profile().anything(invariant.dtype);
  for (std::size_t i = 0; i < range.integers.size(); ++i)
    holds = weaken_interval(invariant.range.integers[i], range.integers[i], round, all) && holds;
  for (std::size_t i = 0; i < range.floats.size(); ++i)
    holds = weaken_interval(invariant.range.floats[i], range.floats[i], round) && holds;
  holds = add(range.premises, invariant.range.premises) && holds;
  if (says_nothing(invariant, extents)) invariant.range = ValueRange();
  return holds;
}

void narrow(ValueFact& invariant, const ValueFact& first, const ValueFact& later,
            const Extents& extents) {
  if (interval_count(invariant.range) == 0) return;
  invariant.range = collapsed(join(first, later, extents), extents);
}

}  // namespace windrow::internal
