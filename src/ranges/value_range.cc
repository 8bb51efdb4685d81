#include "src/ranges/value_range.h"

#include <algorithm>
#include <utility>

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

// Joins the intervals of a list into `count` groups; `group` returns the group of each.
template <class Group, class Join, class T>
std::vector<T> grouped(const std::vector<T>& intervals, std::size_t count, const Group& group,
                       const Join& join_two) {
  std::vector<T> joined(intervals.empty() ? 0 : count);
  std::vector<bool> is_set(joined.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const std::size_t to = group(i);
    joined[to] = is_set[to] ? join_two(joined[to], intervals[i]) : intervals[i];
    is_set[to] = true;
  }
  return joined;
}

template <class Group>
ValueRange grouped(const ValueRange& range, std::size_t count, const Group& group,
                   const Extents& extents) {
  ValueRange result;
  result.premises = range.premises;
  result.integers =
      grouped(range.integers, count, group,
              [&](const Interval& a, const Interval& b) { return join(a, b, extents); });
  result.floats =
      grouped(range.floats, count, group,
              [](const FloatInterval& a, const FloatInterval& b) { return join(a, b); });
  return result;
}

// Whether a shape of known extents broadcasts to another one.
bool broadcasts_to(const std::vector<Dim>& from, const std::vector<Dim>& to) {
  return from.size() <= to.size() &&
         std::equal(from.rbegin(), from.rend(), to.rbegin(), [](const Dim& own, const Dim& other) {
           return own.is_known() && (own.value == 1 || own.value == other.value);
         });
}

}  // namespace

Interval integer_of(const ValueFact& fact, const Extents& extents) {
  if (fact.range.integers.empty()) return extents.profile().anything(fact.dtype);
  return join(fact.range.integers, extents);
}

FloatInterval float_of(const ValueFact& fact) { return join(fact.range.floats); }

void append_interval(const ValueRange& from, std::size_t position, ValueRange& to) {
  if (!from.integers.empty()) to.integers.push_back(from.integers[position]);
  if (!from.floats.empty()) to.floats.push_back(from.floats[position]);
}

std::size_t interval_of_element(const ValueFact& fact, std::size_t element) {
  if (fact.range.grain == Grain::kTensor) return 0;
  if (fact.range.grain == Grain::kElement) return element;
  const auto axis = static_cast<std::size_t>(fact.range.axis);
  const auto inner = count_of(*fact.dims, axis + 1, fact.dims->size());
  const std::int64_t slice = static_cast<std::int64_t>(element) / *inner;
  return static_cast<std::size_t>(slice % (*fact.dims)[axis].value);
}

ValueRange tensor_range(const Interval& interval) {
  ValueRange range;
  range.integers.push_back(interval);
  return range;
}

ValueRange tensor_range(const FloatInterval& interval) {
  ValueRange range;
  range.floats.push_back(interval);
  return range;
}

ValueRange collapsed(const ValueRange& range, const Extents& extents) {
  if (range.grain == Grain::kTensor) return range;
  return grouped(
      range, 1, [](std::size_t) { return std::size_t{0}; }, extents);
}

ValueRange on_axis(const ValueRange& range, const SymbolicShape& dims, std::size_t axis,
                   const Extents& extents) {
  const auto count = static_cast<std::size_t>((*dims)[axis].value);
  ValueRange result;
  if (range.grain == Grain::kElement) {
    const auto inner = static_cast<std::size_t>(*count_of(*dims, axis + 1, dims->size()));
    result = grouped(
        range, count, [&](std::size_t i) { return i / inner % count; }, extents);
  } else if (range.grain == Grain::kAxis && static_cast<std::size_t>(range.axis) == axis) {
    result = range;
  } else {
    result = collapsed(range, extents);
    if (!result.integers.empty()) result.integers.resize(count, result.integers.front());
    if (!result.floats.empty()) result.floats.resize(count, result.floats.front());
  }
  result.grain = Grain::kAxis;
  result.axis = static_cast<int>(axis);
  return result;
}

