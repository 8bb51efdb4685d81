#include "src/ranges/movement.h"

// Operators that move elements or give a tensor another shape. One file, long as it is: a producer
// is a few lines.

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

// The number of elements of axes [first, last), if it is known and fits.
std::optional<std::int64_t> count_of(const std::vector<Dim>& dims, std::size_t first,
                                     std::size_t last) {
  const auto from = dims.begin() + static_cast<std::ptrdiff_t>(first);
  const auto to = dims.begin() + static_cast<std::ptrdiff_t>(last);
  return known_count(std::vector<Dim>(from, to));
}

// The axis of `to` whose positions hold the elements of those on an axis of `from`.
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

ValueRange reshaped_range(const ValueFact& from, const SymbolicShape& to, const Extents& extents) {
  const ValueRange& range = from.range;
  if (range.grain == Grain::kTensor) return range;
  if (range.grain == Grain::kElement) {
    const bool fits = known_count(to) == static_cast<std::int64_t>(
                                             std::max(range.integers.size(), range.floats.size()));
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

ValueRange mixed_along(const ValueFact& from, std::size_t axis, const Extents& extents) {
  const bool is_kept =
      from.range.grain == Grain::kAxis && static_cast<std::size_t>(from.range.axis) != axis;
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
  const std::vector<std::int64_t> before =
      *known_extents(range.grain == Grain::kAxis ? SymbolicShape({(*from.dims)[axis]}) : from.dims);
  const std::size_t at = range.grain == Grain::kAxis ? 0 : axis;
  const auto count_of = [&](std::size_t first, std::size_t last) {
    return std::accumulate(
        before.begin() + static_cast<std::ptrdiff_t>(first),
        before.begin() + static_cast<std::ptrdiff_t>(last), std::size_t{1},
        [](std::size_t a, std::int64_t b) { return a * static_cast<std::size_t>(b); });
  };
  const std::size_t outer = count_of(0, at);
  const std::size_t inner = count_of(at + 1, before.size());
  const auto extent = static_cast<std::size_t>(before[at]);
  if (outer * chosen.size() * inner > kMostIntervals || chosen.empty())
    return collapsed(range, extents);
  ValueRange result;
  result.grain = range.grain;
  result.axis = range.axis;
  for (std::size_t o = 0; o < outer; ++o) {
    for (const std::size_t position : chosen) {
      for (std::size_t i = 0; i < inner; ++i) {
        const std::size_t place = (o * extent + position) * inner + i;
        if (!range.integers.empty()) result.integers.push_back(range.integers[place]);
        if (!range.floats.empty()) result.floats.push_back(range.floats[place]);
      }
    }
  }
  return result;
}

namespace {

// Reshape's 0 keeps an extent, and -1 is what is left.
SymbolicShape reshaped_dims(Production& p, const ValueFact& data, bool zero_keeps) {
  SymbolicShape dims = p.dims_in(1);
  if (!dims) return std::nullopt;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    Dim& dim = (*dims)[i];
    // A number that is not known may be 0 or -1.
    const Interval asked =
        p.parameter(1).range.integers.empty()
            ? Interval()
            : on_axis(p.parameter(1).range, p.parameter(1).dims, 0, p.extents()).integers[i];
    if (asked.low > 0) continue;
    if (is_single(asked) && asked.low == 0 && zero_keeps) {
      dim = data.dims && i < data.dims->size() ? (*data.dims)[i] : Dim();
    } else if (is_single(asked) && asked.low == -1) {
      dim = Dim();
      open = i;
    } else if (asked.low < 0 || zero_keeps) {
      // An extent of 0 would be taken for "keep": the result is refused or has the data's extent.
      const bool same = is_exact(asked) && !is_single(asked) && data.dims &&
                        i < data.dims->size() && (*data.dims)[i].symbol == dim.symbol;
      if (!same) dim = Dim();
    }
  }
  if (open) {
    std::vector<Dim> others = *dims;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(*open));
    (*dims)[*open] = quotient(data.dims, others);
  }
  return dims;
}

void reshape_to(Production& p, SymbolicShape dims) {
  const ValueFact& data = p.input(0);
  ValueFact result = moved(data);
  result.dims = std::move(dims);
  result.range = reshaped_range(data, result.dims, p.extents());
  p.output() = std::move(result);
}

void reshape(Production& p) {
  reshape_to(p, reshaped_dims(p, p.input(0), p.attribute("allowzero", 0) == 0));
}
void reshape_openvino(Production& p) {
  reshape_to(p, reshaped_dims(p, p.input(0), p.flag("special_zero", false)));
}

void flatten(Production& p) {
  const ValueFact& data = p.given(0);
  const std::int64_t axis = p.attribute("axis", 1);
  std::vector<Dim> dims(2);
  if (data.dims && axis >= -static_cast<std::int64_t>(data.dims->size()) &&
      axis <= static_cast<std::int64_t>(data.dims->size())) {
    const auto rank = data.dims->size();
    const auto at =
        static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = half == 0 ? 0 : at;
      const std::size_t last = half == 0 ? at : rank;
      if (const auto count = count_of(*data.dims, first, last)) dims[half] = Dim{*count, {}};
      if (last - first == 1) dims[half] = (*data.dims)[first];
    }
  }
  reshape_to(p, dims);
}

