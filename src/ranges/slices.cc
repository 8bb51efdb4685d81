// Operators that take parts of a tensor along its axes.

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "src/base/integers.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kLargestInt32 = std::numeric_limits<std::int32_t>::max();

// The slice of one axis; unknown numbers are absent.
struct AxisSlice {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  std::optional<std::int64_t> step = 1;
};

// The positions of an axis in a slice.
struct Taken {
  std::int64_t start;
  std::int64_t step;
  std::int64_t count;
};

// Nothing if a number is not known, or if runtimes differ: for negative steps, if the start lies
// before the axis or the end is the largest number.
std::optional<Taken> taken(const AxisSlice& slice, std::int64_t extent) {
  if (!slice.start || !slice.end || !slice.step) return std::nullopt;
  const std::int64_t step = *slice.step;
  if (step == 0 || step == Interval::kLowest) return std::nullopt;
  const auto wrapped = [extent](std::int64_t place) {
    return place < 0 ? saturating_add(place, extent) : place;
  };
  const bool differ = wrapped(*slice.start) < 0 || *slice.end >= kLargestInt32;
  if (step < 0 && differ) return std::nullopt;
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = step > 0 ? extent : extent - 1;
  const std::int64_t start = std::clamp(wrapped(*slice.start), least, most);
  const std::int64_t end = std::clamp(wrapped(*slice.end), least, most);
  const std::int64_t distance = step > 0 ? end - start : start - end;
  return Taken{start, step, distance <= 0 ? 0 : (distance - 1) / std::abs(step) + 1};
}

// The positions themselves, if they are few.
std::optional<std::vector<std::size_t>> positions(const AxisSlice& slice, std::int64_t extent) {
  const std::optional<Taken> all = taken(slice, extent);
  if (!all || all->count > static_cast<std::int64_t>(kMostIntervals)) return std::nullopt;
  std::vector<std::size_t> chosen;
  for (std::int64_t i = 0; i < all->count; ++i)
    chosen.push_back(static_cast<std::size_t>(all->start + i * all->step));
  return chosen;
}

// Whether the slice is the whole axis, in order or reversed, whatever its extent is.
bool is_whole(const AxisSlice& slice) {
  if (!slice.start || !slice.end) return false;
  const std::int64_t start = *slice.start;
  const std::int64_t end = *slice.end;
  const bool is_forward = slice.step == 1 && start == 0 && end >= Extents::kLargest;
  const bool starts_last = start == -1 || start >= Extents::kLargest;
  return is_forward || (slice.step == -1 && starts_last && end < -Extents::kLargest);
}

// The extent of a slice of an axis.
Dim sliced(Production& p, const Dim& dim, const AxisSlice& slice, std::size_t axis) {
  if (is_whole(slice)) return dim;
  const Interval extent = p.extents().extent_of(dim);
  if (dim.is_known()) {
    if (const auto left = taken(slice, dim.value)) return {left->count, {}};
  }
  std::int64_t most = extent.high;
  // A slice from the start of the axis has at most `end` positions, and one from -k at most k.
  if (slice.step == 1 && slice.start == 0 && slice.end && *slice.end >= 0)
    most = std::min(most, *slice.end);
  if (slice.step == 1 && slice.start && *slice.start < 0 && *slice.start > -Extents::kLargest)
    most = std::min(most, -*slice.start);
  return p.new_dim(0, axis, 0, most);
}

// `slices` has an element for each axis, which is absent if the slice is the whole axis.
void take(Production& p, const std::vector<std::optional<AxisSlice>>& slices) {
  const ValueFact& data = p.input(0);
  ValueFact step = data;
  for (std::size_t axis = 0; axis < slices.size(); ++axis) {
    if (!slices[axis]) continue;
    Dim& dim = (*step.dims)[axis];
    const auto chosen = dim.is_known() ? positions(*slices[axis], dim.value) : std::nullopt;
    step.range =
        chosen ? selected(step, axis, *chosen, p.extents()) : mixed_along(step, axis, p.extents());
    dim = sliced(p, dim, *slices[axis], axis);
  }
  give_moved(p, std::move(step.dims), std::move(step.range));
}

void take_some(Production& p) { give_some(p, of_same_rank(p.given(0).dims)); }

using Numbers = std::vector<std::optional<std::int64_t>>;

