#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/fixes.h"
#include "src/portability/tensor_elements.h"

namespace windrow::internal {
namespace {

constexpr NodeEdit::Operator kAdd = {"Add", "Add"};
constexpr NodeEdit::Operator kSubtract = {"Sub", "Subtract"};
constexpr NodeEdit::Operator kLess = {"Less", "Less"};
constexpr NodeEdit::Operator kSelect = {"Where", "Select"};
constexpr NodeEdit::Operator kMaximum = {"Max", "Maximum"};
constexpr NodeEdit::Operator kMinimum = {"Min", "Minimum"};
constexpr NodeEdit::Operator kShape = {"Shape", "ShapeOf", 3};
constexpr NodeEdit::Operator kTake = {"Gather", "Gather", 8};

// The first opset of ai.onnx whose Where and Less take integers, and whose Max and Min do.
constexpr int kSelectOpset = 9;
constexpr int kMaximumOpset = 12;

// Why indices of a node cannot be changed; empty: they can.
std::string why_not_indices(const NodeEdit& edit) {
  const NodeView& view = edit.view();
  if ((view.family & (kGathers | kScatters | kFeatureExtractor)) == 0)
    return view.operator_name() + " has no indices that this change is for";
  if (!view.columns) return "the axes that its indices address are not known";
  if (!is_integer(edit.input(view.indices).dtype)) return "the type of its indices is not known";
  return {};
}

bool has_fixed_extents(const NodeView& view) {
  return std::all_of(view.columns->begin(), view.columns->end(),
                     [](const IndexColumn& column) { return column.extent.is_known(); });
}

// The type in which sums of indices and extents are computed: int32 only where no extent, and so
// no sum that counts, is beyond it.
DType roomy_type(const NodeView& view, DType indices) {
  const auto fits = [](const IndexColumn& column) {
    return column.extent.is_known() &&
           column.extent.value <= std::numeric_limits<std::int32_t>::max();
  };
  const bool is_wide = dtype_bits(indices) > 32 || indices == DType::kUint32;
  const bool is_small = !is_wide && std::all_of(view.columns->begin(), view.columns->end(), fits);
  return is_small ? DType::kInt32 : DType::kInt64;
}

// Whether a negative index counts from the end, in this version or in the later ones that say so.
bool takes_negatives(const NodeView& view) {
  return view.family != kScatterUpdate && view.family != kFeatureExtractor;
}

// Constant indices, each of which is changed by `change(element, extent)`; nothing if none changes.
// Precondition: has_fixed_extents().
template <class Change>
Result<std::optional<Tensor>> change_constant(const NodeEdit& edit, const Change& change) {
  const NodeView& view = edit.view();
  const Result<std::shared_ptr<const Tensor>> old = edit.input(view.indices).constant->tensor();
  if (!old) return old.error();
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>((*old)->element_count()));
  const std::size_t columns = view.columns->size();
  if (columns == 0) return std::optional<Tensor>();
  bool is_changed = false;
  find_integer(**old, [&](std::int64_t at, std::int64_t value) {
    const auto column = static_cast<std::size_t>(at) % columns;
    values.push_back(change(value, (*view.columns)[column].extent.value));
    is_changed = is_changed || values.back() != value;
    return false;
  });
  if (!is_changed) return std::optional<Tensor>();
  const DType type = roomy_type(view, (*old)->dtype());
  return std::optional<Tensor>(integer_tensor(type, (*old)->shape(), values));
}

// Indices in a type that has room for sums with the extents.
EditedValue roomy_indices(NodeEdit& edit) {
  const EditedValue indices = edit.input(edit.view().indices);
  return edit.cast(indices, roomy_type(edit.view(), indices.dtype));
}

// The extents that the indices address: a scalar, or one for each position of a tuple.
EditedValue extents_of(NodeEdit& edit, DType dtype) {
  const NodeView& view = edit.view();
  const bool is_tuple = (view.family & kTupled) != 0;
  const auto count = static_cast<std::int64_t>(view.columns->size());
  const Shape shape = is_tuple ? Shape{count} : Shape{};
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> axes;
  for (const IndexColumn& column : *view.columns) {
    extents.push_back(column.extent.value);
    axes.push_back(static_cast<std::int64_t>(column.axis));
  }
  if (has_fixed_extents(view))
    return edit.add_constant("extents", integer_tensor(dtype, shape, extents));
  const EditedValue& data = edit.input(view.data);
  Dim rank;
  rank.value = static_cast<std::int64_t>(data.dims->size());
  const Attributes shape_type =
      edit.is_onnx() ? Attributes{} : Attributes{{"output_type", std::string("i64")}};
  const EditedValue all = edit.add_node(kShape, {data}, DType::kInt64, {{rank}}, shape_type);
  const EditedValue which = edit.add_constant("axes", integer_tensor(DType::kInt64, shape, axes));
  std::vector<EditedValue> inputs = {all, which};
  Attributes attributes = {{"axis", std::int64_t{0}}};
  if (!edit.is_onnx()) {
    inputs.push_back(edit.add_scalar("axis", 0, DType::kInt64));
    attributes = {{"batch_dims", std::int64_t{0}}};
  }
  return edit.cast(edit.add_node(kTake, inputs, DType::kInt64, symbolic(shape), attributes), dtype);
}

// Element by element: a where `condition`, else b. The result has the shape of the indices.
EditedValue select(NodeEdit& edit, const EditedValue& condition, const EditedValue& a,
                   const EditedValue& b, const EditedValue& like) {
  return edit.add_node(kSelect, {condition, a, b}, like.dtype, like.dims);
}

EditedValue less(NodeEdit& edit, const EditedValue& a, const EditedValue& b,
                 const EditedValue& like) {
  return edit.add_node(kLess, {a, b}, DType::kBool, like.dims);
}

// A constant as far as extents are, else computed: 0 - extents, extents - 1.
EditedValue lowest_index(NodeEdit& edit, const EditedValue& extents) {
  EditedValue zero = edit.add_scalar("zero", 0, extents.dtype);
  if (!takes_negatives(edit.view())) return zero;
  return edit.add_node(kSubtract, {zero, extents}, extents.dtype, extents.dims);
}
EditedValue highest_index(NodeEdit& edit, const EditedValue& extents) {
  return edit.add_node(kSubtract, {extents, edit.add_scalar("one", 1, extents.dtype)},
                       extents.dtype, extents.dims);
}

// The lowest and the highest legal index where all extents are known.
std::pair<EditedValue, EditedValue> constant_ends(NodeEdit& edit, DType dtype) {
  std::vector<std::int64_t> low;
  std::vector<std::int64_t> high;
  for (const IndexColumn& column : *edit.view().columns) {
    low.push_back(takes_negatives(edit.view()) ? -column.extent.value : 0);
    high.push_back(column.extent.value - 1);
  }
  const bool is_tuple = (edit.view().family & kTupled) != 0;
  const Shape shape = is_tuple ? Shape{static_cast<std::int64_t>(low.size())} : Shape{};
  EditedValue first = edit.add_constant("low", integer_tensor(dtype, shape, low));
  return {std::move(first), edit.add_constant("high", integer_tensor(dtype, shape, high))};
}

std::pair<EditedValue, EditedValue> ends(NodeEdit& edit, DType dtype) {
  if (has_fixed_extents(edit.view())) return constant_ends(edit, dtype);
  const EditedValue extents = extents_of(edit, dtype);
  EditedValue low = lowest_index(edit, extents);
  return {std::move(low), highest_index(edit, extents)};
}

bool is_too_old(const NodeEdit& edit) {
  return edit.is_onnx() && edit.scope().opset < kSelectOpset;
}

FixOutcome too_old(const NodeEdit& edit) {
  return FixOutcome::left("Where and Less of integers need opset 9 of ai.onnx, the model has " +
                          (edit.scope().opset == 0 ? "none" : std::to_string(edit.scope().opset)));
}

// The constant indices of a node in the place of the old ones.
Result<bool> replace_constant(NodeEdit& edit, Result<std::optional<Tensor>> changed) {
  if (!changed) return changed.error();
  if (!*changed) return false;
  edit.set_input(edit.view().indices, edit.add_constant("indices", **std::move(changed)));
  return true;
}

// Whether the indices are a constant of a type whose elements int64 holds, and of known extents.
bool is_constant_index(const NodeEdit& edit) {
  const EditedValue& indices = edit.input(edit.view().indices);
  return indices.constant != nullptr && indices.dtype != DType::kUint64 &&
         has_fixed_extents(edit.view());
}

}  // namespace

