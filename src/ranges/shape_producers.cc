#include "src/ranges/shape_producers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/integers.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/types.h"
#include "src/ranges/production.h"

// Operators of which only the type and the shape of the result are known, except those that slide a
// window (window_producers.cc) or sum products (contractions.cc).
namespace windrow::internal {
namespace {

// The type and the shape of the first input.
void same(Production& p) { give(p, p.given(0).dtype, p.given(0).dims); }

// Like `same`; the second output is a mask of booleans before version 10 of ONNX.
void dropout(Production& p) {
  same(p);
  if (p.version() >= 10) give(p, DType::kBool, p.given(0).dims, 1);
}

// The broadcast shape of all inputs, which have one type, or in Pow the type of the first.
void broadcast_all(Production& p) {
  std::vector<const SymbolicShape*> shapes;
  for (std::size_t i = 0; i < p.input_count(); ++i) shapes.push_back(&p.given(i).dims);
  give(p, p.given(0).dtype, broadcast(shapes));
}

// PRelu has the shape of its data. Where the slope has a larger extent, runtimes differ.
void sloped(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const SymbolicShape& slope = p.given(1).dims;
  const SymbolicShape* const both[] = {&data, &slope};
  const bool fits = data && slope && broadcast(both) == data;
  give(p, p.given(0).dtype, fits ? data : std::nullopt);
}

// The type that an attribute of ONNX names; `otherwise` if it names none.
DType type_in(const Production& p, std::string_view name, DType otherwise) {
  const std::int64_t number = p.attribute(name, 0);
  return number > 0 && number < 1000 ? dtype_of_onnx(static_cast<std::int32_t>(number)) : otherwise;
}

void quantize(Production& p) {
  const DType type = p.has(2) ? p.given(2).dtype : type_in(p, "output_dtype", DType::kUint8);
  give(p, type, p.given(0).dims);
}

void dequantize(Production& p) {
  give(p, type_in(p, "output_dtype", p.given(1).dtype), p.given(0).dims);
}

void quantize_dynamically(Production& p) {
  give(p, DType::kUint8, p.given(0).dims);
  give(p, DType::kFloat32, std::vector<Dim>(), 1);
  give(p, DType::kUint8, std::vector<Dim>(), 2);
}

// The extent of an axis that is resized by a factor, which runtimes compute in float or double and
// round down.
Dim scaled(const Dim& dim, double scale) {
  if (scale == 1) return dim;
  if (!dim.is_known() || !(scale > 0)) return {};
  const double exact = static_cast<double>(dim.value) * scale;
  constexpr double kMost = 1 << 24;
  if (exact >= kMost || dim.value >= (1 << 24)) return {};
  const bool is_float = static_cast<double>(static_cast<float>(exact)) == exact;
  const double slack = is_float ? 0 : exact * 1e-5;
  Dim result;
  result.low = static_cast<std::int64_t>(std::floor(exact - slack));
  result.high = static_cast<std::int64_t>(std::floor(exact + slack));
  return result.low == result.high ? Dim{result.low, {}} : result;
}

// Resize and Upsample: by scales, which are the input before the last possible one, or to sizes.
void resize(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  give(p, p.given(0).dtype, std::nullopt);
  const bool is_cropped = p.text("coordinate_transformation_mode", "") == "tf_crop_and_resize";
  if (!from || is_cropped || p.has_attribute("axes")) return;
  const bool is_first = p.node().op_type == "Upsample" || p.version() < 11;
  const std::size_t position = is_first ? 1 : 2;
  const bool has_sizes = !is_first && p.has(3) && known_count(p.given(3).dims) != 0;
  if (has_sizes) {
    const bool keeps_aspect = p.text("keep_aspect_ratio_policy", "stretch") != "stretch";
    const SymbolicShape sizes = keeps_aspect ? std::nullopt : p.dims_in(3);
    if (sizes && sizes->size() == from->size()) p.output().dims = sizes;
    return;
  }
  const ValueFact& scales = p.parameter(position);
  const auto rank = static_cast<std::int64_t>(from->size());
  if (scales.dtype != DType::kFloat32 || known_count(scales.dims) != rank) return;
  if (scales.range.grain == ValueRange::Grain::kTensor ||
      scales.range.floats.size() != from->size())
    return;
  p.output().dims = from;
  for (std::size_t axis = 0; axis < from->size(); ++axis) {
    const FloatInterval& scale = scales.range.floats[axis];
    const bool is_one = scale.low == scale.high && !scale.may_be_nan;
    (*p.output().dims)[axis] = is_one ? scaled((*from)[axis], scale.low) : Dim();
  }
}

constexpr std::string_view kDomain = "hidden";
constexpr std::int64_t kMostNumbers = 64;
constexpr std::size_t kEnds = 2;
constexpr std::size_t kSteps = 4;

std::vector<std::int64_t> numbers_of(const Tensor& tensor) {
  if (!is_integer(tensor.dtype()) || tensor.element_count() > kMostNumbers) return {};
  const Result<Tensor> wide = convert(tensor, DType::kInt64);
  if (!wide) return {};
  const auto numbers = wide->values<std::int64_t>();
  return {numbers.begin(), numbers.end()};
}

// The small constants of a graph's Constant nodes and initializers.
class Constants {
 public:
  explicit Constants(const Graph& graph) : graph_(graph) {
    for (const ModelNode& node : graph.nodes)
      if (is_constant(node) && node.outputs.size() == 1) nodes_.emplace(node.outputs[0], &node);
  }

