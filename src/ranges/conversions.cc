#include "src/ranges/conversions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "src/models/host_ops/host_ops.h"
#include "src/models/types.h"
#include "src/ranges/production.h"
#include "src/ranges/value_range.h"

// Constants, and operators that change nothing but the type of elements.
namespace windrow::internal {
namespace {

// Whether a conversion preserves every index that is valid for a tensor of a size that occurs.
bool holds_indices(DType from, DType to) {
  if (!is_integer(from) || !is_integer(to)) return false;
  const Interval values = type_interval(from);
  const Interval held = type_interval(to);
  const bool holds_all = held.low <= values.low && values.high <= held.high &&
                         (from != DType::kUint64 || to == DType::kUint64);
  return holds_all || (dtype_kind(to) == DTypeKind::kSigned && dtype_bits(to) >= 32);
}

Interval truncated(const Production& p, const FloatInterval& a, DType to) {
  const ArithmeticProfile& profile = p.extents().profile();
  const std::optional<Interval> whole = truncate(a, to);
  return whole ? profile.given(to, *whole) : profile.anything(to);
}

ValueRange cast_range(Production& p, const ValueFact& from, DType to) {
  ValueRange result;
  result.grain = from.range.grain;
  result.axis = from.range.axis;
  if (has_integer_intervals(from.dtype)) {
    const bool known = !from.range.integers.empty();
    if (!known) result = ValueRange();
    const std::vector<Interval> source =
        known ? from.range.integers : std::vector{p.extents().profile().anything(from.dtype)};
    for (const Interval& a : source) {
      if (has_integer_intervals(to))
        result.integers.push_back(
            IntegerArithmetic(to, p.extents()).cast(p.narrowed(a, to), from.dtype));
      else if (has_float_intervals(to))
        result.floats.push_back(FloatArithmetic(to).cast(a, from.dtype));
    }
  } else if (has_float_intervals(from.dtype)) {
    for (const FloatInterval& a : from.range.floats) {
      if (has_float_intervals(to)) {
        result.floats.push_back(FloatArithmetic(to).cast(a));
      } else if (is_integer(to)) {
        result.integers.push_back(truncated(p, a, to));
      }
    }
  }
  return result;
}

void convert_to(Production& p, DType to) {
  const ValueFact& from = p.input(0);
  ValueFact& result = p.output();
  result.dtype = to;
  result.dims = from.dims;
  result.range = cast_range(p, from, to);
  if (holds_indices(from.dtype, to)) result.source_input = from.source_input;
}

void cast(Production& p) {
  const std::int64_t number = p.attribute("to", 0);
  const bool is_small = number >= 0 && number <= 1000;
  const auto type = is_small ? static_cast<std::int32_t>(number) : 0;
  convert_to(p, dtype_of_onnx(type));
  p.output().other_type = other_type_of_onnx(type);
}
void convert_like(Production& p) { convert_to(p, p.given(1).dtype); }

void convert_values(Production& p) {
  const Result<DType> to = convert_type(p.node());
  convert_to(p, to ? *to : DType::kAbsent);
}
void identity(Production& p) { p.output() = p.input(0); }

// The shape is given by the values of an input, the value by an attribute.
void constant_of_shape(Production& p) {
  ValueFact& result = p.output();
  result.dims = p.dims_in(0);
  const auto value = p.node().attributes.find("value");
  if (value == p.node().attributes.end()) {
    result.dtype = DType::kFloat32;
    result.range = tensor_range(FloatInterval{0, 0, false});
  } else if (const auto* tensor = std::get_if<std::shared_ptr<const Tensor>>(&value->second)) {
    result.dtype = (*tensor)->dtype();
    if (const auto range = range_of(**tensor)) result.range = collapsed(*range, p.extents());
    for (Interval& a : result.range.integers) a = p.extents().profile().given(result.dtype, a);
  }
}

constexpr ProducerRow kConversions[] = {
    {.onnx = {"Identity"}, .produce = identity, .is_elementwise = true, .tensorrt = {"Identity"}},
    {{"Cast", 6}, {}, cast, true},
    {.openvino = {"Convert"},
     .produce = convert_values,
     .is_elementwise = true,
     .tensorrt = {"Cast"}},
    {{"CastLike", 15}, {"ConvertLike"}, convert_like},
    {{"ConstantOfShape", 9}, {}, constant_of_shape},
};

}  // namespace

std::span<const ProducerRow> conversion_producers() { return kConversions; }

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
