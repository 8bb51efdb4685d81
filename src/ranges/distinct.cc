#include "src/ranges/distinct.h"

// The file is longer than 300 lines because it has a function of a few lines for each kind of
// operator that makes elements distinct or keeps them so.

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace windrow::internal {
namespace {

// Up to here float32, in which some hosts compute integers, holds every integer.
constexpr std::int64_t kExact = std::int64_t{1} << 24;

bool has(Axes axes, std::size_t axis) { return (axes & bit(axis)) != 0; }
Axes all_axes(std::size_t rank) { return bit(rank) - 1; }

// What is known of the elements of a value; tuples of one element are elements. Its premises are
// left out, since Production::take_outputs() adds those of all inputs.
Distinct distinct_of(const ValueFact& fact) {
  if (!fact.dims || fact.dims->size() > kMaxRank) return {};
  Distinct found = fact.distinct;
  found.premises.clear();
  const Axes ones = axes_of_one(*fact.dims);
  if (found.tuple_axis && has(ones, *found.tuple_axis)) found.tuple_axis.reset();
  found.along &= ~ones;
  found.constant |= ones;
  return found;
}

// The same facts about axes that have moved: axis i is now axis `to[i]`, or is no more.
Distinct moved_to(const Distinct& from, const std::vector<std::optional<std::size_t>>& to) {
  Distinct result;
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    if (!to[axis]) continue;
    if (has(from.along, axis)) result.along |= bit(*to[axis]);
    if (has(from.constant, axis)) result.constant |= bit(*to[axis]);
    if (from.tuple_axis == axis) result.tuple_axis = to[axis];
  }
  if (result.tuple_axis) result.columns = from.columns;
  return result;
}

// In another shape with the same row-major order of elements.
Distinct reshaped(const ValueFact& from, const SymbolicShape& to) {
  if (!from.dims || !to || to->size() > kMaxRank) return {};
  const Distinct before = distinct_of(from);
  const Axes ones = axes_of_one(*from.dims);
  const bool all_differ =
      !before.tuple_axis && (before.along | ones) == all_axes(from.dims->size());
  if (all_differ && before.along != 0) {
    Distinct result{.along = all_axes(to->size())};
    return result;
  }
  // Axes of extent 1 come and go; the others stay. One extent that is not known to be the same is,
  // since the number of elements is.
  std::vector<std::optional<std::size_t>> places(from.dims->size());
  std::size_t next = 0;
  std::size_t different = 0;
  for (std::size_t axis = 0; axis < from.dims->size(); ++axis) {
    if (has(ones, axis)) continue;
    while (next < to->size() && (*to)[next].value == 1) ++next;
    if (next == to->size()) return {};
    if (!are_same((*from.dims)[axis], (*to)[next])) ++different;
    places[axis] = next++;
  }
  while (next < to->size() && (*to)[next].value == 1) ++next;
  return next == to->size() && different <= 1 ? moved_to(before, places) : Distinct{};
}

// Repeated along axes by broadcasting to a shape.
Distinct broadcast_to(const ValueFact& from, const SymbolicShape& to) {
  if (!from.dims || !to || to->size() > kMaxRank || from.dims->size() > to->size()) return {};
  const std::size_t missing = to->size() - from.dims->size();
  Distinct before = distinct_of(from);
  std::vector<std::optional<std::size_t>> places;
  for (std::size_t axis = 0; axis < from.dims->size(); ++axis) {
    const Dim& dim = (*from.dims)[axis];
    const Dim& after = (*to)[axis + missing];
    // An extent that is not known may be 1 and be repeated.
    const bool stays = are_same(dim, after) || least(dim) > 1;
    if (!stays && before.tuple_axis == axis) return {};
    if (!stays) before.along &= ~bit(axis);
    places.push_back(axis + missing);
  }
  Distinct result = moved_to(before, places);
  result.constant |= all_axes(missing);
  return result;
}

void distinct_reshape(Production& p) {
  p.output().distinct = reshaped(p.input(0), p.output().dims);
}

// Axes are aligned at the last one.
void broadcast(Production& p) {
  const std::string mode = p.text("mode", "numpy");
  if (p.is_openvino() && mode != "numpy" && mode != "bidirectional") return;
  p.output().distinct = broadcast_to(p.input(0), p.output().dims);
}

void distinct_transpose(Production& p) {
  const ValueFact& from = p.input(0);
  if (!from.dims || !p.output().dims) return;
  const std::size_t rank = from.dims->size();
  std::vector<std::int64_t> order;
  for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  const bool is_given = p.is_openvino() ? p.has(1) : p.has_attribute("perm");
  if (is_given) {
    const auto given = p.is_openvino() ? known_integers(p.parameter(1)) : p.list("perm");
    if (!given) return;
    if (!given->empty()) order = *given;
  }
  if (order.size() != rank) return;
  std::vector<std::optional<std::size_t>> places(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto axis = place_of_axis(order[i], rank);
    if (!axis || places[*axis]) return;
    places[*axis] = i;
  }
  p.output().distinct = moved_to(distinct_of(from), places);
}

// Parts of a value, whose positions on each axis are different positions of the value.
void take(Production& p) {
  const ValueFact& from = p.input(0);
  const Distinct before = distinct_of(from);
  for (std::size_t i = 0; i < p.outputs().size(); ++i) {
    const SymbolicShape& dims = p.output(i).dims;
    if (!from.dims || !dims || dims->size() != from.dims->size()) continue;
    // All of an axis that is as long as before is taken.
    const auto tuple = before.tuple_axis;
    if (!tuple || are_same((*from.dims)[*tuple], (*dims)[*tuple])) p.output(i).distinct = before;
  }
}

// A cast that changes no element.
void distinct_cast(Production& p) {
  const ValueFact& from = p.input(0);
  const DType to = p.output().dtype;
  if (!is_integer(from.dtype) || !is_integer(to)) return;
  const Interval all = type_interval(to);
  const Interval values = integer_of(from, p.extents());
  const std::int64_t most = std::min<std::int64_t>(all.high, std::numeric_limits<int>::max());
  Premises premises;
  const bool fits = values.low >= all.low && p.assume_within(values, most, premises);
  if (!fits) return;
  p.output().distinct = distinct_of(from);
  p.output().distinct.premises = united(p.output().distinct.premises, premises);
}

bool is_exact(Production& p, const ValueFact& fact, Premises& premises) {
  if (dtype_bits(fact.dtype) < 32 || !is_integer(fact.dtype)) return false;
  return std::all_of(fact.range.integers.begin(), fact.range.integers.end(),
                     [&](const Interval& interval) {
                       return p.assume_within(interval, kExact, premises);
                     }) &&
         !fact.range.integers.empty();
}

// What stays known of `x` where each element is combined with the one of `y` by a function that is
// one-to-one in the first.
Distinct combined_with(const ValueFact& x, const ValueFact& y, const SymbolicShape& result) {
  if (!x.dims || !y.dims || !result || y.dims->size() > kMaxRank) return {};
  Distinct all = broadcast_to(x, result);
  const std::size_t missing = result->size() - y.dims->size();
  const Distinct other = distinct_of(y);
  for (std::size_t axis = missing; axis < result->size(); ++axis) {
    if (has(other.constant, axis - missing)) continue;
    all.constant &= ~bit(axis);
    if (all.tuple_axis != axis) all.along &= ~bit(axis);
  }
  return all;
}

// Adds or multiplies two operands. Rounding and wrapping would make elements equal.
void combine(Production& p, bool multiplies) {
  ValueFact& result = p.output();
  if (p.input_count() != 2) return;
  Premises premises;
  const bool exact = is_exact(p, p.input(0), premises) && is_exact(p, p.input(1), premises) &&
                     is_exact(p, result, premises);
  if (!exact) return;
  for (const std::size_t first : {0U, 1U}) {
    const ValueFact& y = p.input(1 - first);
    const auto may_be_zero = [](const Interval& a) { return a.low <= 0 && a.high >= 0; };
    if (multiplies && std::any_of(y.range.integers.begin(), y.range.integers.end(), may_be_zero))
      continue;
    Distinct found = combined_with(p.input(first), y, result.dims);
    if (found.along == 0) continue;
    result.distinct = std::move(found);
    result.distinct.premises = united(result.distinct.premises, premises);
    return;
  }
}

void add(Production& p) { combine(p, false); }
void multiply(Production& p) { combine(p, true); }

void negate(Production& p) {
  Premises premises;
  if (!is_exact(p, p.input(0), premises) || !is_exact(p, p.output(), premises)) return;
  p.output().distinct = distinct_of(p.input(0));
  p.output().distinct.premises = united(p.output().distinct.premises, premises);
}

// Where with a condition that is the same for all elements and known.
void distinct_choose(Production& p) {
  const ValueFact& condition = p.input(0);
  if (condition.dtype != DType::kBool || condition.range.integers.empty()) return;
  for (const std::size_t branch : {1U, 2U}) {
    const std::int64_t wanted = branch == 1 ? 1 : 0;
    const bool is_it =
        std::all_of(condition.range.integers.begin(), condition.range.integers.end(),
                    [wanted](const Interval& a) { return a.low == wanted && a.high == wanted; });
    if (is_it) p.output().distinct = broadcast_to(p.input(branch), p.output().dims);
  }
}

void distinct_top_k(Production& p) {
  const SymbolicShape& dims = p.output(1).dims;
  const auto axis = place_of_axis(p.attribute("axis", -1), dims);
  if (!axis) return;
  p.output(1).distinct.along = bit(*axis);
  const Distinct before = distinct_of(p.input(0));
  if (before.tuple_axis || !has(before.along, *axis)) return;
  p.output(0).distinct.along = bit(*axis);
}

void distinct_non_zero(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  if (!from || from->empty() || !p.output().dims) return;
  p.output().distinct.along = bit(1);
  p.output().distinct.tuple_axis = 0;
}

// The positions where values occur first.
void distinct_unique(Production& p) {
  if (p.output(1).dims) p.output(1).distinct.along = bit(0);
}

void distinct_range(Production& p) {
  const bool is_counted = is_integer(p.output().dtype) && !p.output().range.integers.empty();
  const Interval delta = p.integer(2);
  if (is_counted && (delta.low > 0 || delta.high < 0)) p.output().distinct.along = bit(0);
}

// Gather along one axis: of different elements at different positions, or at one position.
void gather(Production& p) {
  const ValueFact& data = p.input(0);
  const ValueFact& indices = p.input(1);
  if (p.is_openvino() || !data.dims || !indices.dims || !p.output().dims) return;
  const auto axis = place_of_axis(p.attribute("axis", 0), data.dims);
  if (!axis || p.output().dims->size() != data.dims->size() + indices.dims->size() - 1) return;
  const Distinct from = distinct_of(data);
  const Interval values = integer_of(indices, p.extents());
  // Hosts give zeros for indices that are out of range.
  if ((from.along == 0 && from.constant == 0) || !p.lies_within(values, (*data.dims)[*axis], true))
    return;
  const bool one_sign = values.low >= 0 || values.high < 0;
  if (data.dims->size() == 1 && has(from.along, 0) && one_sign) {
    p.output().distinct = distinct_of(indices);
    if (p.output().distinct.tuple_axis) p.output().distinct = {};
    return;
  }
  if (known_count(indices.dims) != 1 || from.tuple_axis == axis) return;
  std::vector<std::optional<std::size_t>> places;
  for (std::size_t i = 0; i < data.dims->size(); ++i)
    places.push_back(i < *axis ? i : i + indices.dims->size() - 1);
  places[*axis].reset();
  p.output().distinct = moved_to(from, places);
}

// Parts side by side along an axis are tuples. Tuples differ if one of their parts does.
class Tuples {
 public:
  Tuples(Production& p, std::size_t axis) : axis_(axis) {
    for (std::size_t i = 0; i < p.input_count(); ++i) {
      const ValueFact& fact = p.input(i);
      Distinct part = distinct_of(fact);
      const bool is_whole =
          fact.dims && fact.dims->size() > axis &&
          (part.tuple_axis ? part.tuple_axis == axis : least((*fact.dims)[axis]) > 0);
      part.constant |= bit(axis);
      part.along &= ~bit(axis);
      part.columns = columns_of(part, fact);
      constant_ &= part.constant;
      if (is_whole && part.along != 0) parts_.push_back(std::move(part));
    }
  }

  Distinct joined() const {
    Axes all = 0;
    for (const Distinct& part : parts_) all |= part.along;
    Distinct found = of(all);
    for (const Distinct& part : parts_) {
      if (found.along == 0) found = of(part.along);
    }
    return found;
  }

 private:
  // The tuples differ along these axes if each part does that differs along some of them, whatever
  // the positions on the others are.
  Distinct of(Axes axes) const {
    Distinct found;
    Axes covered = 0;
    found.columns = 0;
    for (const Distinct& part : parts_) {
      if ((axes & ~(part.along | part.constant)) != 0 || (part.along & ~covered) == 0) continue;
      covered |= part.along;
      found.columns |= part.columns;
    }
    if (axes == 0 || (axes & ~covered) != 0) return {};
    found.along = axes;
    found.constant = constant_ & ~bit(axis_);
    found.tuple_axis = axis_;
    return found;
  }

  // The columns of the joined tuples by which those of the next part differ.
  std::uint64_t columns_of(const Distinct& part, const ValueFact& fact) {
    constexpr std::int64_t kMost = 64;
    const Dim width = fact.dims && fact.dims->size() > axis_ ? (*fact.dims)[axis_] : Dim();
    const bool is_known = first_ >= 0 && width.is_known() && first_ + width.value < kMost;
    if (!is_known) {
      first_ = -1;
      return ~std::uint64_t{0};
    }
    const std::uint64_t own = (std::uint64_t{1} << width.value) - 1;
    const std::uint64_t columns = (part.columns & own) << first_;
    first_ += width.value;
    return columns;
  }

  std::size_t axis_;
  std::int64_t first_ = 0;  // the next part's first column; negative: not known
  Axes constant_ = ~Axes{0};
  std::vector<Distinct> parts_;
};

void concat(Production& p) {
  const SymbolicShape& dims = p.output().dims;
  if (!dims || dims->size() > kMaxRank) return;
  const auto axis = place_of_axis(p.attribute("axis", 1), dims);
  if (axis) p.output().distinct = Tuples(p, *axis).joined();
}

struct Row {
  std::string_view onnx;
  std::string_view openvino;
  Producer find;
};
constexpr Row kDistinctRows[] = {
    {"TopK", "TopK", distinct_top_k},
    {"NonZero", "NonZero", distinct_non_zero},
    {"Unique", "Unique", distinct_unique},
    {"Range", "Range", distinct_range},
    {"Add", "Add", add},
    {"Sub", "Subtract", add},
    {"Mul", "Multiply", multiply},
    {"Neg", "Negative", negate},
    {"Cast", "Convert", distinct_cast},
    {"CastLike", "ConvertLike", distinct_cast},
    {"Where", "Select", distinct_choose},
    {"Reshape", "Reshape", distinct_reshape},
    {"Flatten", "", distinct_reshape},
    {"Squeeze", "Squeeze", distinct_reshape},
    {"Unsqueeze", "Unsqueeze", distinct_reshape},
    {"Transpose", "Transpose", distinct_transpose},
    {"Expand", "Broadcast", broadcast},
    {"Slice", "Slice", take},
    {"Split", "Split", take},
    {"", "VariadicSplit", take},
    {"Compress", "", take},
    {"Concat", "Concat", concat},
    {"Gather", "", gather},
};

// Calls `visit` with the number of each element in row-major order and its position on each axis.
template <class Visit>
void visit_positions(const std::vector<Dim>& dims, std::size_t count, const Visit& visit) {
  std::vector<std::size_t> place(dims.size());
  for (std::size_t element = 0; element < count; ++element) {
    visit(element, place);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      if (++place[axis] < static_cast<std::size_t>(dims[axis].value)) break;
      place[axis] = 0;
    }
  }
}

}  // namespace

