#include "src/ranges/movement.h"

// Operators that move elements or change a tensor's shape. The file is longer than 300 lines
// because it has many producers of a few lines each.

#include <algorithm>
#include <optional>
#include <utility>

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

// The axis of `to` each of whose positions holds the elements of the same position on `axis` of
// `from`; nothing if there is none.
std::optional<std::size_t> kept_axis(const std::vector<Dim>& from, std::size_t axis,
                                     const std::vector<Dim>& to) {
  const auto inner = count_of(from, axis + 1, from.size());
  const auto outer = count_of(from, 0, axis);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!to[i].is_known() || to[i].value != from[axis].value) continue;
    const bool same_inner = inner && *inner > 0 && inner == count_of(to, i + 1, to.size());
    const bool same_outer = outer && *outer > 0 && outer == count_of(to, 0, i);
    if (same_inner || same_outer) return i;
  }
  return std::nullopt;
}

}  // namespace

ValueFact moved(const ValueFact& from) {
  ValueFact to;
  to.dtype = from.dtype;
  to.source_input = from.source_input;
  return to;
}

void give_moved(Production& p, SymbolicShape dims, ValueRange range, std::size_t output) {
  ValueFact result = moved(p.given(0));
  result.dims = std::move(dims);
  result.range = std::move(range);
  p.output(output) = std::move(result);
}

void give_some(Production& p, SymbolicShape dims) {
  give_moved(p, std::move(dims), collapsed(p.input(0).range, p.extents()));
}

SymbolicShape of_same_rank(const SymbolicShape& dims) {
  return dims ? SymbolicShape(std::vector<Dim>(dims->size())) : std::nullopt;
}

ValueRange reshaped_range(const ValueFact& from, const SymbolicShape& to, const Extents& extents) {
  const ValueRange& range = from.range;
  if (range.grain == Grain::kTensor) return range;
  if (range.grain == Grain::kElement) {
    const bool fits = known_count(to) == static_cast<std::int64_t>(interval_count(range));
    return fits ? range : collapsed(range, extents);
  }
  const auto axis = to && from.dims
                        ? kept_axis(*from.dims, static_cast<std::size_t>(range.axis), *to)
                        : std::nullopt;
  if (!axis) return collapsed(range, extents);
  ValueRange kept = range;
  kept.axis = static_cast<int>(*axis);
  return kept;
}

ValueRange mixed_along(const ValueFact& from, std::optional<std::size_t> axis,
                       const Extents& extents) {
  const bool is_kept =
      axis && from.range.grain == Grain::kAxis && static_cast<std::size_t>(from.range.axis) != axis;
  return is_kept ? from.range : collapsed(from.range, extents);
}

ValueRange selected(const ValueFact& from, std::size_t axis, const std::vector<std::size_t>& chosen,
                    const Extents& extents) {
  const ValueRange& range = from.range;
  if (range.grain == Grain::kTensor) return range;
  if (range.grain == Grain::kAxis) {
    if (static_cast<std::size_t>(range.axis) != axis) return range;
    if (chosen.empty() || chosen.size() > kMostIntervals) return collapsed(range, extents);
  }
  const bool by_element = range.grain == Grain::kElement;
  const std::size_t rank = from.dims->size();
  const auto outer = static_cast<std::size_t>(by_element ? *count_of(*from.dims, 0, axis) : 1);
  const auto inner =
      static_cast<std::size_t>(by_element ? *count_of(*from.dims, axis + 1, rank) : 1);
  const auto extent = static_cast<std::size_t>((*from.dims)[axis].value);
  if (outer * chosen.size() * inner > kMostIntervals || chosen.empty())
    return collapsed(range, extents);
  ValueRange result;
  result.grain = range.grain;
  result.axis = range.axis;
  for (std::size_t o = 0; o < outer; ++o) {
    for (const std::size_t position : chosen) {
      for (std::size_t i = 0; i < inner; ++i)
        append_interval(range, (o * extent + position) * inner + i, result);
    }
  }
  return result;
}

namespace {

// The shape that Reshape asks for: 0 keeps an extent, and -1 stands for the remaining extent.
SymbolicShape reshaped_dims(Production& p, const ValueFact& data, bool zero_keeps) {
  SymbolicShape dims = p.dims_in(1);
  if (!dims) return std::nullopt;
  const std::vector<Interval> elements = *p.elements_in(1);
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    Dim& dim = (*dims)[i];
    // An unknown number may be 0 or -1.
    const Interval& asked = elements[i];
    if (asked.low > 0) continue;
    if (is_single(asked) && asked.low == 0 && zero_keeps) {
      dim = data.dims && i < data.dims->size() ? (*data.dims)[i] : Dim();
    } else if (is_single(asked) && asked.low == -1) {
      dim = Dim();
      open = i;
    } else if (asked.low < 0 || zero_keeps) {
      // An extent of 0 would mean that the data's extent is kept: either that fits, or Reshape
      // fails.
      const bool same = is_exact(asked) && !is_single(asked) && data.dims &&
                        i < data.dims->size() && (*data.dims)[i].symbol == dim.symbol;
      if (!same) dim = Dim();
    }
  }
  if (open) {
    std::vector<Dim> others = *dims;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(*open));
    (*dims)[*open] = quotient(data.dims, others);
    const bool is_flat = others.empty() && data.dims && data.dims->size() == 2;
    if (is_flat && (*dims)[*open] == Dim())
      (*dims)[*open] = p.product_dim(*open, data.dims->front(), data.dims->back());
  }
  return dims;
}

