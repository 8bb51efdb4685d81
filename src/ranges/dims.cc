#include "src/ranges/dims.h"

#include <algorithm>

#include "src/base/checked.h"

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

}  // namespace windrow::internal
