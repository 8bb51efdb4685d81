#ifndef WINDROW_RANGES_DIMS_H_
#define WINDROW_RANGES_DIMS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windrow/dim.h"

// Shapes that are known in part: what may be said of their extents, and of the shapes that follow.
namespace windrow::internal {

// Known extents of a shape: nothing if one is not known.
std::optional<std::vector<std::int64_t>> known_extents(const SymbolicShape& dims);
// The number of elements, if it is known.
std::optional<std::int64_t> known_count(const SymbolicShape& dims);
// The known extent of an axis, which must be one of the shape's.
std::optional<std::int64_t> known_extent(const SymbolicShape& dims, std::size_t axis);
// An axis that may count from the end; nothing if it is out of range.
std::optional<std::size_t> place_of_axis(std::int64_t axis, std::size_t rank);

// The shape of tensors that are broadcast against each other, aligned at their last axes; unknown
// if a rank is.
SymbolicShape broadcast(std::span<const SymbolicShape* const> shapes);

// `dim` times `factor`, which is not negative; what is left of elements of the one shape if they
// get the others' extents.
Dim product(const Dim& dim, std::int64_t factor);
Dim quotient(const SymbolicShape& from, const std::vector<Dim>& others);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_DIMS_H_