Result<FixOutcome> count_from_front(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (std::string why = why_not_indices(edit); !why.empty())
    return FixOutcome::left(std::move(why));
  const bool is_error = !takes_negatives(view);
  if (is_error && !edit.scope().unsafe)
    return FixOutcome::left("a negative index of " + view.operator_name() +
                            " is an error, which only an unsafe fix turns into a value");
  const auto outcome = is_error ? FixOutcome::unsafe : FixOutcome::safe;
  if (is_constant_index(edit)) {
    const Result<bool> replaced =
        replace_constant(edit, change_constant(edit, [](std::int64_t value, std::int64_t extent) {
                           return value < 0 && value >= -extent ? value + extent : value;
                         }));
    if (!replaced) return replaced.error();
    return *replaced ? outcome("the constant indices count from the front of the axis")
                     : FixOutcome::left("no constant index counts from the end of its axis");
  }
  if (is_too_old(edit)) return too_old(edit);
  if (dtype_kind(edit.input(view.indices).dtype) == DTypeKind::kUnsigned)
    return FixOutcome::left("its indices are of a type without negative numbers");
  const EditedValue indices = roomy_indices(edit);
  const EditedValue extents = extents_of(edit, indices.dtype);
  const EditedValue zero = edit.add_scalar("zero", 0, indices.dtype);
  const EditedValue counted = edit.add_node(kAdd, {indices, extents}, indices.dtype, indices.dims);
  // What is below the axis stays outside of it: it becomes the extent.
  const EditedValue legal =
      select(edit, less(edit, counted, zero, indices), extents, counted, indices);
  edit.set_input(view.indices,
                 select(edit, less(edit, indices, zero, indices), legal, indices, indices));
  return outcome(
      "negative indices get the extent of their axis added; what stays negative becomes "
      "the extent, which is out of range");
}

