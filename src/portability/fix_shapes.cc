#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/fixes.h"

namespace windrow::internal {
namespace {

constexpr NodeEdit::Operator kUnsqueeze = {"Unsqueeze", "Unsqueeze"};
constexpr NodeEdit::Operator kSqueeze = {"Squeeze", "Squeeze"};
constexpr NodeEdit::Operator kReshape = {"Reshape", "Reshape"};
constexpr NodeEdit::Operator kBroadcast = {"Expand", "Broadcast", 3};
constexpr NodeEdit::Operator kTake = {"Gather", "Gather", 8};

// OpenVINO's Reshape wants it; 0 has no meaning of its own.
const Attributes kPlainReshape = {{"special_zero", std::string("false")}};

// A vector of numbers as a constant.
EditedValue add_list(NodeEdit& edit, std::string_view what, const std::vector<std::int64_t>& list) {
  return edit.add_constant(
      what, integer_tensor(DType::kInt64, Shape{static_cast<std::int64_t>(list.size())}, list));
}

Dim extent_of(std::int64_t value) {
  Dim dim;
  dim.value = value;
  return dim;
}

bool is_openvino(const NodeEdit& edit) { return edit.view().dialect == kOpenvino; }

// Whether the first `count` extents of a value are 1 in every run.
bool begins_with_ones(const EditedValue& value, std::int64_t count) {
  if (!value.dims || static_cast<std::int64_t>(value.dims->size()) < count) return false;
  return std::all_of(value.dims->begin(), value.dims->begin() + count,
                     [](const Dim& dim) { return dim.value == 1; });
}

bool is_fixed(const EditedValue& value) {
  return value.dims && std::all_of(value.dims->begin(), value.dims->end(),
                                   [](const Dim& dim) { return dim.is_known(); });
}

}  // namespace

Result<FixOutcome> unsqueeze_scalar_indices(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!is_openvino(edit) || view.family != kScatterUpdate || view.indices.rank() != 0 ||
      !view.updates.rank())
    return FixOutcome::left("the node is no ScatterUpdate whose indices are a scalar");
  if (!view.axis) return FixOutcome::left("its axis is not known");
  const auto axis = static_cast<std::int64_t>(*view.axis);
  const EditedValue indices = edit.input(view.indices);
  const EditedValue updates = edit.input(view.updates);
  if (axis > static_cast<std::int64_t>(updates.dims->size()))
    return FixOutcome::left("its updates have no place for the axis");
  const EditedValue front = add_list(edit, "axes", {0});
  edit.set_input(view.indices,
                 edit.add_node(kUnsqueeze, {indices, front}, indices.dtype, {{extent_of(1)}}));
  std::vector<Dim> dims = *updates.dims;
  dims.insert(dims.begin() + axis, extent_of(1));
  const EditedValue place = add_list(edit, "axes", {axis});
  edit.set_input(view.updates,
                 edit.add_node(kUnsqueeze, {updates, place}, updates.dtype, std::move(dims)));
  return FixOutcome::safe("the scalar indices are a vector of one, the updates have its axis");
}

Result<FixOutcome> gather_rows_of_one(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue data = edit.input(view.data);
  if (!is_openvino(edit) || view.family != kGather || !data.dims || data.dims->size() != 1 ||
      !view.indices.rank() || !view.axis_input.is_given())
    return FixOutcome::left("the node is no Gather of OpenVINO of one axis");
  const EditedValue last = add_list(edit, "axes", {-1});
  std::vector<Dim> dims = *data.dims;
  dims.push_back(extent_of(1));
  edit.set_input(view.data, edit.add_node(kUnsqueeze, {data, last}, data.dtype, dims));
  edit.set_input(view.axis_input, edit.add_scalar("axis", 0, DType::kInt64));
  // The result of one axis of data has the shape of the indices.
  std::vector<Dim> rows = *view.indices.fact.dims;
  rows.push_back(extent_of(1));
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
    return FixOutcome::left("the node is no Gather of OpenVINO with batch_dims");
  if (!begins_with_ones(edit.input(view.data), batch) || !begins_with_ones(indices, batch))
    return FixOutcome::left("its batch extents are not 1 in every run");
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < batch; ++axis) axes.push_back(axis);
  const EditedValue which = add_list(edit, "axes", axes);
  std::vector<Dim> rest(indices.dims->begin() + batch, indices.dims->end());
  edit.set_input(view.indices,
                 edit.add_node(kSqueeze, {indices, which}, indices.dtype, std::move(rest)));
  edit.node().attributes["batch_dims"] = std::int64_t{0};
  return FixOutcome::safe("the batch axes of extent 1 are no batch axes any more");
}

