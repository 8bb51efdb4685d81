#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/judges.h"
#include "src/portability/node_edit.h"
#include "src/ranges/extents.h"

namespace windrow::internal {
namespace {

constexpr NodeEdit::Operator kUnsqueeze = {"Unsqueeze", "Unsqueeze"};
constexpr NodeEdit::Operator kSqueeze = {"Squeeze", "Squeeze"};

// An attribute that OpenVINO's Reshape requires; 0 has no special meaning.
const Attributes kPlainReshape = {{"special_zero", std::string("false")}};

bool is_openvino(const NodeEdit& edit) { return edit.view().dialect == kOpenvino; }

// Whether the first `count` extents of a value are 1 in every run.
bool begins_with_ones(const EditedValue& value, std::int64_t count) {
  if (!value.dims || static_cast<std::int64_t>(value.dims->size()) < count) return false;
  return std::all_of(value.dims->begin(), value.dims->begin() + count,
                     [](const Dim& dim) { return dim.value == 1; });
}

}  // namespace

Result<FixOutcome> unsqueeze_scalar_indices(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!is_openvino(edit) || view.family != kScatterUpdate || view.indices.rank() != 0 ||
      !view.updates.rank())
    return FixOutcome::left("the node is not a ScatterUpdate whose indices are a scalar");
  if (!view.axis) return FixOutcome::left("its axis is not known");
  const auto axis = static_cast<std::int64_t>(*view.axis);
  std::vector<Dim> dims = *edit.input(view.updates).dims;
  if (axis > static_cast<std::int64_t>(dims.size()))
    return FixOutcome::left("its updates have no place for the axis");
  edit.put_before(view.indices, kUnsqueeze, edit.add_list("axes", {0}), {{Dim{1, {}}}});
  dims.insert(dims.begin() + axis, Dim{1, {}});
  edit.put_before(view.updates, kUnsqueeze, edit.add_list("axes", {axis}), std::move(dims));
  return FixOutcome::safe("the scalar indices are a vector of one, the updates have its axis");
}

Result<FixOutcome> gather_rows_of_one(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue data = edit.input(view.data);
  if (!is_openvino(edit) || view.family != kGather || !data.dims || data.dims->size() != 1 ||
      !view.indices.rank() || !view.axis_input.is_given())
    return FixOutcome::left("the node is not an OpenVINO Gather from data of one axis");
  const EditedValue last = edit.add_list("axes", {-1});
  std::vector<Dim> dims = *data.dims;
  dims.push_back(Dim{1, {}});
  edit.put_before(view.data, kUnsqueeze, last, std::move(dims));
  edit.set_input(view.axis_input, edit.add_scalar("axis", 0, DType::kInt64));
  // The result for data of one axis has the shape of the indices.
  std::vector<Dim> rows = *view.indices.fact.dims;
  rows.push_back(Dim{1, {}});
  const EditedValue result = edit.detach_output(data.dtype, std::move(rows));
  edit.add_node(kSqueeze, {result, last}, data.dtype, view.indices.fact.dims);
  edit.attach_output();
  return FixOutcome::safe("data are rows of one element each");
}

Result<FixOutcome> drop_batch_of_one(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const std::int64_t batch = view.batch_dims;
  const EditedValue indices = edit.input(view.indices);
  if (!is_openvino(edit) || view.family != kGather || batch <= 0)
    return FixOutcome::left("the node is not an OpenVINO Gather with batch_dims");
  if (!begins_with_ones(edit.input(view.data), batch) || !begins_with_ones(indices, batch))
    return FixOutcome::left("its batch extents are not 1 in every run");
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < batch; ++axis) axes.push_back(axis);
  const EditedValue which = edit.add_list("axes", axes);
  std::vector<Dim> rest(indices.dims->begin() + batch, indices.dims->end());
  edit.put_before(view.indices, kSqueeze, which, std::move(rest));
  edit.node().attributes["batch_dims"] = std::int64_t{0};
  return FixOutcome::safe("the axes of extent 1 are no longer batch axes");
}