Axes axes_of_one(const std::vector<Dim>& dims) {
  Axes ones = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis].value == 1) ones |= bit(axis);
  }
  return ones;
}

Distinct distinct_elements(const ValueFact& fact) {
  if (!is_integer(fact.dtype) || !fact.dims || fact.dims->size() > kMaxRank) return {};
  const auto numbers = known_integers(fact);
  if (!numbers || numbers->empty()) return {};
  const std::size_t rank = fact.dims->size();
  std::vector<std::size_t> strides(rank, 1);
  for (std::size_t i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * static_cast<std::size_t>((*fact.dims)[i].value);
  Distinct found{.constant = all_axes(rank)};
  visit_positions(*fact.dims, numbers->size(), [&](std::size_t element, const auto& place) {
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const bool is_same = (*numbers)[element] == (*numbers)[element - place[axis] * strides[axis]];
      if (!is_same) found.constant &= ~bit(axis);
    }
  });
  std::vector<std::int64_t> varying;
  visit_positions(*fact.dims, numbers->size(), [&](std::size_t element, const auto& place) {
    bool is_first = true;
    for (std::size_t axis = 0; axis < rank; ++axis)
      is_first = is_first && (place[axis] == 0 || !has(found.constant, axis));
    if (is_first) varying.push_back((*numbers)[element]);
  });
  std::sort(varying.begin(), varying.end());
  if (std::adjacent_find(varying.begin(), varying.end()) == varying.end())
    found.along = all_axes(rank) & ~found.constant;
  return found;
}

void find_distinct(Production& p) {
  const std::string_view name = p.node().op_type;
  for (const Row& row : kDistinctRows) {
    if (!name.empty() && name == (p.is_openvino() ? row.openvino : row.onnx)) return row.find(p);
  }
}

}  // namespace windrow::internal