// keeps_others: an axis whose extent is not 1 stays, though it is asked to go, as in OpenVINO; else
// that is an error.
void squeeze_axes(Production& p, bool keeps_others) {
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
      const bool may_stay = keeps_others && dim.value != 1;
      if (!is_gone[i] || (may_stay && dim.is_known())) {
        dims->push_back(dim);
      } else if (may_stay) {
        dims.reset();
      }
    }
  } else if (from && !p.has_list("axes", 1)) {
    // An extent that is not known may be 1.
    dims.emplace();
    for (const Dim& dim : *from) {
      if (!dim.is_known() && dims) dims.reset();
      if (dims && dim.value != 1) dims->push_back(dim);
    }
  }
  reshape_to(p, std::move(dims));
}

void squeeze(Production& p) { squeeze_axes(p, false); }
void squeeze_openvino(Production& p) { squeeze_axes(p, true); }

void unsqueeze(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  const auto axes = p.list("axes", 1);
  SymbolicShape dims;
  if (from && axes && axes->size() <= kMaxRank) {
    std::vector<bool> is_new(from->size() + axes->size());
    bool is_legal = true;
    for (const std::int64_t axis : *axes) {
      const auto place = place_of_axis(axis, is_new.size());
      is_legal = is_legal && place && !is_new[*place];
      if (place) is_new[*place] = true;
    }
    if (is_legal) dims.emplace();
    std::size_t next = 0;
    for (std::size_t i = 0; dims && i < is_new.size(); ++i)
      dims->push_back(is_new[i] ? Dim{1, {}} : (*from)[next++]);
  }
  reshape_to(p, std::move(dims));
}