Result<FixOutcome> broadcast_batch(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const auto batch = static_cast<std::size_t>(std::max<std::int64_t>(view.batch_dims, 0));
  if (!is_openvino(edit) || view.family != kGatherND || view.version() < 8 || batch == 0)
    return FixOutcome::left("only GatherND-8 of OpenVINO defines batch extents that are broadcast");
  const EditedValue data = edit.input(view.data);
  const EditedValue indices = edit.input(view.indices);
  if (!known_extents(data.dims) || !known_extents(indices.dims) || data.dims->size() < batch ||
      indices.dims->size() < batch)
    return FixOutcome::left("the extents of its data and indices are not known");
  for (const InputView* input : {&view.data, &view.indices}) {
    const EditedValue& other = input == &view.data ? indices : data;
    const EditedValue value = edit.input(*input);
    std::vector<Dim> dims = *value.dims;
    for (std::size_t axis = 0; axis < batch; ++axis) {
      if (dims[axis].value == 1) dims[axis] = (*other.dims)[axis];
    }
    if (dims == *value.dims) continue;
    const EditedValue shape = edit.add_list("shape", *known_extents(dims));
    edit.put_before(*input, kAddedBroadcast, shape, std::move(dims),
                    {{"mode", std::string("numpy")}});
  }
  return FixOutcome::safe("the batch extents of data and indices are made equal");
}

// Uses Gather, since OpenVINO removes a Slice before GatherElements.
Result<FixOutcome> cut_data(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue indices = edit.input(view.indices);
  EditedValue data = edit.input(view.data);
  if (!edit.is_onnx() || view.family != kGatherElements || !view.axis ||
      !known_extents(data.dims) || !known_extents(indices.dims) ||
      data.dims->size() != indices.dims->size())
    return FixOutcome::left("the extents of its data and indices are not known");
  for (std::size_t axis = 0; axis < data.dims->size(); ++axis) {
    const std::int64_t length = (*indices.dims)[axis].value;
    if (axis == *view.axis || length >= (*data.dims)[axis].value) continue;
    std::vector<std::int64_t> first(static_cast<std::size_t>(length));
    std::iota(first.begin(), first.end(), 0);
    std::vector<Dim> dims = *data.dims;
    dims[axis] = Dim{length, {}};
    data = edit.add_node(kAddedTake, {data, edit.add_list("first", first)}, data.dtype,
                         std::move(dims), {{"axis", static_cast<std::int64_t>(axis)}});
  }
  edit.set_input(view.data, data);
  return FixOutcome::safe("data are cut to the extents of the indices off the axis");
}

Result<FixOutcome> fix_tuple_length(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!edit.is_onnx() || view.family != kScatterND)
    return FixOutcome::left("only the ranks of ScatterND's inputs tell how long its tuples are");
  const auto rank = view.data.rank();
  const auto indices_rank = view.indices.rank();
  const auto updates_rank = view.updates.rank();
  if (!rank || !indices_rank || !updates_rank || *indices_rank == 0)
    return FixOutcome::left("the ranks of its inputs are not known");
  // updates.shape = indices.shape[:-1] ++ data.shape[length:]
  const std::int64_t length = static_cast<std::int64_t>(*indices_rank + *rank) - 1 -
                              static_cast<std::int64_t>(*updates_rank);
  if (length < 1 || length > static_cast<std::int64_t>(*rank))
    return FixOutcome::left("the ranks of its inputs do not fit");
  // An extent of 0 means that Reshape keeps the extent.
  std::vector<std::int64_t> shape(*indices_rank, 0);
  shape.back() = length;
  std::vector<Dim> dims = *edit.input(view.indices).dims;
  dims.back() = Dim{length, {}};
  edit.put_before(view.indices, kAddedReshape, edit.add_list("shape", shape), std::move(dims));
  return FixOutcome::safe("the tuples have the length " + std::to_string(length) +
                          " that follows from the ranks");
}

Result<FixOutcome> squeeze_single_update(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!is_openvino(edit) || view.family != kScatterND || !view.columns || !view.data.rank() ||
      view.indices.rank() != 1 || view.columns->size() != *view.data.rank() ||
      !edit.input(view.updates).dims)
    return FixOutcome::left("the node does not update one element");
  const EditedValue scalar = edit.add_list("shape", {});
  edit.put_before(view.updates, kAddedReshape, scalar, std::vector<Dim>(), kPlainReshape);
  return FixOutcome::safe("the update of one element is a scalar");
}

Result<FixOutcome> unsqueeze_one_hot(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!edit.is_onnx() || view.family != kOneHot || view.indices.rank() != 0)
    return FixOutcome::left("the node is not a OneHot of a scalar");
  edit.put_before(view.indices, kAddedReshape, edit.add_list("shape", {1}), {{Dim{1, {}}}});
  // The result is one row, or one column if axis is 0; both are reshaped to the vector.
  const EditedValue result = edit.detach_output(view.data.fact.dtype, {{Dim(), Dim()}});
  const EditedValue all = edit.add_list("shape", {-1});
  edit.add_node(kAddedReshape, {result, all}, view.data.fact.dtype, {{Dim()}});
  edit.attach_output();
  return FixOutcome::safe("the scalar index is a vector of one, and the result is reshaped");
}