void reshape_to(Production& p, SymbolicShape dims) {
  ValueRange range = reshaped_range(p.input(0), dims, p.extents());
  give_moved(p, std::move(dims), std::move(range));
}

void reshape(Production& p) {
  const bool zero_keeps =
      p.is_openvino() ? p.flag("special_zero", false) : p.attribute("allowzero", 0) == 0;
  reshape_to(p, reshaped_dims(p, p.input(0), zero_keeps));
}

void flatten(Production& p) {
  const ValueFact& data = p.given(0);
  const std::int64_t axis = p.attribute("axis", 1);
  std::vector<Dim> dims(2);
  const std::size_t rank = data.dims ? data.dims->size() : 0;
  // The axis may be equal to the rank.
  const auto at = axis == static_cast<std::int64_t>(rank) ? rank : place_of_axis(axis, rank);
  if (data.dims && at) {
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = half == 0 ? 0 : *at;
      const std::size_t last = half == 0 ? *at : rank;
      if (const auto count = count_of(*data.dims, first, last)) dims[half] = Dim{*count, {}};
      if (last - first == 1) dims[half] = (*data.dims)[first];
      if (last - first == 2 && !dims[half].is_known())
        dims[half] = p.product_dim(half, (*data.dims)[first], (*data.dims)[first + 1]);
    }
  }
  reshape_to(p, dims);
}

// In OpenVINO an axis whose extent is not 1 stays though it is listed; in ONNX that is an error.
void squeeze(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  const auto axes = p.list("axes", 1);
  SymbolicShape dims;
  if (from && p.has_list("axes", 1) && axes) {
    std::vector<bool> is_gone(from->size());
    bool is_legal = true;
    for (const std::int64_t axis : *axes) {
      const auto place = place_of_axis(axis, from->size());
      is_legal = is_legal && place;
      if (place) is_gone[*place] = true;
    }
    if (is_legal) dims.emplace();
    for (std::size_t i = 0; dims && i < from->size(); ++i) {
      const Dim& dim = (*from)[i];
      const bool may_stay = p.is_openvino() && dim.value != 1;
      if (!is_gone[i] || (may_stay && dim.is_known())) {
        dims->push_back(dim);
      } else if (may_stay) {
        dims.reset();
      }
    }
  } else if (from && !p.has_list("axes", 1)) {
    // An unknown extent may be 1.
    dims.emplace();
    for (const Dim& dim : *from) {
      if (!dim.is_known() && dims) dims.reset();
      if (dims && dim.value != 1) dims->push_back(dim);
    }
  }
  reshape_to(p, std::move(dims));
}

// The axes of a list, counted from the front; empty if one is out of range or repeated.
std::vector<std::size_t> axes_of(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<std::size_t> places;
  for (const std::int64_t axis : axes) {
    const auto place = place_of_axis(axis, rank);
    if (!place || std::find(places.begin(), places.end(), *place) != places.end()) return {};
    places.push_back(*place);
  }
  return places;
}

void unsqueeze(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  const auto axes = p.list("axes", 1);
  SymbolicShape dims;
  if (from && axes && axes->size() <= kMaxRank) {
    const std::vector<std::size_t> added = axes_of(*axes, from->size() + axes->size());
    if (added.size() == axes->size()) dims.emplace();
    std::size_t next = 0;
    while (dims && dims->size() < from->size() + axes->size()) {
      const bool is_new = std::find(added.begin(), added.end(), dims->size()) != added.end();
      dims->push_back(is_new ? Dim{1, {}} : (*from)[next++]);
    }
  }
  reshape_to(p, std::move(dims));
}

