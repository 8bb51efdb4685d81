#include "src/ranges/constant_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/ranges/value_range.h"

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

// The number of elements that are converted at a time.
constexpr std::int64_t kBlock = 8192;
// The largest number of rows or columns of a large table that get intervals of their own.
constexpr std::int64_t kMostColumns = 16;

// Assigns each element to an interval.
struct Groups {
  Grain grain = Grain::kTensor;
  int axis = 0;
  std::int64_t count = 1;
  std::int64_t inner = 1;  // the number of successive elements of one group

  std::size_t of(std::int64_t element) const {
    return static_cast<std::size_t>(element / inner % count);
  }
};

Groups groups_of(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  const std::int64_t count = tensor.element_count();
  const int rank = shape.rank();
  if (count <= static_cast<std::int64_t>(kMostIntervals)) return {Grain::kElement, 0, count, 1};
  if (rank >= 2 && shape.back() <= kMostColumns) return {Grain::kAxis, rank - 1, shape.back(), 1};
  if (rank >= 2 && shape[0] <= kMostColumns) return {Grain::kAxis, 0, shape[0], count / shape[0]};
  return {};
}

// Calls `take` with the number and the value of each element, which is converted to a wide type.
// Errors: those of convert().
template <class Wide, class Take>
Status for_each_element(const Tensor& tensor, const Take& take) {
  const std::int64_t count = tensor.element_count();
  const auto* const bytes = static_cast<const std::byte*>(tensor.data());
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = std::min(kBlock, count - first);
    // Blocks of packed types start at whole bytes.
    const std::int64_t offset = first / 8 * dtype_bits(tensor.dtype());
    const Result<Tensor> wide =
        convert(TensorView(tensor.dtype(), {size}, bytes + offset), dtype_of<Wide>::value);
    if (!wide) return wide.error();
    std::int64_t element = first;
    for (const Wide value : wide->values<Wide>()) take(element++, value);
  }
  return {};
}

std::optional<ValueRange> integers_of(const Tensor& tensor, const Groups& groups) {
  ValueRange range;
  range.integers.assign(static_cast<std::size_t>(groups.count),
                        {Interval::kHighest, Interval::kLowest});
  const Status status =
      for_each_element<std::int64_t>(tensor, [&](std::int64_t i, std::int64_t value) {
        Interval& interval = range.integers[groups.of(i)];
        // The conversion makes a uint64 above 2^63-1 negative.
        const bool is_beyond = tensor.dtype() == DType::kUint64 && value < 0;
        interval.low = std::min(interval.low, is_beyond ? Interval::kHighest - 1 : value);
        interval.high = std::max(interval.high, is_beyond ? Interval::kHighest : value);
      });
  if (!status) return std::nullopt;
  return range;
}

std::optional<ValueRange> floats_of(const Tensor& tensor, const Groups& groups) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ValueRange range;
  range.floats.assign(static_cast<std::size_t>(groups.count), {kInfinity, -kInfinity, false});
  const Status status = for_each_element<double>(tensor, [&](std::int64_t i, double value) {
    FloatInterval& interval = range.floats[groups.of(i)];
    if (std::isnan(value)) {
      interval.may_be_nan = true;
      return;
    }
    interval.low = std::min(interval.low, value);
    interval.high = std::max(interval.high, value);
  });
  if (!status) return std::nullopt;
  return range;
}

}  // namespace

std::optional<ValueRange> range_of(const Tensor& tensor) {
  if (tensor.element_count() == 0) return std::nullopt;
  const Groups groups = groups_of(tensor);
  std::optional<ValueRange> range;
  if (has_integer_intervals(tensor.dtype())) {
    range = integers_of(tensor, groups);
  } else if (has_float_intervals(tensor.dtype())) {
    range = floats_of(tensor, groups);
  }
  if (range) {
    range->grain = groups.grain;
    range->axis = groups.axis;
  }
  return range;
}

}  // namespace windrow::internal