Result<FixOutcome> clip_indices(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (std::string why = why_not_indices(edit); !why.empty())
    return FixOutcome::left(std::move(why));
  if (view.op->info.out_of_range != OutOfRange::kError)
    return FixOutcome::left(
        "an index of " + view.operator_name() +
        " that is out of range has a defined result, which a Clip would change");
  if (!edit.scope().unsafe)
    return FixOutcome::left(
        "only an unsafe fix (a Clip of the indices) turns an error into a value");
  const bool from_end = takes_negatives(view);
  if (is_constant_index(edit)) {
    const Result<bool> replaced = replace_constant(
        edit, change_constant(edit, [from_end](std::int64_t value, std::int64_t extent) {
          return std::min(std::max(value, from_end ? -extent : 0), extent - 1);
        }));
    if (!replaced) return replaced.error();
    return *replaced ? FixOutcome::unsafe("the constant indices are clipped to the axis")
                     : FixOutcome::left("no constant index is out of range");
  }
  if (is_too_old(edit)) return too_old(edit);
  const EditedValue indices = roomy_indices(edit);
  const auto [low, high] = ends(edit, indices.dtype);
  if (!edit.is_onnx() || edit.scope().opset >= kMaximumOpset) {
    const EditedValue raised = edit.add_node(kMaximum, {indices, low}, indices.dtype, indices.dims);
    edit.set_input(view.indices,
                   edit.add_node(kMinimum, {raised, high}, indices.dtype, indices.dims));
  } else {
    const EditedValue raised =
        select(edit, less(edit, indices, low, indices), low, indices, indices);
    edit.set_input(view.indices,
                   select(edit, less(edit, high, raised, indices), high, raised, indices));
  }
  return FixOutcome::unsafe("the indices are clipped to the axis");
}

}  // namespace windrow::internal
