#ifndef WINDROW_RANGES_DISTINCT_H_
#define WINDROW_RANGES_DISTINCT_H_

#include "src/ranges/production.h"

// Which elements of a value are known to differ from each other.
namespace windrow::internal {

// A set of axes.
using Axes = Distinct::Axes;
constexpr Axes bit(std::size_t axis) { return Axes{1} << axis; }
// The axes of a known shape whose extent is 1.
Axes axes_of_one(const std::vector<Dim>& dims);

// Fills in ValueFact::distinct of the outputs of a node whose types, shapes and ranges are known.
void find_distinct(Production& p);

// What is known of a value whose every element is known.
Distinct distinct_elements(const ValueFact& fact);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_DISTINCT_H_
