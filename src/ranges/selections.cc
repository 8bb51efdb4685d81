// Operators that choose, reorder or fill in elements, where it is not known which.

#include <optional>
#include <utility>

#include "src/base/checked.h"
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

// Blocks of positions become channels (`to_depth`), or the other way round.
template <bool to_depth>
void exchange_space_and_depth(Production& p) {
  const std::int64_t block = p.attribute(p.is_openvino() ? "block_size" : "blocksize", 0);
  const SymbolicShape& from = p.given(0).dims;
  SymbolicShape dims = of_same_rank(from);
  const auto area = checked_mul(block, block);
  const auto smaller = [](const Dim& dim, std::int64_t factor) {
    if (factor == 1) return dim;
    return dim.is_known() && dim.value % factor == 0 ? Dim{dim.value / factor, {}} : Dim();
  };
  if (from && from->size() == 4 && block > 0 && area) {
    dims->front() = from->front();
    (*dims)[1] = to_depth ? product((*from)[1], *area) : smaller((*from)[1], *area);
    for (const std::size_t axis : {2U, 3U})
      (*dims)[axis] = to_depth ? smaller((*from)[axis], block) : product((*from)[axis], block);
  }
  give_some(p, std::move(dims));
}

// The extents of the data with what ONNX's Pad adds at both ends, by a list for all axes or for
// those of an input.
SymbolicShape padded_dims(Production& p) {
  const SymbolicShape& from = p.given(0).dims;
  SymbolicShape dims = of_same_rank(from);
  const auto pads = p.list("pads", 1);
  const auto listed = p.has(3) ? known_integers(p.parameter(3)) : std::nullopt;
  const std::size_t count = listed ? listed->size() : dims ? dims->size() : 0;
  if (p.is_openvino() || !dims || !pads || pads->size() != 2 * count || (p.has(3) && !listed))
    return dims;
  if (listed) dims = from;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = place_of_axis(listed ? (*listed)[i] : static_cast<std::int64_t>(i), dims);
    if (!axis) return of_same_rank(from);
    const Dim& dim = (*from)[*axis];
    const auto added = checked_add((*pads)[i], (*pads)[i + count]);
    const auto sum = added && dim.is_known() ? checked_add(dim.value, *added) : std::nullopt;
    (*dims)[*axis] = added == 0 ? dim : sum && *sum >= 0 ? Dim{*sum, {}} : Dim();
  }
  return dims;
}

// Elements of the data, and in the mode "constant" the value of an input or attribute.
void pad(Production& p) {
  const std::size_t value = p.is_openvino() ? 3 : 2;
  const std::string mode = p.text(p.is_openvino() ? "pad_mode" : "mode", "constant");
  give_some(p, padded_dims(p));
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
    {{"DepthToSpace"}, {"DepthToSpace"}, exchange_space_and_depth<false>},
    {{"SpaceToDepth"}, {"SpaceToDepth"}, exchange_space_and_depth<true>},
    {{"Pad", 2}, {"Pad"}, pad},
    {{"EyeLike", 9}, {}, eye_like},
    {{}, {"OneHot"}, one_hot},
};

}  // namespace

std::span<const ProducerRow> selection_producers() { return kRows; }

}  // namespace windrow::internal
