// Operators that choose, reorder or fill in elements, where it is not known which.

#include <optional>
#include <utility>

#include "src/ranges/movement.h"
#include "src/ranges/production.h"

namespace windrow::internal {
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

// Blocks of positions become channels, or the other way round.
void exchange_space_and_depth(Production& p) { give_some(p, of_same_rank(p.given(0).dims)); }

// Elements of the data, and in the mode "constant" the value of an input or attribute.
void pad(Production& p) {
  const std::size_t value = p.is_openvino() ? 3 : 2;
  const std::string mode = p.text(p.is_openvino() ? "pad_mode" : "mode", "constant");
  give_some(p, of_same_rank(p.given(0).dims));
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

// OpenVINO's OneHot, whose inputs 2 and 3 are the on and off values.
void one_hot(Production& p) {
  if (!p.has(3)) return;
  const ValueFact& on = p.input(2);
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
    {{"Compress", 9}, {}, compress},
    {{"Trilu", 14}, {}, triangle},
    {{}, {"Reverse"}, reverse},
    {{"ReverseSequence", 10}, {"ReverseSequence"}, reverse},
    {{"DepthToSpace"}, {"DepthToSpace"}, exchange_space_and_depth},
    {{"SpaceToDepth"}, {"SpaceToDepth"}, exchange_space_and_depth},
    {{"Pad", 2}, {"Pad"}, pad},
    {{"EyeLike", 9}, {}, eye_like},
    {{}, {"OneHot"}, one_hot},
};

}  // namespace

std::span<const ProducerRow> selection_producers() { return kRows; }

}  // namespace windrow::internal