void transpose_by(Production& p, const std::optional<std::vector<std::int64_t>>& order) {
  const ValueFact& data = p.input(0);
  ValueFact result = moved(data);
  const std::size_t rank = data.dims ? data.dims->size() : 0;
  std::vector<std::size_t> from(rank);
  bool is_legal = data.dims && order && order->size() == rank;
  std::vector<bool> is_used(rank);
  for (std::size_t i = 0; is_legal && i < rank; ++i) {
    const auto place = place_of_axis((*order)[i], rank);
    is_legal = place && !is_used[*place];
    if (!is_legal) break;
    from[i] = *place;
    is_used[*place] = true;
  }
  if (!is_legal) {
    result.range = collapsed(data.range, p.extents());
    if (data.dims) result.dims = std::vector<Dim>(rank);
    p.output() = std::move(result);
    return;
  }
  result.dims.emplace();
  for (const std::size_t axis : from) result.dims->push_back((*data.dims)[axis]);
  result.range = data.range;
  if (data.range.grain == Grain::kAxis) {
    const auto to = std::find(from.begin(), from.end(), static_cast<std::size_t>(data.range.axis));
    result.range.axis = static_cast<int>(to - from.begin());
  } else if (data.range.grain == Grain::kElement) {
    const std::vector<std::int64_t> extents = *known_extents(result.dims);
    std::vector<std::size_t> strides(rank, 1);
    for (std::size_t i = rank; i-- > 1;)
      strides[i - 1] = strides[i] * static_cast<std::size_t>((*data.dims)[i].value);
    const auto place = [&](std::size_t element) {
      std::size_t found = 0;
      for (std::size_t i = rank; i-- > 0;) {
        const auto extent = static_cast<std::size_t>(extents[i]);
        found += element % extent * strides[from[i]];
        element /= extent;
      }
      return found;
    };
    for (std::size_t i = 0; i < data.range.integers.size(); ++i)
      result.range.integers[i] = data.range.integers[place(i)];
    for (std::size_t i = 0; i < data.range.floats.size(); ++i)
      result.range.floats[i] = data.range.floats[place(i)];
  }
  p.output() = std::move(result);
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
  ValueFact result = moved(data);
  result.dims = std::move(dims);
  const ValueFact* const facts[] = {&data};
  const bool fits = result.dims && data.dims && data.dims->size() <= result.dims->size();
  if (fits) {
    const Broadcast all(facts, result.dims, p.extents());
    result.range = all.result();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!data.range.integers.empty()) result.range.integers.push_back(all.integer(0, i));
      if (!data.range.floats.empty()) result.range.floats.push_back(all.real(0, i));
    }
  } else {
    result.range = collapsed(data.range, p.extents());
  }
  p.output() = std::move(result);
}

void expand(Production& p) {
  const SymbolicShape wanted = p.dims_in(1);
  const SymbolicShape* const shapes[] = {&p.given(0).dims, &wanted};
  broadcast_to(p, broadcast(shapes));
}

void broadcast_openvino(Production& p) {
  const std::string mode = p.text("mode", "numpy");
  if (mode == "bidirectional") return expand(p);
  if (mode == "numpy") return broadcast_to(p, p.dims_in(1));
  p.output() = moved(p.input(0));
  p.output().dims = p.dims_in(1);
  p.output().range = collapsed(p.input(0).range, p.extents());
}

void tile(Production& p) {
  const ValueFact& data = p.input(0);
  ValueFact result = moved(data);
  const auto repeats = p.has(1) ? known_integers(p.parameter(1)) : std::nullopt;
  if (!data.dims || !repeats || repeats->size() != data.dims->size()) {
    result.range = collapsed(data.range, p.extents());
    p.output() = std::move(result);
    return;
  }
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
  result.dims = std::move(step.dims);
  result.range = std::move(step.range);
  p.output() = std::move(result);
}

constexpr ProducerRow kRows[] = {
    {"onnx", "Reshape", 5, reshape},
    {"onnx", "Flatten", 1, flatten},
    {"onnx", "Squeeze", 1, squeeze},
    {"onnx", "Unsqueeze", 1, unsqueeze},
    {"onnx", "Transpose", 1, transpose},
    {"onnx", "Expand", 8, expand},
    {"onnx", "Tile", 6, tile},
    {"openvino", "Reshape", 1, reshape_openvino},
    {"openvino", "Squeeze", 1, squeeze_openvino},
    {"openvino", "Unsqueeze", 1, unsqueeze},
    {"openvino", "Transpose", 1, transpose_openvino},
    {"openvino", "Broadcast", 1, broadcast_openvino},
    {"openvino", "Tile", 1, tile},
};

}  // namespace

std::span<const ProducerRow> movement_producers() { return kRows; }

}  // namespace windrow::internal
