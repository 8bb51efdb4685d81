#ifndef WINDROW_RANGES_CONSTANT_RANGE_H_
#define WINDROW_RANGES_CONSTANT_RANGE_H_

#include <optional>

#include "src/ranges/ranges.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The intervals of a dense tensor: of single elements if there are few, else of the columns (or
// rows) of a table with few of them, else one. Nothing for types without intervals.
std::optional<ValueRange> range_of(const Tensor& tensor);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_CONSTANT_RANGE_H_
