#include "src/ranges/extents.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "src/base/integers.h"
#include "src/ranges/ranges.h"

namespace windrow::internal {
namespace {

Dim broadcast(const Dim& a, const Dim& b) {
  if (a == b) return a;
  if (are_same(a, b)) return {-1, a.symbol, std::max(a.low, b.low), std::min(a.high, b.high)};
  if (a.is_known() && a.value != 1) return a;
  if (b.is_known() && b.value != 1) return b;
  if (a.is_known()) return b;
  if (b.is_known()) return a;
  return {};
}

}  // namespace

std::optional<std::vector<std::int64_t>> known_extents(const SymbolicShape& dims) {
  if (!dims) return std::nullopt;
  std::vector<std::int64_t> known;
  known.reserve(dims->size());
  for (const Dim& dim : *dims) {
    if (!dim.is_known()) return std::nullopt;
    known.push_back(dim.value);
  }
  return known;
}

bool may_be_empty(const SymbolicShape& dims) {
  return !dims ||
         std::any_of(dims->begin(), dims->end(), [](const Dim& dim) { return least(dim) <= 0; });
}

std::optional<std::int64_t> known_count(const SymbolicShape& dims) {
  const auto known = known_extents(dims);
  if (!known) return std::nullopt;
  if (std::find(known->begin(), known->end(), 0) != known->end()) return 0;
  std::optional<std::int64_t> count = 1;
  for (const std::int64_t extent : *known) count = count ? checked_mul(*count, extent) : count;
  return count;
}

std::optional<std::int64_t> count_of(const std::vector<Dim>& dims, std::size_t first,
                                     std::size_t last) {
  const auto from = dims.begin() + static_cast<std::ptrdiff_t>(first);
  const auto to = dims.begin() + static_cast<std::ptrdiff_t>(last);
  return known_count(std::vector<Dim>(from, to));
}

std::optional<std::int64_t> known_extent(const SymbolicShape& dims, std::size_t axis) {
  if (!dims || !(*dims)[axis].is_known()) return std::nullopt;
  return (*dims)[axis].value;
}

std::optional<std::size_t> place_of_axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::optional<std::size_t> place_of_axis(std::int64_t axis, const SymbolicShape& dims) {
  return dims ? place_of_axis(axis, dims->size()) : std::nullopt;
}

SymbolicShape symbolic(const Shape& shape) {
  std::vector<Dim> dims;
  for (const std::int64_t extent : shape) dims.push_back({extent, {}});
  return dims;
}

SymbolicShape broadcast(std::span<const SymbolicShape* const> shapes) {
  std::vector<Dim> result;
  for (const SymbolicShape* shape : shapes) {
    if (!*shape) return std::nullopt;
    result.resize(std::max(result.size(), (*shape)->size()), Dim{1, {}});
  }
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    bool is_first = true;
    for (const SymbolicShape* shape : shapes) {
      const std::size_t missing = result.size() - (*shape)->size();
      const Dim dim = axis < missing ? Dim{1, {}} : (**shape)[axis - missing];
      result[axis] = is_first ? dim : broadcast(result[axis], dim);
      is_first = false;
    }
  }
  return result;
}

Dim product(const Dim& dim, std::int64_t factor) {
  if (factor == 1) return dim;
  const auto times = [factor](std::int64_t extent) { return checked_mul(extent, factor); };
  Dim result;
  if (dim.is_known()) result.value = times(dim.value).value_or(-1);
  result.low = times(dim.low).value_or(0);
  result.high = times(dim.high).value_or(result.high);
  return result.is_known() ? Dim{result.value, {}} : result;
}

Dim quotient(const SymbolicShape& from, const std::vector<Dim>& others) {
  if (!from) return {};
  std::vector<Dim> left = *from;
  std::optional<std::int64_t> divisor = 1;
  for (const Dim& other : others) {
    const auto same = std::find_if(left.begin(), left.end(),
                                   [&other](const Dim& dim) { return are_same(dim, other); });
    if (same != left.end()) {
      left.erase(same);
    } else {
      divisor = divisor && other.is_known() ? checked_mul(*divisor, other.value) : std::nullopt;
    }
  }
  std::erase(left, Dim{1, {}});
  if (divisor == 1 && left.size() == 1) return left.front();
  const auto count = known_count(left);
  if (!divisor || *divisor == 0 || !count || *count % *divisor != 0) return {};
  return {*count / *divisor, {}};
}