// The numbers of a list, as far as they are known; nothing if its length is not known.
std::optional<Numbers> numbers_of(Production& p, std::string_view name, std::size_t input) {
  if (p.has_attribute(name)) {
    const auto list = p.list(name);
    if (!list) return std::nullopt;
    return Numbers(list->begin(), list->end());
  }
  if (!p.has(input)) return std::nullopt;
  const auto elements = p.elements_in(input);
  if (!elements) return std::nullopt;
  Numbers numbers;
  for (const Interval& element : *elements)
    numbers.push_back(is_single(element) ? std::optional(element.low) : std::nullopt);
  return numbers;
}

// The positions of Slice's inputs in the dialect.
struct SliceInputs {
  std::size_t starts = 1;
  std::size_t ends = 2;
  std::size_t axes = 3;
  std::size_t steps = 4;
};

void slice_by(Production& p, const SliceInputs& inputs) {
  const ValueFact& data = p.given(0);
  const auto starts = numbers_of(p, "starts", inputs.starts);
  const auto ends = numbers_of(p, "ends", inputs.ends);
  const bool has_steps = p.has(inputs.steps);
  const auto steps = has_steps ? numbers_of(p, "steps", inputs.steps) : std::nullopt;
  const bool has_axes = p.has_list("axes", inputs.axes);
  const auto axes = has_axes ? p.list("axes", inputs.axes) : std::nullopt;
  const auto fits = [&starts](const auto& list) { return list && list->size() == starts->size(); };
  if (!data.dims || !starts || !fits(ends) || (has_axes && !fits(axes)) ||
      (has_steps && !fits(steps)))
    return take_some(p);
  std::vector<std::optional<AxisSlice>> slices(data.dims->size());
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis =
        place_of_axis(has_axes ? (*axes)[i] : static_cast<std::int64_t>(i), slices.size());
    if (!axis || slices[*axis]) return take_some(p);
    slices[*axis] = AxisSlice{(*starts)[i], (*ends)[i], has_steps ? (*steps)[i] : 1};
  }
  take(p, slices);
}

void slice(Production& p) { slice_by(p, {}); }
void slice_openvino(Production& p) { slice_by(p, {.starts = 1, .ends = 2, .axes = 4, .steps = 3}); }

// Handles StridedSlice without new axes and ellipses. An axis that is removed has one position.
void strided_slice(Production& p) {
  const ValueFact& data = p.given(0);
  const auto begins = numbers_of(p, "", 1);
  const auto ends = numbers_of(p, "", 2);
  const bool has_steps = p.has(3);
  const auto steps = has_steps ? numbers_of(p, "", 3) : std::nullopt;
  const auto mask = [&p](std::string_view name, std::size_t axis) {
    const auto bits = p.list(name);
    return bits && axis < bits->size() && (*bits)[axis] != 0;
  };
  const auto has_any = [&p](std::string_view name) {
    const auto bits = p.list(name);
    return p.has_attribute(name) &&
           (!bits || std::any_of(bits->begin(), bits->end(), [](auto bit) { return bit != 0; }));
  };
  const bool is_plain = data.dims && begins && ends && begins->size() == ends->size() &&
                        begins->size() <= data.dims->size() && !has_any("new_axis_mask") &&
                        !has_any("ellipsis_mask") &&
                        (!has_steps || (steps && steps->size() == begins->size()));
  if (!is_plain) return give_some(p, {});
  std::vector<std::optional<AxisSlice>> slices(data.dims->size());
  std::vector<std::size_t> shrunk;
  for (std::size_t i = 0; i < begins->size(); ++i) {
    AxisSlice& slice = slices[i].emplace();
    if (has_steps) slice.step = (*steps)[i];
    const bool is_backward = slice.step && *slice.step < 0;
    slice.start = (*begins)[i];
    slice.end = (*ends)[i];
    if (mask("begin_mask", i)) slice.start = is_backward ? Interval::kHighest : 0;
    if (mask("end_mask", i)) slice.end = is_backward ? Interval::kLowest : Interval::kHighest;
    if (!mask("shrink_axis_mask", i)) continue;
    shrunk.push_back(i);
    slice.step = 1;
    slice.start = (*begins)[i];
    slice.end = slice.start == -1 || !slice.start ? Interval::kHighest : *slice.start + 1;
    if (!slice.start) slice.end.reset();
  }
  take(p, slices);
  ValueFact& result = p.output();
  SymbolicShape dims = result.dims;
  for (std::size_t i = shrunk.size(); i-- > 0;)
    dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(shrunk[i]));
  ValueFact before = result;
  for (const std::size_t axis : shrunk) (*before.dims)[axis] = Dim{1, {}};
  result.range = reshaped_range(before, dims, p.extents());
  result.dims = std::move(dims);
}

