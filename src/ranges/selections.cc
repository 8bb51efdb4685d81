// Operators that choose, reorder or fill in elements, nothing being known of which.

#include <optional>
#include <utility>

#include "src/ranges/movement.h"
#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

// Elements of the data in another shape.
ValueFact elements_of(Production& p) {
  const ValueFact& data = p.input(0);
  ValueFact result = moved(data);
  result.range = collapsed(data.range, p.extents());
  return result;
}

// Zeros, or what the type has for them, beside what is there.
void add_zeros(ValueFact& fact, const Extents& extents) {
  for (Interval& interval : fact.range.integers) interval = join(interval, {0, 0}, extents);
  for (FloatInterval& interval : fact.range.floats) interval = join(interval, {0, 0, false});
  fact.source_input.clear();
}

// Slices of an axis that a condition chooses; without an axis, elements.
void compress(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  ValueFact result = elements_of(p);
  result.dims = std::vector<Dim>(1);
  if (p.has_attribute("axis")) {
    const auto axis = from ? place_of_axis(p.attribute("axis", 0), from->size()) : std::nullopt;
    result.dims = axis ? from : std::nullopt;
    if (axis) {
      result.range = mixed_along(p.input(0), *axis, p.extents());
      (*result.dims)[*axis] = p.new_dim(0, *axis, 0, p.extents().extent_of((*from)[*axis]).high);
    }
  }
  p.output() = std::move(result);
}

void triangle(Production& p) {
  ValueFact result = elements_of(p);
  result.dims = p.given(0).dims;
  add_zeros(result, p.extents());
  p.output() = std::move(result);
}

void reverse(Production& p) {
  ValueFact result = elements_of(p);
  result.dims = p.given(0).dims;
  p.output() = std::move(result);
}

// Blocks of positions become channels, or the other way.
void exchange_space_and_depth(Production& p) {
  ValueFact result = elements_of(p);
  if (p.given(0).dims) result.dims = std::vector<Dim>(p.given(0).dims->size());
  p.output() = std::move(result);
}

// Elements of the data, and of the mode "constant" the value of the third input or attribute.
void pad(Production& p) {
  const std::size_t value = p.is_openvino() ? 3 : 2;
  const std::string mode = p.text(p.is_openvino() ? "pad_mode" : "mode", "constant");
  ValueFact result = elements_of(p);
  if (p.given(0).dims) result.dims = std::vector<Dim>(p.given(0).dims->size());
  if (mode == "constant") {
    if (p.has(value)) {
      ValueFact filled = result;
      filled.dims.reset();
      const ValueFact& filling = p.input(value);
      result.source_input.clear();
      result.range =
          filling.dtype == result.dtype ? join(filled, filling, p.extents()) : ValueRange();
    } else if (!p.has_attribute("value") || p.number("value") == 0) {
      add_zeros(result, p.extents());
    } else {
      result.range = ValueRange();
      result.source_input.clear();
    }
  }
  p.output() = std::move(result);
}

// 1 on a diagonal, 0 elsewhere.
void eye_like(Production& p) {
  ValueFact& result = p.output();
  if (!p.has_attribute("dtype")) result.dtype = p.given(0).dtype;
  result.dims = p.given(0).dims;
  if (is_integer(result.dtype)) result.range = tensor_range(Interval{0, 1});
}

// OpenVINO's: the values on and off.
void one_hot(Production& p) {
  if (!p.has(3)) return;
  ValueFact on = p.input(2);
  const ValueFact& off = p.input(3);
  ValueFact& result = p.output();
  result.dtype = on.dtype;
  if (on.dtype == off.dtype) result.range = join(on, off, p.extents());
  const SymbolicShape& indices = p.given(0).dims;
  const auto axis =
      indices ? place_of_axis(p.attribute("axis", -1), indices->size() + 1) : std::nullopt;
  if (!axis) return;
  result.dims = indices;
  result.dims->insert(result.dims->begin() + static_cast<std::ptrdiff_t>(*axis),
                      p.dim_of(integer_of(p.parameter(1), p.extents())));
}

constexpr ProducerRow kRows[] = {
    {"onnx", "Compress", 9, compress},
    {"onnx", "Trilu", 14, triangle},
    {"onnx", "ReverseSequence", 10, reverse},
    {"onnx", "DepthToSpace", 1, exchange_space_and_depth},
    {"onnx", "SpaceToDepth", 1, exchange_space_and_depth},
    {"onnx", "Pad", 2, pad},
    {"onnx", "EyeLike", 9, eye_like},
    {"openvino", "Reverse", 1, reverse},
    {"openvino", "ReverseSequence", 1, reverse},
    {"openvino", "DepthToSpace", 1, exchange_space_and_depth},
    {"openvino", "SpaceToDepth", 1, exchange_space_and_depth},
    {"openvino", "Pad", 1, pad},
    {"openvino", "OneHot", 1, one_hot},
};

}  // namespace

std::span<const ProducerRow> selection_producers() { return kRows; }

}  // namespace windrow::internal