namespace {

// The product, or a number of its sign that is beyond all extents.
std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  return checked_mul(a, b).value_or((a < 0) == (b < 0) ? Interval::kHighest : -Interval::kHighest);
}

}  // namespace

Premises united(const Premises& a, const Premises& b) {
  Premises both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::string extent_name(std::string_view value, std::size_t axis) {
  return std::string(value) + ".shape[" + std::to_string(axis) + "]";
}

ExtentNumber Extents::add(std::string name, std::string declared_symbol, std::int64_t low,
                          std::int64_t high) {
  const auto number = static_cast<ExtentNumber>(extents_.size());
  by_name_.emplace(name, number);
  extents_.push_back(
      {std::move(name), std::move(declared_symbol), std::max<std::int64_t>(low, 0), high});
  return number;
}

Dim Extents::name_inner(std::string_view value, std::size_t axis, std::int64_t low,
                        std::int64_t high) {
  Dim dim;
  dim.low = std::clamp<std::int64_t>(low, 0, kLargest);
  dim.high = std::max(high, dim.low);
  if (dim.low == dim.high) return {dim.low, {}};
  std::string name = extent_name(value, axis);
  const ExtentNumber known = find(name);
  if (known < 0 && inner_count_ == kMostInner) return dim;
  if (known < 0) {
    ++inner_count_;
    add(name, {}, dim.low, dim.high);
    extents_.back().is_inner = true;
  } else {
    // Less may be known of it than a moment ago.
    Extent& extent = extents_[static_cast<std::size_t>(known)];
    extent.low = std::min(extent.low, dim.low);
    extent.high = std::max(extent.high, dim.high);
  }
  dim.symbol = std::move(name);
  return dim;
}

ExtentNumber Extents::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? -1 : found->second;
}

bool Extents::is_of_input(ExtentNumber extent) const { return !at(extent).is_inner; }

const std::string& Extents::name(ExtentNumber extent) const { return at(extent).name; }

void Extents::set_product(ExtentNumber inner, ExtentNumber a, ExtentNumber b,
                          const Premises& premises) {
  Extent& extent = extents_[static_cast<std::size_t>(inner)];
  if (!extent.is_inner || extent.factors) return;
  extent.factors = {a, b};
  extent.factor_premises = premises;
  if (products_.size() < kMostProducts) products_.push_back(inner);
}

bool Extents::is_product(ExtentNumber inner, ExtentNumber a, ExtentNumber b, Premises& premises) {
  const auto& factors = at(inner).factors;
  if (!factors) return false;
  const auto are_these = [&](ExtentNumber first, ExtentNumber second) {
    Premises used = united(premises, at(inner).factor_premises);
    if (!are_equal(first, a, used) || !are_equal(second, b, used)) return false;
    premises = std::move(used);
    return true;
  };
  return are_these(factors->first, factors->second) || are_these(factors->second, factors->first);
}

bool Extents::is_any_product(ExtentNumber a, ExtentNumber b, Premises& premises) {
  return std::any_of(products_.begin(), products_.end(),
                     [&](ExtentNumber inner) { return is_product(inner, a, b, premises); });
}

bool Extents::assume_not_empty(ExtentNumber extent, Premises& premises) {
  if (!is_of_input(extent)) return false;
  premises = united(premises, premise(name(extent) + " is at least 1", {.first = extent}));
  return true;
}

std::string Extents::text_of(const ExtentBound& bound) const {
  if (is_simple(bound)) return name(bound.extent);
  const std::string& times = name(bound.times);
  if (bound.shift == 0) return name(bound.extent) + " * " + times;
  const std::string sign = bound.shift < 0 ? " - " : " + ";
  return "(" + name(bound.extent) + sign + std::to_string(std::abs(bound.shift)) + ") * " + times;
}

