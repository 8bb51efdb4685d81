// Constants, and operators that change nothing but the type of elements.

#include <memory>
#include <variant>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/onnx_types.h"
#include "src/ranges/constant_range.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

// Whether a conversion preserves every index that is valid for a tensor of a size that occurs.
bool holds_indices(DType from, DType to) {
  if (!is_integer(from) || !is_integer(to)) return false;
  const Interval values = type_interval(from);
  const Interval held = type_interval(to);
  const bool holds_all = held.low <= values.low && values.high <= held.high &&
                         (from != DType::kUint64 || to == DType::kUint64);
  return holds_all || (dtype_kind(to) == DTypeKind::kSigned && dtype_bits(to) >= 32);
}

Interval truncated(const Production& p, const FloatInterval& a, DType to) {
  const ArithmeticProfile& profile = p.extents().profile();
  const std::optional<Interval> whole = truncate(a, to);
  return whole ? profile.given(to, *whole) : profile.anything(to);
}

ValueRange cast_range(Production& p, const ValueFact& from, DType to) {
  ValueRange result;
  result.grain = from.range.grain;
  result.axis = from.range.axis;
  if (has_integer_intervals(from.dtype)) {
    const bool known = !from.range.integers.empty();
    if (!known) result = ValueRange();
    const std::vector<Interval> source =
        known ? from.range.integers : std::vector{p.extents().profile().anything(from.dtype)};
    for (const Interval& a : source) {
      if (has_integer_intervals(to))
        result.integers.push_back(
            IntegerArithmetic(to, p.extents()).cast(p.narrowed(a, to), from.dtype));
      else if (has_float_intervals(to))
        result.floats.push_back(FloatArithmetic(to).cast(a, from.dtype));
    }
  } else if (has_float_intervals(from.dtype)) {
    for (const FloatInterval& a : from.range.floats) {
      if (has_float_intervals(to)) {
        result.floats.push_back(FloatArithmetic(to).cast(a));
      } else if (is_integer(to)) {
        result.integers.push_back(truncated(p, a, to));
      }
    }
  }
  return result;
}

void convert_to(Production& p, DType to) {
  const ValueFact& from = p.input(0);
  ValueFact& result = p.output();
  result.dtype = to;
  result.dims = from.dims;
  result.range = cast_range(p, from, to);
  if (holds_indices(from.dtype, to)) result.source_input = from.source_input;
}

void cast(Production& p) {
  const std::int64_t number = p.attribute("to", 0);
  const bool is_small = number >= 0 && number <= 1000;
  const auto type = is_small ? static_cast<std::int32_t>(number) : 0;
  convert_to(p, dtype_of_onnx(type));
  p.output().other_type = other_type_of_onnx(type);
}
void convert_like(Production& p) { convert_to(p, p.given(1).dtype); }

void convert(Production& p) {
  const Result<DType> to = convert_type(p.node());
  convert_to(p, to ? *to : DType::kAbsent);
}
void identity(Production& p) { p.output() = p.input(0); }

// The shape is given by the values of an input, the value by an attribute.
void constant_of_shape(Production& p) {
  ValueFact& result = p.output();
  result.dims = p.dims_in(0);
  const auto value = p.node().attributes.find("value");
  if (value == p.node().attributes.end()) {
    result.dtype = DType::kFloat32;
    result.range = tensor_range(FloatInterval{0, 0, false});
  } else if (const auto* tensor = std::get_if<std::shared_ptr<const Tensor>>(&value->second)) {
    result.dtype = (*tensor)->dtype();
    if (const auto range = range_of(**tensor)) result.range = collapsed(*range, p.extents());
    for (Interval& a : result.range.integers) a = p.extents().profile().given(result.dtype, a);
  }
}

constexpr ProducerRow kRows[] = {
    {.onnx = {"Identity"}, .produce = identity, .is_elementwise = true, .tensorrt = {"Identity"}},
    {{"Cast", 6}, {}, cast, true},
    {.openvino = {"Convert"}, .produce = convert, .is_elementwise = true, .tensorrt = {"Cast"}},
    {{"CastLike", 15}, {"ConvertLike"}, convert_like},
    {{"ConstantOfShape", 9}, {}, constant_of_shape},
};

}  // namespace

std::span<const ProducerRow> conversion_producers() { return kRows; }

}  // namespace windrow::internal
