#ifndef WINDROW_RANGES_COMPARISONS_H_
#define WINDROW_RANGES_COMPARISONS_H_

#include <optional>
#include <string>
#include <vector>

#include "src/ranges/fact_finder.h"

// What is known of the branches of Where: the values at the elements for which a condition is true,
// or false.
namespace windrow::internal {

// What is assumed of elements of a value.
struct Assumption {
  std::string value;
  Interval integers;                      // in which integers lie
  std::optional<std::int64_t> different;  // a number that no integer is
  FloatInterval floats;                   // in which floats lie
  Premises premises;
};

// What follows for the compared values if a condition is true, or false.
std::vector<Assumption> assumptions_of(const std::string& condition, bool is_true,
                                       FactFinder::Values& values, Extents& extents);

// What is known of a value at the elements for which the assumptions hold. Its intervals may be
// empty.
ValueFact fact_under(const std::string& value, const std::vector<Assumption>& assumptions,
                     FactFinder::Values& values, Extents& extents);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_COMPARISONS_H_
