#include <optional>
#include <utility>

#include "src/base/integers.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

// The concatenation of tensors along an axis.
namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

class Joining {
 public:
  Joining(Production& p, std::size_t axis) : p_(p), axis_(axis) {}

  void join_inputs() {
    ValueFact result = moved(p_.input(0));
    result.dims = p_.given(0).dims;
    bool same_type = true;
    for (std::size_t i = 1; i < p_.input_count(); ++i) {
      const ValueFact& part = p_.input(i);
      if (part.source_input != result.source_input) result.source_input.clear();
      same_type = same_type && part.dtype == result.dtype;
      add_dims(part.dims, result.dims);
    }
    // Types without order have no intervals.
    const bool has_intervals = interval_count(p_.input(0).range) > 0;
    if (same_type && has_intervals) result.range = range(result);
    p_.output() = std::move(result);
  }

 private:
  void add_dims(const SymbolicShape& part, SymbolicShape& dims) const {
    if (!dims && part) dims.emplace(part->size());
    if (!part || part->size() != dims->size()) {
      if (dims) (*dims)[axis_] = Dim();
      return;
    }
    for (std::size_t i = 0; i < dims->size(); ++i) {
      Dim& dim = (*dims)[i];
      const Dim& other = (*part)[i];
      if (i != axis_) {
        if (!dim.is_known() && (other.is_known() || dim == Dim())) dim = other;
        continue;
      }
      const auto both =
          dim.is_known() && other.is_known() ? checked_add(dim.value, other.value) : std::nullopt;
      if (dim.value == 0) {
        dim = other;
      } else if (other.value != 0) {
        Dim sum;
        sum.low =
            saturating_add(p_.extents().extent_of(dim).low, p_.extents().extent_of(other).low);
        dim = both ? Dim{*both, {}} : sum;
      }
    }
  }

  ValueRange range(const ValueFact& result) {
    const auto count = known_count(result.dims);
    const auto most = static_cast<std::int64_t>(kMostIntervals);
    const auto extent = result.dims ? known_extent(result.dims, axis_) : std::nullopt;
    bool has_positions = extent && *extent > 0 && *extent <= most;
    bool has_elements = count && *count > 0 && *count <= most;
    for (std::size_t i = 0; i < p_.input_count(); ++i) {
      const SymbolicShape& part = p_.given(i).dims;
      has_elements = has_elements && known_count(part);
      has_positions =
          has_positions && part && part->size() == result.dims->size() && known_extent(part, axis_);
    }
    if (has_positions && has_elements) return by_element(result);
    return has_positions ? by_position() : as_one();
  }

  // One interval for all elements, or intervals per position on another axis if all inputs have
  // them.
  ValueRange as_one() const {
    ValueFact all;
    bool is_first = true;
    for (std::size_t i = 0; i < p_.input_count(); ++i) {
      ValueFact part = p_.input(i);
      if (known_count(part.dims) == 0) continue;
      part.range = mixed_along(part, axis_, p_.extents());
      if (!is_first && (part.range.grain != all.range.grain || part.range.axis != all.range.axis)) {
        part.range = collapsed(part.range, p_.extents());
        all.range = collapsed(all.range, p_.extents());
      }
      part.dims.reset();
      all.range = is_first ? part.range : internal::join(all, part, p_.extents());
      is_first = false;
    }
    return all.range;
  }

  ValueRange by_position() const {
    ValueRange joined;
    for (std::size_t i = 0; i < p_.input_count(); ++i) {
      const ValueFact& part = p_.input(i);
      if (*known_extent(part.dims, axis_) == 0) continue;
      const ValueRange range = on_axis(part.range, part.dims, axis_, p_.extents());
      joined.integers.insert(joined.integers.end(), range.integers.begin(), range.integers.end());
      joined.floats.insert(joined.floats.end(), range.floats.begin(), range.floats.end());
    }
    joined.grain = Grain::kAxis;
    joined.axis = static_cast<int>(axis_);
    return joined;
  }

  ValueRange by_element(const ValueFact& result) const {
    const auto outer = static_cast<std::size_t>(*count_of(*result.dims, 0, axis_));
    ValueRange joined;
    joined.grain = Grain::kElement;
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < p_.input_count(); ++i) {
        const ValueFact& part = p_.input(i);
        const auto count = static_cast<std::size_t>(known_count(part.dims).value_or(0));
        for (std::size_t k = o * (count / outer); k < (o + 1) * (count / outer); ++k)
          append_interval(part.range, interval_of_element(part, k), joined);
      }
    }
    return joined;
  }

  Production& p_;
  std::size_t axis_;
};

}  // namespace

void concat(Production& p) {
  std::optional<std::size_t> rank;
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    const SymbolicShape& dims = p.given(i).dims;
    if (!dims) continue;
    if (rank && *rank != dims->size()) return;
    rank = dims->size();
  }
  const auto axis = place_of_axis(p.attribute("axis", 1), rank.value_or(0));
  if (axis) Joining(p, *axis).join_inputs();
}