// Splits the data along an axis into parts of these sizes.
void split_at(Production& p, std::optional<std::size_t> axis, const Numbers& sizes) {
  const ValueFact& data = p.input(0);
  std::optional<std::int64_t> first = 0;
  for (std::size_t part = 0; part < p.outputs().size(); ++part) {
    SymbolicShape dims = data.dims;
    const auto size = part < sizes.size() ? sizes[part] : std::nullopt;
    const auto end = first && size ? checked_add(*first, *size) : std::nullopt;
    std::optional<std::vector<std::size_t>> chosen;
    if (axis) {
      Dim& dim = (*dims)[*axis];
      if (dim.is_known() && end) chosen = positions({first, end, 1}, dim.value);
      dim = size && *size >= 0 ? Dim{*size, {}}
                               : p.new_dim(part, *axis, 0, p.extents().extent_of(dim).high);
    } else {
      dims = of_same_rank(dims);
    }
    give_moved(
        p, std::move(dims),
        chosen ? selected(data, *axis, *chosen, p.extents()) : mixed_along(data, axis, p.extents()),
        part);
    first = end;
  }
}

// The sizes of equal parts, of which the last ones may be smaller.
Numbers equal_parts(Production& p, std::optional<std::size_t> axis, std::int64_t parts) {
  const auto extent = axis ? known_extent(p.given(0).dims, *axis) : std::nullopt;
  if (!extent || parts <= 0) return {};
  const std::int64_t size = (*extent - 1) / parts + 1;
  Numbers sizes;
  std::int64_t left = *extent;
  for (std::size_t i = 0; i < p.outputs().size(); ++i) {
    sizes.emplace_back(std::clamp<std::int64_t>(left, 0, size));
    left -= size;
  }
  return sizes;
}

void split(Production& p) {
  const auto axis = place_of_axis(p.attribute("axis", 0), p.given(0).dims);
  if (p.has_list("split", 1)) {
    const auto sizes = numbers_of(p, "split", 1);
    return split_at(p, axis, sizes ? *sizes : Numbers());
  }
  const auto parts = static_cast<std::int64_t>(p.outputs().size());
  // What a node gives that has another number of outputs than it says is not defined.
  const bool is_legal = p.attribute("num_outputs", parts) == parts;
  split_at(p, axis, is_legal ? equal_parts(p, axis, parts) : Numbers());
}

void split_openvino(Production& p) {
  const auto axis = p.axis_in(1, p.given(0).dims);
  split_at(p, axis, equal_parts(p, axis, p.attribute("num_splits", 0)));
}

void variadic_split(Production& p) {
  const auto axis = p.axis_in(1, p.given(0).dims);
  auto sizes = numbers_of(p, "", 2).value_or(Numbers());
  const auto extent = axis ? known_extent(p.given(0).dims, *axis) : std::nullopt;
  std::int64_t rest = extent.value_or(0);
  std::size_t open = sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_open = !sizes[i] || *sizes[i] < 0 || *sizes[i] > rest;
    if (is_open && open != sizes.size()) return split_at(p, axis, {});
    if (is_open) open = i;
    if (!is_open) rest -= *sizes[i];
  }
  if (open < sizes.size()) sizes[open] = extent ? std::optional(rest) : std::nullopt;
  split_at(p, axis, extent ? sizes : Numbers());
}

constexpr ProducerRow kSlices[] = {
    {{"Slice"}, {}, slice},
    {{}, {"Slice", 8}, slice_openvino},
    {{}, {"StridedSlice"}, strided_slice},
    {{"Split"}, {}, split},
    {{}, {"Split"}, split_openvino},
    {{}, {"VariadicSplit"}, variadic_split},
    {{"Concat", 4}, {"Concat"}, concat},
};

}  // namespace

std::span<const ProducerRow> slice_producers() { return kSlices; }

}  // namespace windrow::internal