void fit_grain(ValueFact& fact, const Extents& extents) {
  ValueRange& range = fact.range;
  const std::size_t size = interval_count(range);
  if (range.grain == Grain::kTensor || size == 0) return;
  std::optional<std::int64_t> wanted;
  if (range.grain == Grain::kElement) {
    wanted = known_count(fact.dims);
  } else if (fact.dims && static_cast<std::size_t>(range.axis) < fact.dims->size()) {
    wanted = known_extent(fact.dims, static_cast<std::size_t>(range.axis));
  }
  if (wanted != static_cast<std::int64_t>(size)) range = collapsed(range, extents);
}

void complete(ValueFact& fact, const Extents& extents) {
  ValueRange& range = fact.range;
  const bool counts = has_integer_intervals(fact.dtype);
  if (!counts) range.integers.clear();
  if (!has_float_intervals(fact.dtype)) range.floats.clear();
  fit_grain(fact, extents);
  for (Interval& interval : range.integers)
    if (is_empty(interval)) interval = extents.profile().anything(fact.dtype);
  for (FloatInterval& interval : range.floats)
    if (interval.low > interval.high && !interval.may_be_nan) interval = {};
  if (range.integers.empty() && counts)
    range = tensor_range(extents.profile().anything(fact.dtype));
  for (FloatInterval& interval : range.floats) interval = extents.profile().stored(interval);
  if (range.floats.empty() && has_float_intervals(fact.dtype))
    range = tensor_range(FloatInterval());
}

bool says_nothing(const ValueFact& fact, const Extents& extents) {
  const ValueRange& range = fact.range;
  const Interval type = extents.profile().anything(fact.dtype);
  return std::all_of(range.integers.begin(), range.integers.end(),
                     [&](const Interval& interval) { return interval == type; }) &&
         std::all_of(range.floats.begin(), range.floats.end(),
                     [](const FloatInterval& interval) { return interval == FloatInterval(); });
}

void add_zero(ValueRange& range, const Extents& extents) {
  for (Interval& interval : range.integers) interval = join(interval, {0, 0}, extents);
  for (FloatInterval& interval : range.floats) interval = join(interval, {0, 0, false});
}

ValueRange join(const ValueFact& a, const ValueFact& b, const Extents& extents) {
  ValueRange result;
  const bool same_grain = a.range.grain == b.range.grain && a.range.axis == b.range.axis &&
                          a.range.grain != Grain::kTensor && a.dims == b.dims;
  const ValueRange left = same_grain ? a.range : collapsed(a.range, extents);
  const ValueRange right = same_grain ? b.range : collapsed(b.range, extents);
  if (same_grain) {
    result.grain = left.grain;
    result.axis = left.axis;
  }
  result.premises = united(left.premises, right.premises);
  if (left.integers.size() == right.integers.size())
    for (std::size_t i = 0; i < left.integers.size(); ++i)
      result.integers.push_back(join(left.integers[i], right.integers[i], extents));
  if (left.floats.size() == right.floats.size())
    for (std::size_t i = 0; i < left.floats.size(); ++i)
      result.floats.push_back(join(left.floats[i], right.floats[i]));
  return result;
}

std::optional<std::vector<std::int64_t>> known_integers(const ValueFact& fact) {
  const auto count = known_count(fact.dims);
  if (!count || *count < 0 || *count > static_cast<std::int64_t>(kMostIntervals))
    return std::nullopt;
  if (*count == 0) return std::vector<std::int64_t>();
  if (fact.range.integers.empty()) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Interval& interval : fact.range.integers) {
    if (!is_single(interval) || interval.high == Interval::kHighest) return std::nullopt;
    numbers.push_back(interval.low);
  }
  const auto wanted = static_cast<std::size_t>(*count);
  const bool all_same = std::equal(numbers.begin() + 1, numbers.end(), numbers.begin());
  if (all_same) return std::vector<std::int64_t>(wanted, numbers.front());
  // Intervals per position are those of the elements if the other axes have extent 1.
  return numbers.size() == wanted ? std::optional(numbers) : std::nullopt;
}

Broadcast::Broadcast(std::initializer_list<const ValueFact*> facts, const Extents& extents) {
  std::vector<const SymbolicShape*> shapes;
  for (const ValueFact* fact : facts) shapes.push_back(&fact->dims);
  dims_ = broadcast(shapes);
  add_operands(facts, extents);
}

Broadcast::Broadcast(const ValueFact& fact, const SymbolicShape& result, const Extents& extents)
    : dims_(result) {
  const ValueFact* const facts[] = {&fact};
  add_operands(facts, extents);
}

