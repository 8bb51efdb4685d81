#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/given_values.h"
#include "src/portability/node_edit.h"
#include "src/ranges/extents.h"

namespace windrow::internal {
namespace {

constexpr NodeEdit::Operator kAdd = {"Add", "Add"};
constexpr NodeEdit::Operator kSubtract = {"Sub", "Subtract"};
constexpr NodeEdit::Operator kLess = {"Less", "Less"};
constexpr NodeEdit::Operator kMaximum = {"Max", "Maximum"};
constexpr NodeEdit::Operator kMinimum = {"Min", "Minimum"};

// The first opsets of ai.onnx in which Where and Less, and Max and Min, take integers.
constexpr int kSelectOpset = 9;
constexpr int kMaximumOpset = 12;

// Why the indices of a node cannot be changed; empty if they can.
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

// The type for sums of indices and extents: int32 only if every extent, and therefore every legal
// sum, fits in it.
DType roomy_type(const NodeView& view, DType indices) {
  const auto fits = [](const IndexColumn& column) {
    return column.extent.is_known() &&
           column.extent.value <= std::numeric_limits<std::int32_t>::max();
  };
  const bool is_wide = dtype_bits(indices) > 32 || indices == DType::kUint32;
  const bool is_small = !is_wide && std::all_of(view.columns->begin(), view.columns->end(), fits);
  return is_small ? DType::kInt32 : DType::kInt64;
}

// Whether a negative index counts from the end, in this version of the operator or in a later one.
bool takes_negatives(const NodeView& view) {
  return view.family != kScatterUpdate && view.family != kFeatureExtractor;
}

// Replaces the constant indices of a node; `change(element, extent)` returns each new one. The
// outcome is `changed`, or, if no index changes, that the node is left, with the reason `why_not`.
// Precondition: is_constant_index().
template <class Change>
Result<FixOutcome> change_constant(NodeEdit& edit, const Change& change, FixOutcome changed,
                                   const char* why_not) {
  const NodeView& view = edit.view();
  const Result<std::shared_ptr<const Tensor>> old = edit.input(view.indices).constant->tensor();
  if (!old) return old.error();
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>((*old)->element_count()));
  const std::size_t columns = view.columns->size();
  bool is_changed = false;
  find_integer(**old, [&](std::int64_t at, std::int64_t value) {
    const std::size_t column = static_cast<std::size_t>(at) % columns;
    values.push_back(change(value, (*view.columns)[column].extent.value));
    is_changed = is_changed || values.back() != value;
    return false;
  });
  if (!is_changed) return FixOutcome::left(why_not);
  const DType type = roomy_type(view, (*old)->dtype());
  Tensor indices = integer_tensor(type, (*old)->shape(), values);
  edit.set_input(view.indices, edit.add_constant("indices", std::move(indices)));
  return changed;
}

// The indices, cast to a type that holds sums with the extents.
EditedValue roomy_indices(NodeEdit& edit) {
  const EditedValue indices = edit.input(edit.view().indices);
  return edit.cast(indices, roomy_type(edit.view(), indices.dtype));
}

// The shape of numbers that depend on the addressed axis: for index tuples they form a vector.
Shape shape_of_ends(const NodeView& view) {
  const bool is_tuple = (view.family & kTupled) != 0;
  return is_tuple ? Shape{static_cast<std::int64_t>(view.columns->size())} : Shape{};
}

// The extents that the indices address: a scalar, or one for each position of a tuple.
EditedValue extents_of(NodeEdit& edit, DType dtype) {
  const NodeView& view = edit.view();
  const Shape shape = shape_of_ends(view);
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> axes;
  for (const IndexColumn& column : *view.columns) {
    extents.push_back(column.extent.value);
    axes.push_back(static_cast<std::int64_t>(column.axis));
  }
  if (has_fixed_extents(view))
    return edit.add_constant("extents", integer_tensor(dtype, shape, extents));
  const EditedValue& data = edit.input(view.data);
  const Dim rank{static_cast<std::int64_t>(data.dims->size()), {}};
  const Attributes shape_type =
      edit.is_onnx() ? Attributes{} : Attributes{{"output_type", std::string("i64")}};
  const EditedValue all = edit.add_node(kAddedShape, {data}, DType::kInt64, {{rank}}, shape_type);
  const EditedValue which = edit.add_constant("axes", integer_tensor(DType::kInt64, shape, axes));
  std::vector<EditedValue> inputs = {all, which};
  Attributes attributes = {{"axis", std::int64_t{0}}};
  if (!edit.is_onnx()) {
    inputs.push_back(edit.add_scalar("axis", 0, DType::kInt64));
    attributes = {{"batch_dims", std::int64_t{0}}};
  }
  return edit.cast(edit.add_node(kAddedTake, inputs, DType::kInt64, symbolic(shape), attributes),
                   dtype);
}

// The elements of a where `condition` is true, else those of b. The result has the type and shape
// of `like`.
EditedValue select(NodeEdit& edit, const EditedValue& condition, const EditedValue& a,
                   const EditedValue& b, const EditedValue& like) {
  return edit.add_node(kAddedSelect, {condition, a, b}, like.dtype, like.dims);
}

EditedValue less(NodeEdit& edit, const EditedValue& a, const EditedValue& b,
                 const EditedValue& like) {
  return edit.add_node(kLess, {a, b}, DType::kBool, like.dims);
}

// The smallest and the largest legal index, if all extents are known.
std::pair<EditedValue, EditedValue> constant_ends(NodeEdit& edit, DType dtype) {
  std::vector<std::int64_t> low;
  std::vector<std::int64_t> high;
  for (const IndexColumn& column : *edit.view().columns) {
    low.push_back(takes_negatives(edit.view()) ? -column.extent.value : 0);
    high.push_back(column.extent.value - 1);
  }
  const Shape shape = shape_of_ends(edit.view());
  EditedValue first = edit.add_constant("low", integer_tensor(dtype, shape, low));
  return {std::move(first), edit.add_constant("high", integer_tensor(dtype, shape, high))};
}

// The smallest and the largest legal index. If extents are known in a run only, these are computed
// as 0 - extents and extents - 1.
std::pair<EditedValue, EditedValue> ends(NodeEdit& edit, DType dtype) {
  if (has_fixed_extents(edit.view())) return constant_ends(edit, dtype);
  const EditedValue extents = extents_of(edit, dtype);
  EditedValue low = edit.add_scalar("zero", 0, dtype);
  if (takes_negatives(edit.view()))
    low = edit.add_node(kSubtract, {low, extents}, dtype, extents.dims);
  const EditedValue one = edit.add_scalar("one", 1, dtype);
  return {std::move(low), edit.add_node(kSubtract, {extents, one}, dtype, extents.dims)};
}

// The outcome for a model whose opset lacks Where and Less of integers; nothing for other models.
std::optional<FixOutcome> too_old(const NodeEdit& edit) {
  if (!edit.is_onnx() || edit.scope().opset >= kSelectOpset) return std::nullopt;
  return FixOutcome::left("Where and Less of integers need opset 9 of ai.onnx, the model has " +
                          (edit.scope().opset == 0 ? "none" : std::to_string(edit.scope().opset)));
}

// Whether the indices are a constant whose type fits in int64, and address axes of known extents.
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
    const auto from_front = [](std::int64_t value, std::int64_t extent) {
      return value < 0 && value >= -extent ? value + extent : value;
    };
    return change_constant(edit, from_front,
                           outcome("the constant indices count from the front of the axis"),
                           "no constant index counts from the end of its axis");
  }
  if (auto left = too_old(edit)) return *std::move(left);
  if (dtype_kind(edit.input(view.indices).dtype) == DTypeKind::kUnsigned)
    return FixOutcome::left("its indices are of a type without negative numbers");
  const EditedValue indices = roomy_indices(edit);
  const EditedValue extents = extents_of(edit, indices.dtype);
  const EditedValue zero = edit.add_scalar("zero", 0, indices.dtype);
  const EditedValue counted = edit.add_node(kAdd, {indices, extents}, indices.dtype, indices.dims);
  // An index below the axis stays out of range: it becomes the extent.
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
  const auto is_empty = [](const IndexColumn& column) { return column.extent.value == 0; };
  if (std::any_of(view.columns->begin(), view.columns->end(), is_empty))
    return FixOutcome::left(
        "no index is legal on an axis of extent 0, so that none can be clipped");
  const bool from_end = takes_negatives(view);
  if (is_constant_index(edit)) {
    const auto clipped = [from_end](std::int64_t value, std::int64_t extent) {
      return std::min(std::max(value, from_end ? -extent : 0), extent - 1);
    };
    return change_constant(edit, clipped,
                           FixOutcome::unsafe("the constant indices are clipped to the axis"),
                           "no constant index is out of range");
  }
  if (auto left = too_old(edit)) return *std::move(left);
  const EditedValue indices = roomy_indices(edit);
  const auto [low, high] = ends(edit, indices.dtype);
  // ONNX Runtime's Max and Min are not exact for all integers of 64 bits. Its Less is, from which
  // bounds follow that do not depend on extents.
  const bool has_one_end = has_fixed_extents(view) && (view.family & kTupled) == 0;
  const bool has_maximum = !edit.is_onnx() || edit.scope().opset >= kMaximumOpset;
  if (has_maximum && !has_one_end) {
    const EditedValue raised = edit.add_node(kMaximum, {indices, low}, indices.dtype, indices.dims);
    edit.set_input(view.indices,
                   edit.add_node(kMinimum, {raised, high}, indices.dtype, indices.dims));
  } else {
    const EditedValue raised =
        select(edit, less(edit, indices, low, indices), low, indices, indices);
    edit.set_input(view.indices,
                   select(edit, less(edit, high, raised, indices), high, raised, indices));
  }
  return FixOutcome::unsafe(
      has_fixed_extents(view) ? "the indices are clipped to the axis"
                              : "the indices are clipped to the axis, which must have an element");
}

}  // namespace windrow::internal
