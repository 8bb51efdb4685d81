// Operators whose results are positions, extents or counts.

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/models/types.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

// The type that an attribute of OpenVINO names; `otherwise` without the attribute and in ONNX.
DType named_type(const Production& p, std::string_view attribute, DType otherwise) {
  if (!p.is_openvino() || !p.has_attribute(attribute)) return otherwise;
  return dtype_of_openvino(p.text(attribute, "")).value_or(DType::kAbsent);
}

// An interval of positions or extents, converted to the type of an output.
Interval in_type(Production& p, const Interval& interval, DType type) {
  return IntegerArithmetic(type, p.extents()).cast(p.narrowed(interval, type), DType::kInt64);
}

// The extent of an axis; an unknown extent if the axis is not known.
Dim dim_at(const SymbolicShape& dims, std::optional<std::size_t> axis) {
  return axis ? (*dims)[*axis] : Dim();
}

// ArgMax, ArgMin.
void position_of_extreme(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  const auto place = place_of_axis(p.attribute("axis", 0), from);
  ValueFact& result = p.output();
  result.dtype = DType::kInt64;
  result.range = tensor_range(p.extents().position_on(dim_at(from, place)));
  if (!place) return;
  result.dims = from;
  if (p.attribute("keepdims", 1) != 0) {
    (*result.dims)[*place] = Dim{1, {}};
  } else {
    result.dims->erase(result.dims->begin() + static_cast<std::ptrdiff_t>(*place));
  }
}

void top_k(Production& p) {
  const ValueFact& data = p.input(0);
  const DType type =
      named_type(p, "index_element_type", p.is_openvino() ? DType::kInt32 : DType::kInt64);
  const auto place = place_of_axis(p.attribute("axis", -1), data.dims);
  SymbolicShape dims = data.dims;
  if (place) {
    const auto k = p.list("k", 1);
    Dim& dim = (*dims)[*place];
    const Dim before = dim;
    if (p.has(1)) dim = p.dim_of(integer_of(p.parameter(1), p.extents()));
    if (p.has_attribute("k"))
      dim = k && k->size() == 1 && k->front() >= 0 ? Dim{k->front(), {}} : Dim();
    if (!dim.is_known()) dim.high = std::min(dim.high, p.extents().extent_of(before).high);
  }
  give_moved(p, dims, mixed_along(data, place, p.extents()));
  ValueFact& indices = p.output(1);
  indices.dtype = type;
  indices.dims = std::move(dims);
  indices.range = tensor_range(in_type(p, p.extents().position_on(dim_at(data.dims, place)), type));
}

// A row of coordinates for each axis. Hosts differ on scalars.
void non_zero(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  ValueFact& result = p.output();
  result.dtype = named_type(p, "output_type", DType::kInt64);
  result.dims = std::vector<Dim>(2);
  result.range = tensor_range(in_type(p, {0, Extents::kLargest}, result.dtype));
  if (!from || from->empty() || from->size() > kMaxRank) return;
  (*result.dims)[0].value = static_cast<std::int64_t>(from->size());
  const std::int64_t most = known_count(from).value_or(Extents::kLargest);
  (*result.dims)[1] = p.new_dim(0, 1, 0, most);
  result.range = ValueRange();
  result.range.grain = ValueRange::Grain::kAxis;
  for (const Dim& dim : *from)
    result.range.integers.push_back(in_type(p, p.extents().position_on(dim), result.dtype));
}

void shape_of(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  ValueFact& result = p.output();
  result.dtype = named_type(p, "output_type", DType::kInt64);
  result.dims = std::vector<Dim>(1);
  result.range = tensor_range(in_type(p, {0, Extents::kLargest}, result.dtype));
  if (!from || from->size() > kMaxRank) return;
  const auto rank = static_cast<std::int64_t>(from->size());
  const auto place = [rank](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? std::max(axis, -rank) + rank : axis, 0, rank);
  };
  const std::int64_t start = place(p.attribute("start", 0));
  const std::int64_t end = place(p.attribute("end", rank));
  result.dims->front().value = std::max<std::int64_t>(end - start, 0);
  if (end <= start) return;
  result.range = ValueRange();
  result.range.grain = ValueRange::Grain::kElement;
  for (std::int64_t axis = start; axis < end; ++axis)
    result.range.integers.push_back(
        in_type(p,
                p.extents().extent_of((*from)[static_cast<std::size_t>(axis)],
                                      Extents::most_of(*from, static_cast<std::size_t>(axis))),
                result.dtype));
}