// Operators that choose, reorder or fill in elements, where it is not known which.

namespace {

// Makes zeros possible elements of an output, besides those that it has.
void add_zeros(Production& p) {
  add_zero(p.output().range, p.extents());
  p.output().source_input.clear();
}

// The slices along an axis that a condition chooses; without an axis, the elements.
void compress(Production& p) {
  if (!p.has_attribute("axis")) return give_some(p, std::vector<Dim>(1));
  SymbolicShape dims = p.given(0).dims;
  const auto axis = place_of_axis(p.attribute("axis", 0), dims);
  if (!axis) return give_some(p, {});
  Dim& dim = (*dims)[*axis];
  dim = p.new_dim(0, *axis, 0, p.extents().extent_of(dim).high);
  give_moved(p, std::move(dims), mixed_along(p.input(0), axis, p.extents()));
}

void reverse(Production& p) { give_some(p, p.given(0).dims); }

void triangle(Production& p) {
  reverse(p);
  add_zeros(p);
}

// Blocks of positions become channels (`kToDepth`), or the other way round.
template <bool kToDepth>
void exchange_space_and_depth(Production& p) {
  const std::int64_t block = p.attribute(p.is_openvino() ? "block_size" : "blocksize", 0);
  const SymbolicShape& from = p.given(0).dims;
  SymbolicShape dims = of_same_rank(from);
  const auto area = checked_mul(block, block);
  const auto smaller = [](const Dim& dim, std::int64_t factor) {
    if (factor == 1) return dim;
    return dim.is_known() && dim.value % factor == 0 ? Dim{dim.value / factor, {}} : Dim();
  };
  if (from && from->size() == 4 && block > 0 && area) {
    dims->front() = from->front();
    (*dims)[1] = kToDepth ? product((*from)[1], *area) : smaller((*from)[1], *area);
    for (const std::size_t axis : {2U, 3U})
      (*dims)[axis] = kToDepth ? smaller((*from)[axis], block) : product((*from)[axis], block);
  }
  give_some(p, std::move(dims));
}

// The extents of the data with what ONNX's Pad adds at both ends, by a list for all axes or for
// those of an input.
SymbolicShape padded_dims(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  SymbolicShape dims = of_same_rank(from);
  const auto pads = p.list("pads", 1);
  const auto listed = p.has(3) ? known_integers(p.parameter(3)) : std::nullopt;
  const std::size_t count = listed ? listed->size() : dims ? dims->size() : 0;
  if (p.is_openvino() || !dims || !pads || pads->size() != 2 * count || (p.has(3) && !listed))
    return dims;
  if (listed) dims = from;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = place_of_axis(listed ? (*listed)[i] : static_cast<std::int64_t>(i), dims);
    if (!axis) return of_same_rank(from);
    const Dim& dim = (*from)[*axis];
    const auto added = checked_add((*pads)[i], (*pads)[i + count]);
    const auto sum = added && dim.is_known() ? checked_add(dim.value, *added) : std::nullopt;
    (*dims)[*axis] = added == 0 ? dim : sum && *sum >= 0 ? Dim{*sum, {}} : Dim();
  }
  return dims;
}

// Elements of the data, and in the mode "constant" the value of an input or attribute.
void pad(Production& p) {
  const std::size_t value = p.is_openvino() ? 3 : 2;
  const std::string mode = p.text(p.is_openvino() ? "pad_mode" : "mode", "constant");
  give_some(p, padded_dims(p));
  if (mode != "constant") return;
  ValueFact& result = p.output();
  if (p.has(value)) {
    const ValueFact& filling = p.input(value);
    const bool is_same = filling.dtype == result.dtype;
    result.source_input.clear();
    result.range = is_same ? join(result, filling, p.extents()) : ValueRange();
  } else if (!p.has_attribute("value") || p.number("value") == 0) {
    add_zeros(p);
  } else {
    result.range = ValueRange();
    result.source_input.clear();
  }
}

// 1 on a diagonal, 0 elsewhere.
void eye_like(Production& p) {
  ValueFact& result = p.output();
  if (!p.has_attribute("dtype")) result.dtype = p.given(0).dtype;
  result.dims = p.given(0).dims;
  if (is_integer(result.dtype)) result.range = tensor_range(Interval{0, 1});
}

constexpr ProducerRow kSelections[] = {
    {{"Compress", 9}, {}, compress},
    {{"Trilu", 14}, {}, triangle},
    {{}, {"Reverse"}, reverse},
    {{"ReverseSequence", 10}, {"ReverseSequence"}, reverse},
    {{"DepthToSpace"}, {"DepthToSpace"}, exchange_space_and_depth<false>},
    {{"SpaceToDepth"}, {"SpaceToDepth"}, exchange_space_and_depth<true>},
    {{"Pad", 2}, {"Pad"}, pad},
    {{"EyeLike", 9}, {}, eye_like},
};

}  // namespace

std::span<const ProducerRow> selection_producers() { return kSelections; }

}  // namespace windrow::internal