  // Empty if they are not known.
  std::vector<std::int64_t> numbers(const std::string& name) const {
    if (const auto found = graph_.constants.find(name); found != graph_.constants.end()) {
      const Constant& constant = found->second;
      if (element_count(constant.shape()).value_or(kMostNumbers + 1) > kMostNumbers) return {};
      const auto tensor = constant.tensor();
      return tensor ? numbers_of(**tensor) : std::vector<std::int64_t>();
    }
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) return {};
    const auto value = constant_value(*found->second, std::numeric_limits<int>::max());
    return value ? numbers_of(**value) : std::vector<std::int64_t>();
  }

 private:
  const Graph& graph_;
  std::map<std::string_view, const ModelNode*> nodes_;
};

bool goes_down_to_largest(const ModelNode& node, const Constants& constants) {
  if (node.op_type != "Slice" || node.inputs.size() <= kSteps) return false;
  const auto is_down = [](std::int64_t step) { return step < 0; };
  const auto is_largest = [](std::int64_t end) {
    return end >= std::numeric_limits<std::int32_t>::max();
  };
  const std::vector<std::int64_t> steps = constants.numbers(node.inputs[kSteps]);
  const std::vector<std::int64_t> ends = constants.numbers(node.inputs[kEnds]);
  return std::any_of(steps.begin(), steps.end(), is_down) &&
         std::any_of(ends.begin(), ends.end(), is_largest);
}

// Hides the operators of a graph and its bodies; returns whether there were any.
bool hide(Graph& graph) {
  bool is_any = false;
  const Constants constants(graph);
  for (ModelNode& node : graph.nodes) {
    const bool differs = node.op_type == "NonZero" || goes_down_to_largest(node, constants);
    if (node.domain.empty() && differs) {
      node.domain = kDomain;
      is_any = true;
    }
    for (NodeBody& body : node.bodies) {
      auto copy = std::make_shared<Graph>(*body.graph);
      is_any = hide(*copy) || is_any;
      body.graph = std::move(copy);
    }
  }
  return is_any;
}

}  // namespace

void hide_operators(Model& model) {
  if (hide(model)) model.opset_imports.emplace(kDomain, 1);
}

// ONNX's convolutions and pools: the type and the shape of their results.

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
  auto given = p.list("kernel_shape");
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

constexpr ProducerRow kShapeProducers[] = {
    {{"Acos"}, {"Acos"}, same},
    {{"Acosh"}, {"Acosh"}, same},
    {{"Asin"}, {"Asin"}, same},
    {{"Asinh"}, {"Asinh"}, same},
    {{"Atan"}, {"Atan"}, same},
    {{"Atanh"}, {"Atanh"}, same},
    {{"BitwiseNot"}, {"BitwiseNot"}, same},
    {{"Celu"}, {}, same},
    {{"Cos"}, {"Cos"}, same},
    {{"Cosh"}, {"Cosh"}, same},
    {{"Elu"}, {"Elu"}, same},
    {{"Erf"}, {"Erf"}, same},
    {{"Exp"}, {"Exp"}, same},
    {{"Gelu"}, {"Gelu"}, same},
    {{"HardSigmoid"}, {"HardSigmoid"}, same},
    {{"HardSwish"}, {"HSwish"}, same},
    {{"Hardmax"}, {}, same},
    {{"LeakyRelu"}, {}, same},
    {{"Log"}, {"Log"}, same},
    {{"LogSoftmax"}, {"LogSoftmax"}, same},
    {{"Mish"}, {"Mish"}, same},
    {{"Reciprocal"}, {}, same},
    {{"Selu"}, {"Selu"}, same},
    {{"Shrink"}, {}, same},
    {{"Sin"}, {"Sin"}, same},
    {{"Sinh"}, {"Sinh"}, same},
    {{"Softmax"}, {"SoftMax"}, same},
    {{}, {"Softmax"}, same},
    {{"Softplus"}, {"SoftPlus"}, same},
    {{"Softsign"}, {"SoftSign"}, same},
    {{"Sqrt"}, {"Sqrt"}, same},
    {{"Swish"}, {"Swish"}, same},
    {{"Tan"}, {"Tan"}, same},
    {{"Tanh"}, {"Tanh"}, same},
    {{"ThresholdedRelu"}, {}, same},
    {{"BatchNormalization", 7}, {}, same},
    {{"GroupNormalization"}, {}, same},
    {{"InstanceNormalization"}, {}, same},
    {{"LRN"}, {"LRN"}, same},
    {{"LayerNormalization"}, {}, same},
    {{"LpNormalization"}, {}, same},
    {{"MeanVarianceNormalization"}, {"MVN"}, same},
    {{"RMSNormalization"}, {}, same},
    {{"Dropout", 7}, {}, dropout},
    {{"Pow", 7}, {"Power"}, broadcast_all, true},
    {{"Mean", 8}, {}, broadcast_all, true},
    {{"BitShift"}, {}, broadcast_all, true},
    {{"BitwiseAnd"}, {"BitwiseAnd"}, broadcast_all, true},
    {{"BitwiseOr"}, {"BitwiseOr"}, broadcast_all, true},
    {{"BitwiseXor"}, {"BitwiseXor"}, broadcast_all, true},
    {{"PRelu", 7}, {}, sloped},
    {{"QuantizeLinear"}, {}, quantize},
    {{"DequantizeLinear"}, {}, dequantize},
    {{"DynamicQuantizeLinear"}, {}, quantize_dynamically},
    {{"Resize"}, {}, resize},
    {{"Upsample", 9}, {}, resize},
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

std::span<const ProducerRow> shape_producers() { return kShapeProducers; }

}  // namespace windrow::internal
