// Operators of which only the type and the shape of the result are known, except those that slide a
// window (window_producers.cc) or sum products (contractions.cc).

#include <cmath>
#include <optional>
#include <utility>

#include "src/models/onnx_types.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

void give(Production& p, DType type, SymbolicShape dims, std::size_t output = 0) {
  p.output(output).dtype = type;
  p.output(output).dims = std::move(dims);
}

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

constexpr ProducerRow kRows[] = {
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
};

}  // namespace

std::span<const ProducerRow> shape_producers() { return kRows; }

}  // namespace windrow::internal
