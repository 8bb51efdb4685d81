#include <algorithm>
#include <utility>

#include "src/ranges/ranges.h"

namespace windrow::internal {

ExtentNumber Extents::add(std::string name, std::string declared_symbol, std::int64_t low,
                          std::int64_t high) {
  const auto number = static_cast<ExtentNumber>(extents_.size());
  by_name_.emplace(name, number);
  extents_.push_back({std::move(name), std::move(declared_symbol), low, high});
  return number;
}

ExtentNumber Extents::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? -1 : found->second;
}

const std::string& Extents::name(ExtentNumber extent) const {
  return extents_[static_cast<std::size_t>(extent)].name;
}

bool Extents::are_equal(ExtentNumber a, ExtentNumber b, Premises& premises) {
  if (a == b) return true;
  const Extent& first = extents_[static_cast<std::size_t>(std::min(a, b))];
  const Extent& second = extents_[static_cast<std::size_t>(std::max(a, b))];
  if (first.declared_symbol.empty() || first.declared_symbol != second.declared_symbol)
    return false;
  const int number =
      premise(first.name + " = " + second.name + ", both called " + first.declared_symbol);
  const auto place = std::lower_bound(premises.begin(), premises.end(), number);
  if (place == premises.end() || *place != number) premises.insert(place, number);
  return true;
}

bool Extents::is_below(const Interval& interval, const Dim& dim, Premises& premises) {
  if (dim.is_known()) return interval.high < dim.value;
  const ExtentNumber extent = find(dim.symbol);
  const std::int64_t least = extent < 0 ? 0 : extents_[static_cast<std::size_t>(extent)].low;
  if (interval.high < std::max(least, dim.low)) return true;
  return extent >= 0 && interval.below && interval.below->offset < 0 &&
         are_equal(interval.below->extent, extent, premises);
}

bool Extents::is_at_least_minus(const Interval& interval, const Dim& dim, Premises& premises) {
  if (interval.low >= 0) return true;
  if (dim.is_known()) return interval.low >= -dim.value;
  const ExtentNumber extent = find(dim.symbol);
  const std::int64_t least = extent < 0 ? 0 : extents_[static_cast<std::size_t>(extent)].low;
  if (interval.low >= -std::max(least, dim.low)) return true;
  return extent >= 0 && interval.above && interval.above->offset >= 0 &&
         are_equal(interval.above->extent, extent, premises);
}

int Extents::premise(const std::string& text) {
  const auto [found, is_new] = premise_numbers_.emplace(text, static_cast<int>(premises_.size()));
  if (is_new) premises_.push_back(text);
  return found->second;
}

const std::string& Extents::premise_text(int premise) const {
  return premises_[static_cast<std::size_t>(premise)];
}

}  // namespace windrow::internal