namespace {

// A type that every runtime supports and that holds every value of `dtype`, so that elements can be
// moved and compared in it; nothing if there is none.
std::optional<DType> wider_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
    case DType::kBFloat16:
      return DType::kFloat32;
    case DType::kInt8:
    case DType::kUint8:
    case DType::kInt16:
    case DType::kUint16:
      return DType::kInt32;
    default:
      return std::nullopt;
  }
}

// Whether each cell gets at most one sum or product of floats. A float with twice the digits then
// rounds the result as the narrow type does.
bool is_rounded_once(const NodeView& view) {
  const std::optional<Judgement> sums = judge_float_sums(view);
  return sums && sums->verdict == Verdict::kCannot && sums->premises.empty() &&
         (view.reduction == "add" || view.reduction == "mul");
}

// Makes the node read and write `wide`, with casts around it.
void widen(NodeEdit& edit, DType wide) {
  const NodeView& view = edit.view();
  const DType narrow = edit.input(view.data).dtype;
  edit.set_input(view.data, edit.cast(edit.input(view.data), wide));
  if (view.updates.is_given())
    edit.set_input(view.updates, edit.cast(edit.input(view.updates), wide));
  SymbolicShape dims;
  if (!view.outputs.empty()) dims = view.outputs.front().dims;
  const EditedValue result = edit.detach_output(wide, std::move(dims));
  edit.cast(result, narrow);
  edit.attach_output();
}

}  // namespace

Result<FixOutcome> widen_payload(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue data = edit.input(view.data);
  const std::string type(dtype_name(data.dtype));
  const std::optional<DType> wide = wider_type(data.dtype);
  if ((view.family & (kGathers | kScatters)) == 0 || !view.data.is_given() || !wide)
    return FixOutcome::left("there is no wider type in which " + type + " could be moved");
  const bool only_moves = !view.reduces() || view.takes_extreme();
  if (!only_moves && !is_rounded_once(view))
    return FixOutcome::left(
        "reduction \"" + view.reduction +
        "\" of several updates of a cell rounds otherwise in a wider type than in " + type);
  widen(edit, *wide);
  return FixOutcome::safe("data are cast to " + std::string(dtype_name(*wide)) +
                          ", which holds every " + type + ", and the result back");
}

Result<FixOutcome> sum_in_float32(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const DType type = view.data.fact.dtype;
  if (type != DType::kFloat16 && type != DType::kBFloat16)
    return FixOutcome::left("only sums of float16 and bfloat16 are widened to float32");
  // Another change may have widened it.
  if (edit.input(view.data).dtype == DType::kFloat32)
    return FixOutcome::safe("its sums are of float32");
  if (!edit.scope().unsafe)
    return FixOutcome::left("only an unsafe fix (casts to float32 and back) rounds sums otherwise");
  widen(edit, DType::kFloat32);
  return FixOutcome::rounds("data are cast to float32 and the result back: sums are rounded to " +
                            std::string(dtype_name(type)) + " once");
}

Result<FixOutcome> widen_indices(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue indices = edit.input(view.indices);
  const DTypeKind kind = dtype_kind(indices.dtype);
  const bool is_cut = view.family == kOneHot && kind == DTypeKind::kFloat;
  if (!is_integer(indices.dtype) && !is_cut)
    return FixOutcome::left("its indices are of a type that int64 does not stand for");
  if (indices.dtype == DType::kInt64) return FixOutcome::left("its indices are of int64");
  edit.set_input(view.indices, edit.cast(indices, DType::kInt64));
  return FixOutcome::safe(is_cut ? "the indices are cast to int64, as OneHot says of floats"
                                 : "the indices are cast to int64");
}

Result<FixOutcome> freeze_axis(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (view.dialect != kOpenvino || !view.axis_input.is_given() || !view.axis)
    return FixOutcome::left("the axis is not known");
  edit.set_input(view.axis_input,
                 edit.add_scalar("axis", static_cast<std::int64_t>(*view.axis), DType::kInt64));
  return FixOutcome::safe("the axis is a constant of int64, counted from the front");
}

}  // namespace windrow::internal