void transpose_by(Production& p, const std::optional<std::vector<std::int64_t>>& order) {
  const ValueFact& data = p.input(0);
  const std::size_t rank = data.dims ? data.dims->size() : 0;
  std::vector<std::size_t> from;
  if (data.dims && order && order->size() == rank) from = axes_of(*order, rank);
  if (from.size() != rank || !data.dims) return give_some(p, of_same_rank(data.dims));
  std::vector<Dim> dims;
  for (const std::size_t axis : from) dims.push_back((*data.dims)[axis]);
  ValueRange range = data.range;
  if (data.range.grain == Grain::kAxis) {
    const auto to = std::find(from.begin(), from.end(), static_cast<std::size_t>(data.range.axis));
    range.axis = static_cast<int>(to - from.begin());
  } else if (data.range.grain == Grain::kElement) {
    range.integers.clear();
    range.floats.clear();
    std::vector<std::size_t> strides(rank, 1);
    for (std::size_t i = rank; i-- > 1;)
      strides[i - 1] = strides[i] * static_cast<std::size_t>((*data.dims)[i].value);
    const auto place = [&](std::size_t element) {
      std::size_t found = 0;
      for (std::size_t i = rank; i-- > 0;) {
        const auto extent = static_cast<std::size_t>(dims[i].value);
        found += element % extent * strides[from[i]];
        element /= extent;
      }
      return found;
    };
    for (std::size_t i = 0; i < interval_count(data.range); ++i)
      append_interval(data.range, place(i), range);
  }
  give_moved(p, std::move(dims), std::move(range));
}

std::optional<std::vector<std::int64_t>> reversed_axes(const SymbolicShape& dims) {
  if (!dims) return std::nullopt;
  std::vector<std::int64_t> axes;
  for (std::size_t i = dims->size(); i-- > 0;) axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

void transpose(Production& p) {
  transpose_by(p, p.has_attribute("perm") ? p.list("perm") : reversed_axes(p.given(0).dims));
}
void transpose_openvino(Production& p) {
  const auto order = p.has(1) ? known_integers(p.parameter(1)) : std::nullopt;
  const bool is_empty_list = order && order->empty();
  transpose_by(p, is_empty_list ? reversed_axes(p.given(0).dims) : order);
}

// Elements that are repeated by broadcasting.
void broadcast_to(Production& p, SymbolicShape dims) {
  const ValueFact& data = p.input(0);
  const bool fits = dims && data.dims && data.dims->size() <= dims->size();
  if (!fits) return give_some(p, std::move(dims));
  const Broadcast all(data, dims, p.extents());
  ValueRange range = all.result();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!data.range.integers.empty()) range.integers.push_back(all.integer(0, i));
    if (!data.range.floats.empty()) range.floats.push_back(all.real(0, i));
  }
  give_moved(p, std::move(dims), std::move(range));
}

void expand(Production& p) {
  const SymbolicShape wanted = p.dims_in(1);
  broadcast_to(p, p.broadcast_shape({&p.given(0).dims, &wanted}));
}

void broadcast_openvino(Production& p) {
  const std::string mode = p.text("mode", "numpy");
  if (mode == "bidirectional") return expand(p);
  if (mode == "numpy") return broadcast_to(p, p.dims_in(1));
  give_some(p, p.dims_in(1));
}

void tile(Production& p) {
  const ValueFact& data = p.input(0);
  const auto repeats = p.has(1) ? known_integers(p.parameter(1)) : std::nullopt;
  if (!data.dims || !repeats || repeats->size() != data.dims->size()) return give_some(p, {});
  ValueFact step = data;
  for (std::size_t axis = 0; axis < repeats->size(); ++axis) {
    const std::int64_t times = (*repeats)[axis];
    Dim& dim = (*step.dims)[axis];
    if (times == 1) continue;
    const bool is_small = dim.is_known() && times > 1 && dim.value > 0 &&
                          dim.value <= static_cast<std::int64_t>(kMostIntervals) / times;
    if (is_small) {
      std::vector<std::size_t> chosen;
      for (std::int64_t i = 0; i < dim.value * times; ++i)
        chosen.push_back(static_cast<std::size_t>(i % dim.value));
      step.range = selected(step, axis, chosen, p.extents());
      dim = Dim{dim.value * times, {}};
    } else {
      step.range = mixed_along(step, axis, p.extents());
      dim = times < 0 ? Dim() : product(dim, times);
    }
  }
  give_moved(p, std::move(step.dims), std::move(step.range));
}

constexpr ProducerRow kMovements[] = {
    {{"Reshape", 5}, {"Reshape"}, reshape},
    {{"Flatten"}, {}, flatten},
    {{"Squeeze"}, {"Squeeze"}, squeeze},
    {{"Unsqueeze"}, {"Unsqueeze"}, unsqueeze},
    {{"Transpose"}, {}, transpose},
    {{}, {"Transpose"}, transpose_openvino},
    {{"Expand", 8}, {}, expand},
    {{}, {"Broadcast"}, broadcast_openvino},
    {{"Tile", 6}, {"Tile"}, tile},
};

}  // namespace

std::span<const ProducerRow> movement_producers() { return kMovements; }

}  // namespace windrow::internal