void size_of(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  ValueFact& result = p.output();
  result.dtype = DType::kInt64;
  result.dims.emplace();
  Interval all{0, Interval::kHighest};
  if (const auto count = known_count(from)) all = {*count, *count};
  if (from && from->size() == 1) all = p.extents().extent_of(from->front());
  result.range = tensor_range(all);
}

// Whether Range's number of elements is exact: hosts compute it in double precision, where larger
// numbers may give one element too many.
bool is_small(const Interval& interval) {
  constexpr std::int64_t kMost = std::int64_t{1} << 52;
  return interval.low >= -kMost && interval.high <= kMost;
}

// Finds the number of elements of a Range, and the elements if they are few and known.
void count_range(Production& p, const Interval& start, const Interval& limit, const Interval& delta,
                 ValueFact& result) {
  const bool from_zero = is_single(start) && start.low == 0 && is_single(delta) && delta.low == 1;
  Dim& dim = result.dims->front();
  if (from_zero) dim = p.dim_of(limit);
  if (!is_single(start) || !is_single(limit) || !is_single(delta)) return;
  const std::int64_t distance = delta.low > 0 ? limit.low - start.low : start.low - limit.low;
  const std::int64_t step = std::abs(delta.low);
  dim = Dim{distance <= 0 ? 0 : (distance - 1) / step + 1, {}};
  if (dim.value == 0 || dim.value > static_cast<std::int64_t>(kMostIntervals)) return;
  result.range = ValueRange();
  result.range.grain = ValueRange::Grain::kElement;
  for (std::int64_t i = 0; i < dim.value; ++i) {
    const std::int64_t number = start.low + i * delta.low;
    result.range.integers.push_back({number, number});
  }
}

void range(Production& p) {
  ValueFact& result = p.output();
  result.dtype = named_type(p, "output_type", p.given(0).dtype);
  result.dims = std::vector<Dim>(1);
  const bool same_type = p.given(0).dtype == result.dtype && p.given(1).dtype == result.dtype &&
                         p.given(2).dtype == result.dtype;
  if (!is_integer(result.dtype) || !same_type) return;
  const bool is_folded = p.given(0).constant != nullptr && p.given(1).constant != nullptr &&
                         p.given(2).constant != nullptr;
  if (!is_folded) result.range_ends = RangeEnds{p.integer(0), p.integer(1)};
  const auto exact_start = p.exact(p.integer(0));
  const auto exact_limit = p.exact(p.integer(1));
  const auto exact_delta = p.exact(p.integer(2));
  if (!exact_start || !exact_limit || !exact_delta) return;
  const Interval& delta = *exact_delta;
  if (delta.low <= 0 && delta.high >= 0) return;
  // A Range that counts from 0 by 1 has as many elements as fit in memory.
  const bool counts =
      is_single(*exact_start) && exact_start->low == 0 && is_single(delta) && delta.low == 1;
  const Interval start = p.fitting(*exact_start);
  const Interval limit = counts ? *exact_limit : p.fitting(*exact_limit);
  if (!is_small(start) || (!is_small(limit) && !counts) || !is_small(delta)) return;
  const IntegerArithmetic wide(DType::kInt64, p.extents());
  Interval elements;
  if (delta.low > 0) {
    elements = wide.subtract(limit, {1, 1});
    elements.low = start.low;
    elements.above = start.above;
  } else {
    elements = wide.add(limit, {1, 1});
    elements.high = start.high;
    elements.below = start.below;
  }
  // The result may have no elements.
  if (is_empty(elements)) elements = start;
  result.range = tensor_range(elements);
  p.shape_needs_premises();
  count_range(p, start, limit, delta, result);
}

