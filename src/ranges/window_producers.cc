// ONNX's convolutions and pools: the type and the shape of their results.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/checked.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

// The batch axis and the axis of channels.
constexpr std::size_t kOuterAxes = 2;

// A window that slides along the axes behind the first two.
struct Window {
  enum class Padding : std::uint8_t { kGiven, kNone, kSame };
  Padding padding = Padding::kGiven;
  bool rounds_up = false;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  // at the beginnings, then at the ends

  std::size_t axes() const { return extents.size(); }
  // The number of positions that the window covers, and the padding of an axis; nothing if they do
  // not fit in int64.
  std::optional<std::int64_t> covered(std::size_t axis) const {
    const auto gaps = checked_mul(extents[axis] - 1, dilations[axis]);
    return gaps ? checked_add(*gaps, 1) : std::nullopt;
  }
  std::optional<std::int64_t> padded(std::size_t axis) const {
    return checked_add(pads[axis], pads[axis + axes()]);
  }
};

bool are_at_least(const std::vector<std::int64_t>& numbers, std::int64_t least) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [least](std::int64_t number) { return number >= least; });
}

// The window of these extents; nothing if the attributes are not legal, or if runtimes differ on
// them: on explicit padding beside another mode, and on dilations in the mode that keeps extents.
std::optional<Window> window_of(const Production& p, std::vector<std::int64_t> extents) {
  Window window;
  const std::size_t axes = extents.size();
  window.extents = std::move(extents);
  window.strides = p.list("strides").value_or(std::vector<std::int64_t>(axes, 1));
  window.dilations = p.list("dilations").value_or(std::vector<std::int64_t>(axes, 1));
  window.pads = p.list("pads").value_or(std::vector<std::int64_t>(2 * axes, 0));
  window.rounds_up = p.attribute("ceil_mode", 0) != 0;
  const bool fits = window.strides.size() == axes && window.dilations.size() == axes &&
                    window.pads.size() == 2 * axes && are_at_least(window.extents, 1) &&
                    are_at_least(window.strides, 1) && are_at_least(window.dilations, 1) &&
                    are_at_least(window.pads, 0);
  if (!fits) return std::nullopt;
  const std::string mode = p.text("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty()) return window;
  const auto all_are = [](const std::vector<std::int64_t>& numbers, std::int64_t number) {
    return numbers == std::vector<std::int64_t>(numbers.size(), number);
  };
  if (!all_are(window.pads, 0)) return std::nullopt;
  if (mode == "VALID") {
    window.padding = Window::Padding::kNone;
    return window;
  }
  if ((mode != "SAME_UPPER" && mode != "SAME_LOWER") || !all_are(window.dilations, 1))
    return std::nullopt;
  window.padding = Window::Padding::kSame;
  return window;
}

// The number of places of the window along an axis of a known extent. If the last place may be
// partial, runtimes differ on whether it counts if it begins in the padding.
Dim places(const Window& window, std::size_t axis, std::int64_t extent) {
  const std::int64_t stride = window.strides[axis];
  if (window.padding == Window::Padding::kSame)
    return extent == 0 ? Dim() : Dim{(extent - 1) / stride + 1, {}};
  const auto covered = window.covered(axis);
  const auto padded = window.padded(axis);
  const auto whole = padded ? checked_add(extent, *padded) : std::nullopt;
  if (!covered || !whole || *whole < *covered) return {};
  const std::int64_t steps = *whole - *covered;
  Dim result{steps / stride + 1, {}};
  if (!window.rounds_up || steps % stride == 0) return result;
  result.low = result.value;
  result.high = result.value + 1;
  result.value = -1;
  return result;
}

Dim places(Production& p, const Window& window, std::size_t axis, const Dim& extent) {
  if (extent.is_known()) return places(window, axis, extent.value);
  const auto covered = window.covered(axis);
  const bool keeps = window.padding == Window::Padding::kSame
                         ? window.strides[axis] == 1
                         : window.strides[axis] == 1 && covered && window.padded(axis) &&
                               *covered - 1 == *window.padded(axis);
  if (keeps) return extent;
  const Interval range = p.extents().extent_of(extent);
  const Dim most = range.high < Extents::kLargest ? places(window, axis, range.high) : Dim();
  return most == Dim() ? Dim() : Dim{-1, {}, 0, internal::most(most)};
}

// The shape of a result with `channels`; all is unknown without a window.
SymbolicShape slid(Production& p, const std::optional<Window>& window, const Dim& channels) {
  const SymbolicShape& from = p.given(0).dims;
  if (!from || from->size() < kOuterAxes) return std::nullopt;
  std::vector<Dim> dims(from->size());
  dims[0] = (*from)[0];
  dims[1] = channels;
  if (window && window->axes() + kOuterAxes == dims.size()) {
    for (std::size_t axis = 0; axis < window->axes(); ++axis)
      dims[axis + kOuterAxes] = places(p, *window, axis, (*from)[axis + kOuterAxes]);
  }
  return dims;
}

// The extents of a filter's window, if they are known and the attribute says nothing else.
std::optional<std::vector<std::int64_t>> filter_extents(const Production& p, std::size_t input) {
  const SymbolicShape& filter = p.given(input).dims;
  const auto given = p.list("kernel_shape");
  if (!filter || filter->size() < kOuterAxes) return given;
  const auto inner = known_extents(std::vector<Dim>(filter->begin() + kOuterAxes, filter->end()));
  return given && inner && given != inner ? std::nullopt : inner ? inner : given;
}

Dim filter_dim(const Production& p, std::size_t input, std::size_t axis) {
  const SymbolicShape& filter = p.given(input).dims;
  return filter && filter->size() > axis ? (*filter)[axis] : Dim();
}

void convolve(Production& p, std::size_t filter, DType type) {
  const auto extents = filter_extents(p, filter);
  const auto window = extents ? window_of(p, *extents) : std::nullopt;
  p.output().dtype = type;
  p.output().dims = slid(p, window, filter_dim(p, filter, 0));
}

void convolution(Production& p) { convolve(p, 1, p.given(0).dtype); }
void convolution_of_integers(Production& p) { convolve(p, 1, DType::kInt32); }
void quantized_convolution(Production& p) { convolve(p, 3, p.given(7).dtype); }

// The extent of an axis of a transposed convolution with explicit padding.
Dim spread(const Window& window, std::size_t axis, std::int64_t extra, const Dim& extent) {
  if (!extent.is_known() || extent.value == 0) return {};
  const auto steps = checked_mul(extent.value - 1, window.strides[axis]);
  const auto covered = window.covered(axis);
  const auto padded = window.padded(axis);
  const auto ends = covered && padded ? checked_add(*covered - *padded, extra) : std::nullopt;
  const auto sum = steps && ends ? checked_add(*steps, *ends) : std::nullopt;
  return sum && *sum >= 0 ? Dim{*sum, {}} : Dim();
}

void transposed_convolution(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  const auto extents = filter_extents(p, 1);
  auto window = extents ? window_of(p, *extents) : std::nullopt;
  const Dim channels = filter_dim(p, 1, 1);
  const std::int64_t groups = p.attribute("group", 1);
  p.output().dtype = p.given(0).dtype;
  p.output().dims = slid(p, std::nullopt, groups >= 1 ? product(channels, groups) : Dim());
  const bool is_plain = window && window->padding == Window::Padding::kGiven && from &&
                        window->axes() + kOuterAxes == from->size() &&
                        !p.has_attribute("output_shape");
  if (!is_plain) return;
  const auto extra =
      p.list("output_padding").value_or(std::vector<std::int64_t>(window->axes(), 0));
  if (extra.size() != window->axes() || !are_at_least(extra, 0)) return;
  for (std::size_t axis = 0; axis < window->axes(); ++axis)
    (*p.output().dims)[axis + kOuterAxes] =
        spread(*window, axis, extra[axis], (*from)[axis + kOuterAxes]);
}

Dim channels_of(const Production& p) { return filter_dim(p, 0, 1); }

// The second output of MaxPool is the positions of the maxima.
void pool(Production& p) {
  const auto extents = p.list("kernel_shape");
  const auto window = extents ? window_of(p, *extents) : std::nullopt;
  const SymbolicShape dims = slid(p, window, channels_of(p));
  p.output().dtype = p.given(0).dtype;
  p.output().dims = dims;
  p.output(1).dtype = DType::kInt64;
  p.output(1).dims = dims;
}

void pool_all(Production& p) {
  SymbolicShape dims = p.given(0).dims;
  for (std::size_t axis = kOuterAxes; dims && axis < dims->size(); ++axis)
    (*dims)[axis] = Dim{1, {}};
  p.output().dtype = p.given(0).dtype;
  p.output().dims = std::move(dims);
}

constexpr ProducerRow kRows[] = {
    {{"Conv"}, {}, convolution},
    {{"ConvInteger"}, {}, convolution_of_integers},
    {{"QLinearConv"}, {}, quantized_convolution},
    {{"ConvTranspose"}, {}, transposed_convolution},
    {{"MaxPool"}, {}, pool},
    {{"AveragePool"}, {}, pool},
    {{"LpPool", 2}, {}, pool},
    {{"GlobalAveragePool"}, {}, pool_all},
    {{"GlobalMaxPool"}, {}, pool_all},
    {{"GlobalLpPool", 2}, {}, pool_all},
};

}  // namespace

std::span<const ProducerRow> window_producers() { return kRows; }

}  // namespace windrow::internal
