#ifndef WINDROW_RANGES_CONVERSIONS_H_
#define WINDROW_RANGES_CONVERSIONS_H_

#include <optional>

#include "src/ranges/ranges.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The intervals of a dense tensor: one for each element if there are few, else one for each column
// or row of a table that has few of these, else one. Nothing for types without intervals.
std::optional<ValueRange> range_of(const Tensor& tensor);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_CONVERSIONS_H_