bool Extents::holds_of_equal_extents(int premise) const {
  const auto known = conditions_.find(premise_text(premise));
  return known != conditions_.end() && known->second.first >= 0;
}

bool Extents::are_equal(ExtentNumber a, ExtentNumber b, Premises& premises) {
  if (a == b) return true;
  const Extent& first = at(std::min(a, b));
  const Extent& second = at(std::max(a, b));
  if (first.declared_symbol.empty() || first.declared_symbol != second.declared_symbol)
    return false;
  const std::string equation = first.name + " = " + second.name;
  premises = united(premises, premise(equation + ", both called " + first.declared_symbol, {a, b}));
  return true;
}

bool Extents::assume_small(std::int64_t limit, Premises& premises) {
  for (const std::int64_t small : kSmallExtents) {
    if (small > limit) continue;
    premises = united(premises, premise(small_extents_text(small), {.most = small}));
    return true;
  }
  return false;
}

std::string Extents::small_extents_text(std::int64_t most) {
  return "no extent is above " + std::to_string(most);
}

std::optional<std::int64_t> Extents::limit_of_extents(int premise) const {
  for (const std::int64_t small : kSmallExtents) {
    if (premise_text(premise) == small_extents_text(small)) return small;
  }
  return std::nullopt;
}

bool Extents::assume_below(const Interval& interval, std::int64_t limit, Premises& premises) {
  if (interval.high <= limit) return true;
  const auto& end = interval.below;
  if (!end || end->factor != 1) return false;
  // Of products, those are known to fit in memory that are an extent of a value.
  Premises used = premises;
  if (!is_simple(*end) && (end->shift > 0 || !is_any_product(end->extent, end->times, used)))
    return false;
  if (!assume_small(limit - std::max<std::int64_t>(end->offset, 0), used)) return false;
  premises = std::move(used);
  return true;
}

bool Extents::assume_above_minus(const Interval& interval, std::int64_t limit, Premises& premises) {
  if (interval.low >= -limit) return true;
  const auto& end = interval.above;
  if (!end || end->factor != -1 || !is_simple(*end)) return false;
  return assume_small(limit + std::min<std::int64_t>(end->offset, 0), premises);
}

bool Extents::assume_exact(Interval& interval, Premises& premises, int share) {
  if (profile_->most_exact == Interval::kHighest) return true;
  const std::int64_t most = profile_->most_exact / share;
  Premises used = premises;
  if (!assume_below(interval, most, used) || !assume_above_minus(interval, most, used))
    return false;
  interval.low = std::max(interval.low, -most);
  interval.high = std::min(interval.high, most);
  premises = std::move(used);
  return true;
}

void Extents::assume_held(Interval& interval, Premises& premises) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const bool is_extent = interval.high > kMost && (interval.high <= kLargest || interval.below);
  if (profile_->keeps_integer_types || !is_extent) return;
  assume_small(kMost, premises);
  interval.high = kMost;
}

std::int64_t Extents::least_of(const Dim& dim, ExtentNumber extent) const {
  return std::max(dim.low, extent < 0 ? 0 : at(extent).low);
}

bool Extents::is_below(const Interval& interval, const Dim& dim, Premises& premises) {
  if (dim.is_known()) return interval.high < dim.value;
  const ExtentNumber extent = find(dim.symbol);
  if (interval.high < least_of(dim, extent)) return true;
  if (extent < 0) return false;
  const auto& end = interval.below;
  const bool is_before = end && end->factor == 1 && end->offset < 0;
  if (is_before && is_simple(*end) && are_equal(end->extent, extent, premises)) return true;
  if (is_before && !is_simple(*end) && end->shift <= 0 &&
      is_product(extent, end->extent, end->times, premises))
    return true;
  return interval.high == 0 && assume_not_empty(extent, premises);
}

bool Extents::is_at_least_minus(const Interval& interval, const Dim& dim, Premises& premises) {
  if (interval.low >= 0) return true;
  if (dim.is_known()) return interval.low >= -dim.value;
  const ExtentNumber extent = find(dim.symbol);
  if (interval.low >= -least_of(dim, extent)) return true;
  if (extent < 0) return false;
  const auto& end = interval.above;
  if (end && end->factor == -1 && end->offset >= 0 && is_simple(*end) &&
      are_equal(end->extent, extent, premises))
    return true;
  return interval.low == -1 && assume_not_empty(extent, premises);
}

