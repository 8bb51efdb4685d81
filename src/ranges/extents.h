#ifndef WINDROW_RANGES_EXTENTS_H_
#define WINDROW_RANGES_EXTENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windrow/dim.h"
#include "windrow/shape.h"

// Shapes that are known in part, and the shapes that follow from them.
namespace windrow::internal {

// The least and the greatest value of an extent.
inline std::int64_t least(const Dim& dim) { return dim.is_known() ? dim.value : dim.low; }
inline std::int64_t most(const Dim& dim) { return dim.is_known() ? dim.value : dim.high; }

// Whether two extents are surely the same. Equal symbols are equal extents, even if different
// bounds are known of them.
inline bool are_same(const Dim& a, const Dim& b) {
  if (a.is_known() || b.is_known()) return a.value == b.value;
  return !a.symbol.empty() && a.symbol == b.symbol;
}

// The extents of a shape; nothing if one is not known.
std::optional<std::vector<std::int64_t>> known_extents(const SymbolicShape& dims);
// Whether an extent may be 0. True of an unknown shape.
bool may_be_empty(const SymbolicShape& dims);
// The number of elements, if it is known and fits in int64.
std::optional<std::int64_t> known_count(const SymbolicShape& dims);
// The same of axes [first, last) alone.
std::optional<std::int64_t> count_of(const std::vector<Dim>& dims, std::size_t first,
                                     std::size_t last);
// The extent of an axis, if it is known. Precondition: a known shape has the axis.
std::optional<std::int64_t> known_extent(const SymbolicShape& dims, std::size_t axis);
// An axis that may count from the end, counted from the front; nothing if it is out of range, or
// if the rank is not known.
std::optional<std::size_t> place_of_axis(std::int64_t axis, std::size_t rank);
std::optional<std::size_t> place_of_axis(std::int64_t axis, const SymbolicShape& dims);

// A shape whose extents are all known.
SymbolicShape symbolic(const Shape& shape);

// The shape to which tensors broadcast, aligned at their last axes; unknown if one rank is unknown.
SymbolicShape broadcast(std::span<const SymbolicShape* const> shapes);

// `dim` times `factor`. Precondition: `factor` is not negative.
Dim product(const Dim& dim, std::int64_t factor);
// The extent that is left for elements of shape `from` if the other axes have the extents `others`.
Dim quotient(const SymbolicShape& from, const std::vector<Dim>& others);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_EXTENTS_H_
