#ifndef WINDROW_RANGES_MOVEMENT_H_
#define WINDROW_RANGES_MOVEMENT_H_

#include <cstddef>
#include <vector>

#include "src/ranges/value_range.h"

// What becomes of intervals where elements move and none is computed.
namespace windrow::internal {

// A value of the elements of another: its type and source, neither shape nor range.
ValueFact moved(const ValueFact& from);

// The range of a value in another shape with the same row-major order of elements.
ValueRange reshaped_range(const ValueFact& from, const SymbolicShape& to, const Extents& extents);

// The range with one interval for all elements, but for one that is kept per position on an axis
// other than `axis`.
ValueRange mixed_along(const ValueFact& from, std::size_t axis, const Extents& extents);

// The range of a value whose position p on `axis` is position `chosen[p]` of the other's.
ValueRange selected(const ValueFact& from, std::size_t axis, const std::vector<std::size_t>& chosen,
                    const Extents& extents);

class Production;

// Concat of either dialect.
void concat(Production& p);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_MOVEMENT_H_