// Unique's values, the position where each first occurs, the number of each element's value among
// them, and how often each occurs.
void unique(Production& p) {
  const ValueFact& data = p.input(0);
  const DType type = named_type(p, "index_element_type", DType::kInt64);
  const bool by_axis = p.is_openvino() ? p.has(1) : p.has_attribute("axis");
  std::optional<std::size_t> axis;
  Dim searched;
  if (by_axis) {
    axis = p.is_openvino() ? p.axis_in(1, data.dims)
                           : place_of_axis(p.attribute("axis", 0), data.dims);
    searched = dim_at(data.dims, axis);
  } else if (data.dims && data.dims->size() == 1) {
    searched = data.dims->front();
  } else if (const auto count = known_count(data.dims)) {
    searched = Dim{*count, {}};
  }
  const Interval count = p.extents().extent_of(searched);
  const std::int64_t least = std::min<std::int64_t>(count.low, 1);
  const bool has_axis = axis || !by_axis;
  const Dim found =
      has_axis ? p.new_dim(0, axis.value_or(0), least, count.high) : Dim{-1, {}, least, count.high};
  SymbolicShape dims;
  if (!by_axis) dims = std::vector{found};
  if (axis) {
    dims = data.dims;
    (*dims)[*axis] = found;
  }
  const auto counted = [&](const Dim& dim, Interval interval) {
    ValueFact fact;
    fact.dtype = type;
    fact.dims = std::vector{dim};
    fact.range = tensor_range(in_type(p, interval, type));
    return fact;
  };
  Interval inverse = p.extents().position_on(found);
  inverse.high = std::min(inverse.high, p.extents().position_on(searched).high);
  if (!inverse.below) inverse.below = p.extents().position_on(searched).below;
  Interval often = count;
  often.low = 1;
  often.above.reset();
  often.high = std::max<std::int64_t>(often.high, 1);
  give_moved(p, std::move(dims), mixed_along(data, axis, p.extents()));
  p.output(1) = counted(found, p.extents().position_on(searched));
  p.output(2) = counted(searched, inverse);
  p.output(3) = counted(found, often);
}

// Rows of batch, class and box. OpenVINO may fill unused rows with -1.
void non_max_suppression(Production& p) {
  const SymbolicShape& boxes = p.given(0).dims;
  const SymbolicShape& scores = p.given(1).dims;
  const DType type = named_type(p, "output_type", DType::kInt64);
  const auto dim = [](const SymbolicShape& dims, std::size_t axis) {
    return dims && dims->size() == 3 ? (*dims)[axis] : Dim();
  };
  const Dim batch = dim(boxes, 0) == Dim() ? dim(scores, 0) : dim(boxes, 0);
  const Dim box = dim(boxes, 1) == Dim() ? dim(scores, 2) : dim(boxes, 1);
  ValueFact& result = p.output();
  result.dtype = type;
  result.dims = std::vector<Dim>{p.new_dim(0, 0, 0, Extents::kLargest), Dim{3, {}}};
  result.range.grain = ValueRange::Grain::kAxis;
  result.range.axis = 1;
  for (const Dim& axis : {batch, dim(scores, 1), box}) {
    Interval column = in_type(p, p.extents().position_on(axis), type);
    if (p.is_openvino()) column.low = -1;
    result.range.integers.push_back(column);
  }
}

constexpr ProducerRow kIndexProducers[] = {
    {{"ArgMax"}, {}, position_of_extreme},
    {{"ArgMin"}, {}, position_of_extreme},
    {{"TopK"}, {"TopK"}, top_k},
    {{"NonZero", 9}, {"NonZero"}, non_zero},
    {{"Shape"}, {"ShapeOf"}, shape_of},
    {{"Size"}, {}, size_of},
    {{"Range", 11}, {"Range"}, range},
    {{"Unique", 11}, {"Unique"}, unique},
    {{"NonMaxSuppression", 10}, {"NonMaxSuppression"}, non_max_suppression},
};

}  // namespace

std::span<const ProducerRow> index_producers() { return kIndexProducers; }

}  // namespace windrow::internal