void Broadcast::add_operands(std::span<const ValueFact* const> facts, const Extents& extents) {
  choose_grain(facts);
  for (const ValueFact* fact : facts) {
    Operand& operand = operands_.emplace_back();
    operand.otherwise = extents.profile().anything(fact->dtype);
    const std::size_t rank = fact->dims ? fact->dims->size() : 0;
    const std::size_t missing = dims_ ? dims_->size() - std::min(rank, dims_->size()) : 0;
    if (grain_ == Grain::kAxis && fact->dims && axis_ >= missing &&
        (*fact->dims)[axis_ - missing].value == static_cast<std::int64_t>(size_)) {
      operand.range = on_axis(fact->range, fact->dims, axis_ - missing, extents);
      operand.strides = {1};
    } else if (grain_ == Grain::kElement && fact->dims && fact->range.grain != Grain::kTensor) {
      operand.range = fact->range;
      operand.strides.assign(extents_.size(), 0);
      const bool by_axis = fact->range.grain == Grain::kAxis;
      std::size_t stride = 1;
      for (std::size_t i = rank; i-- > 0;) {
        const auto extent = static_cast<std::size_t>((*fact->dims)[i].value);
        const bool counts =
            extent != 1 && (!by_axis || static_cast<std::size_t>(fact->range.axis) == i);
        if (counts) operand.strides[i + missing] = by_axis ? 1 : stride;
        stride *= extent;
      }
    } else {
      operand.range = collapsed(fact->range, extents);
    }
  }
}

// Chooses single elements if there are few, else the positions on the last axis along which an
// operand has several intervals.
void Broadcast::choose_grain(std::span<const ValueFact* const> facts) {
  if (!dims_) return;
  const auto is_fine = [](const ValueFact* fact) {
    return fact->range.grain != Grain::kTensor && fact->dims;
  };
  if (std::none_of(facts.begin(), facts.end(), is_fine)) return;
  const auto most = static_cast<std::int64_t>(kMostIntervals);
  const auto count = known_count(dims_);
  // A model may be wrong: its shapes need not broadcast against each other.
  const bool all_fit = std::all_of(facts.begin(), facts.end(), [&](const ValueFact* fact) {
    return !is_fine(fact) || broadcasts_to(*fact->dims, *dims_);
  });
  if (count && *count > 0 && *count <= most && all_fit) {
    grain_ = Grain::kElement;
    size_ = static_cast<std::size_t>(*count);
    extents_ = *known_extents(dims_);
    return;
  }
  for (const ValueFact* fact : facts) {
    if (!is_fine(fact)) continue;
    const std::size_t missing = dims_->size() - fact->dims->size();
    for (std::size_t axis = fact->dims->size(); axis-- > 0;) {
      const Dim& own = (*fact->dims)[axis];
      const bool varies = fact->range.grain == Grain::kElement ||
                          static_cast<std::size_t>(fact->range.axis) == axis;
      const bool fits = own.is_known() && own.value > 1 && own.value <= most &&
                        (*dims_)[axis + missing].value == own.value;
      if (!varies || !fits) continue;
      grain_ = Grain::kAxis;
      axis_ = axis + missing;
      size_ = static_cast<std::size_t>(own.value);
      return;
    }
  }
}

std::size_t Broadcast::place(const Operand& operand, std::size_t position) const {
  if (operand.strides.empty()) return 0;
  if (grain_ == Grain::kAxis) return position;
  std::size_t place = 0;
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(extents_[axis]);
    place += position % extent * operand.strides[axis];
    position /= extent;
  }
  return place;
}

const Interval& Broadcast::integer(std::size_t operand, std::size_t position) const {
  const Operand& from = operands_[operand];
  return from.range.integers.empty() ? from.otherwise : from.range.integers[place(from, position)];
}

const FloatInterval& Broadcast::real(std::size_t operand, std::size_t position) const {
  static const FloatInterval nothing;
  const Operand& from = operands_[operand];
  return from.range.floats.empty() ? nothing : from.range.floats[place(from, position)];
}

ValueRange Broadcast::result() const {
  ValueRange range;
  range.grain = grain_;
  range.axis = static_cast<int>(axis_);
  return range;
}

}  // namespace windrow::internal