std::int64_t Extents::most_of(const std::vector<Dim>& dims, std::size_t axis) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t least = dims[i].is_known() ? dims[i].value : dims[i].low;
    if (i != axis && least <= 0) return Interval::kHighest;
  }
  return kLargest;
}

Interval Extents::extent_of(const Dim& dim, std::int64_t most) const {
  if (dim.is_known()) return {dim.value, dim.value};
  Interval interval{std::max<std::int64_t>(dim.low, 0), std::min(dim.high, most)};
  const ExtentNumber extent = find(dim.symbol);
  if (extent < 0) return interval;
  const Extent& known = at(extent);
  interval.low = std::max(interval.low, known.low);
  interval.high = std::min(interval.high, known.high);
  interval.above = interval.below = ExtentBound{extent, 0};
  return interval;
}

Interval Extents::position_on(const Dim& dim) const {
  const Interval extent = extent_of(dim);
  Interval position{0, std::max<std::int64_t>(extent.high - 1, 0)};
  if (extent.below) position.below = ExtentBound{extent.below->extent, -1};
  return position;
}

std::pair<std::int64_t, std::int64_t> Extents::numbers_of(const ExtentBound& bound) const {
  std::int64_t low = at(bound.extent).low;
  std::int64_t high = at(bound.extent).high;
  if (!is_simple(bound)) {
    // The product of an extent that is 0 with a negative number is 0 or less.
    const std::int64_t least = saturating_add(low, bound.shift);
    const Extent& times = at(bound.times);
    low = least < 0 ? saturating_mul(least, times.high) : saturating_mul(least, times.low);
    high = saturating_mul(std::max<std::int64_t>(saturating_add(high, bound.shift), 0), times.high);
  }
  if (bound.factor > 0)
    return {saturating_add(low, bound.offset), saturating_add(high, bound.offset)};
  return {saturating_add(bound.offset, -high), saturating_add(bound.offset, -low)};
}

Premises Extents::premise(const std::string& text) {
  const auto [found, is_new] = premise_numbers_.emplace(text, static_cast<int>(premises_.size()));
  if (is_new) premises_.push_back(text);
  return {found->second};
}

Premises Extents::premise(const std::string& text, const Condition& condition) {
  conditions_.emplace(text, condition);
  return premise(text);
}

Premises Extents::not_empty(ExtentNumber extent) {
  return premise(name(extent) + " is at least 1", {.first = extent});
}

std::string Extents::broken_by(
    const std::string& text, const std::map<std::string, std::int64_t, std::less<>>& given) const {
  const auto known = conditions_.find(text);
  if (known == conditions_.end()) return {};
  const Condition& condition = known->second;
  const auto told = [](const auto& extent) {
    return extent.first + " is " + std::to_string(extent.second);
  };
  if (condition.first < 0) {
    const auto large = std::find_if(given.begin(), given.end(), [&condition](const auto& extent) {
      return extent.second > condition.most;
    });
    return large == given.end() ? "" : told(*large);
  }
  const auto first = given.find(name(condition.first));
  if (first == given.end()) return {};
  if (condition.second < 0) return first->second >= 1 ? "" : told(*first);
  const auto second = given.find(name(condition.second));
  if (second == given.end() || first->second == second->second) return {};
  return told(*first) + " and " + told(*second);
}

Premises Extents::assumption(const std::string& input, const Interval& range) {
  Premises made = premise(input + " lies in " + std::to_string(range.low) + " to " +
                          std::to_string(range.high) + " (assumed)");
  assumptions_ = united(assumptions_, made);
  return made;
}

Premises Extents::assumptions_among(const Premises& premises) const {
  Premises found;
  std::set_intersection(premises.begin(), premises.end(), assumptions_.begin(), assumptions_.end(),
                        std::back_inserter(found));
  return found;
}

const std::string& Extents::premise_text(int premise) const {
  return premises_[static_cast<std::size_t>(premise)];
}

}  // namespace windrow::internal