Result<FixOutcome> broadcast_batch(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const auto batch = static_cast<std::size_t>(std::max<std::int64_t>(view.batch_dims, 0));
  if (!is_openvino(edit) || view.family != kGatherND || view.version() < 8 || batch == 0)
    return FixOutcome::left("only GatherND-8 of OpenVINO defines batch extents that are broadcast");
  const EditedValue data = edit.input(view.data);
  const EditedValue indices = edit.input(view.indices);
  if (!is_fixed(data) || !is_fixed(indices) || data.dims->size() < batch ||
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
    std::vector<std::int64_t> target;
    for (const Dim& dim : dims) target.push_back(dim.value);
    const EditedValue shape = add_list(edit, "shape", target);
    edit.set_input(*input, edit.add_node(kBroadcast, {value, shape}, value.dtype, std::move(dims),
                                         {{"mode", std::string("numpy")}}));
  }
  return FixOutcome::safe("the batch extents of data and indices are made equal");
}

// By Gather, since OpenVINO takes a Slice before GatherElements out again.
Result<FixOutcome> cut_data(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue indices = edit.input(view.indices);
  EditedValue data = edit.input(view.data);
  if (!edit.is_onnx() || view.family != kGatherElements || !view.axis || !is_fixed(data) ||
      !is_fixed(indices) || data.dims->size() != indices.dims->size())
    return FixOutcome::left("the extents of its data and indices are not known");
  for (std::size_t axis = 0; axis < data.dims->size(); ++axis) {
    const std::int64_t length = (*indices.dims)[axis].value;
    if (axis == *view.axis || length >= (*data.dims)[axis].value) continue;
    std::vector<std::int64_t> first(static_cast<std::size_t>(length));
    std::iota(first.begin(), first.end(), 0);
    std::vector<Dim> dims = *data.dims;
    dims[axis] = extent_of(length);
    data = edit.add_node(kTake, {data, add_list(edit, "first", first)}, data.dtype, std::move(dims),
                         {{"axis", static_cast<std::int64_t>(axis)}});
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
  // 0: as it is.
  std::vector<std::int64_t> shape(*indices_rank, 0);
  shape.back() = length;
  const EditedValue indices = edit.input(view.indices);
  std::vector<Dim> dims = *indices.dims;
  dims.back() = extent_of(length);
  const EditedValue target = add_list(edit, "shape", shape);
  edit.set_input(view.indices,
                 edit.add_node(kReshape, {indices, target}, indices.dtype, std::move(dims)));
  return FixOutcome::safe("the tuples have the length " + std::to_string(length) +
                          " that follows from the ranks");
}

Result<FixOutcome> squeeze_single_update(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue updates = edit.input(view.updates);
  if (!is_openvino(edit) || view.family != kScatterND || !view.columns || !view.data.rank() ||
      view.indices.rank() != 1 || view.columns->size() != *view.data.rank() || !updates.dims)
    return FixOutcome::left("the node does not update one element");
  const EditedValue scalar = add_list(edit, "shape", {});
  edit.set_input(view.updates, edit.add_node(kReshape, {updates, scalar}, updates.dtype,
                                             std::vector<Dim>(), kPlainReshape));
  return FixOutcome::safe("the update of one element is a scalar");
}

Result<FixOutcome> unsqueeze_one_hot(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue indices = edit.input(view.indices);
  if (!edit.is_onnx() || view.family != kOneHot || view.indices.rank() != 0)
    return FixOutcome::left("the node is no OneHot of a scalar");
  const EditedValue vector_shape = add_list(edit, "shape", {1});
  edit.set_input(view.indices,
                 edit.add_node(kReshape, {indices, vector_shape}, indices.dtype, {{extent_of(1)}}));
  // One row, or, with axis 0, one column; both are reshaped to the vector.
  const EditedValue result = edit.detach_output(view.data.fact.dtype, {{Dim(), Dim()}});
  const EditedValue all = add_list(edit, "shape", {-1});
  edit.add_node(kReshape, {result, all}, view.data.fact.dtype, {{Dim()}});
  edit.attach_output();
  return FixOutcome::safe("the scalar index is a vector of one, and the result is reshaped");
}

}  // namespace windrow::internal
