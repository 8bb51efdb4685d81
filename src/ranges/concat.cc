// The concatenation of tensors along an axis.

#include <optional>

#include "src/base/checked.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

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

}  // namespace windrow::internal
