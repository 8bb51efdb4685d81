#ifndef WINDROW_RANGES_MOVEMENT_H_
#define WINDROW_RANGES_MOVEMENT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "src/ranges/value_range.h"

// The intervals of values whose elements are moved, not computed.
namespace windrow::internal {

// A value with elements of another: it has the type and the source input, but no shape or range.
ValueFact moved(const ValueFact& from);

// The range of a value in another shape with the same row-major order of elements.
ValueRange reshaped_range(const ValueFact& from, const SymbolicShape& to, const Extents& extents);

// The range after elements are mixed along `axis`: intervals per position on another axis stay, all
// others become one interval. Without an axis there is one interval.
ValueRange mixed_along(const ValueFact& from, std::optional<std::size_t> axis,
                       const Extents& extents);

// The range of a value whose position p on `axis` is position `chosen[p]` of `from`.
ValueRange selected(const ValueFact& from, std::size_t axis, const std::vector<std::size_t>& chosen,
                    const Extents& extents);

class Production;

// Fills in an output of shape `dims` and range `range` with elements of the first input.
void give_moved(Production& p, SymbolicShape dims, ValueRange range, std::size_t output = 0);
// The same where it is not known which elements the output has.
void give_some(Production& p, SymbolicShape dims);
// A shape of the same rank whose extents are not known.
SymbolicShape of_same_rank(const SymbolicShape& dims);

// Concat of either dialect.
void concat(Production& p);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_MOVEMENT_H_
