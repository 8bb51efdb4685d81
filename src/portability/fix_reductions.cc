#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/portability/fixes.h"
#include "src/ranges/dims.h"

namespace windrow::internal {
namespace {

constexpr NodeEdit::Operator kReshape = {"Reshape", "Reshape"};
constexpr NodeEdit::Operator kBroadcast = {"Expand", "Broadcast", 3};
constexpr NodeEdit::Operator kShape = {"Shape", "ShapeOf", 3};
constexpr NodeEdit::Operator kIsNan = {"IsNaN", "IsNaN", 10};
constexpr NodeEdit::Operator kSelect = {"Where", "Select"};

// Whether the updates have an extent for each index and, behind it, those of the data's rows, in
// every run: ScatterElements would take shorter rows, too.
bool has_whole_rows(const std::vector<Dim>& data, const std::vector<Dim>& indices,
                    const std::vector<Dim>& updates) {
  return updates.size() == data.size() && updates.front() == indices.front() &&
         std::equal(data.begin() + 1, data.end(), updates.begin() + 1);
}

// The indices [n, 1] of rows, as [n, 1, ...], and then repeated for each element of a row.
void index_each_element(NodeEdit& edit, const std::vector<Dim>& updates) {
  const NodeView& view = edit.view();
  // An extent of 0 means that Reshape keeps the extent.
  std::vector<std::int64_t> column(updates.size(), 1);
  column.front() = 0;
  std::vector<Dim> dims(updates.size(), Dim{1, {}});
  dims.front() = updates.front();
  edit.put_before(view.indices, kReshape, edit.add_list("shape", column), std::move(dims));
  if (updates.size() == 1) return;
  const Dim rank{static_cast<std::int64_t>(updates.size()), {}};
  const auto known = known_extents(updates);
  const EditedValue shape =
      known ? edit.add_list("extents", *known)
            : edit.add_node(kShape, {edit.input(view.updates)}, DType::kInt64, {{rank}});
  edit.put_before(view.indices, kBroadcast, shape, updates);
}

// A scalar of a type of floats.
Result<EditedValue> float_scalar(NodeEdit& edit, const char* what, float value, DType dtype) {
  const Tensor wide = Tensor::of<float>({}, {value});
  Result<Tensor> scalar = convert(wide, dtype);
  if (!scalar) return scalar.error();
  return edit.add_constant(what, *std::move(scalar));
}

// Where a value is NaN, before the node.
EditedValue nan_marks(NodeEdit& edit, const EditedValue& value) {
  return edit.add_node(kIsNan, {value}, DType::kBool, value.dims);
}

// Whether ONNX's node is a max or min of floats, for which IsNaN has code in every opset.
bool takes_extreme_of_plain_floats(const NodeEdit& edit) {
  const NodeView& view = edit.view();
  const DType dtype = edit.input(view.data).dtype;
  return edit.is_onnx() && view.takes_extreme() && view.updates.is_given() &&
         (dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kFloat16);
}

}  // namespace

Result<FixOutcome> scatter_elements_of_rows(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!edit.is_onnx() || view.family != kScatterND)
    return FixOutcome::left("the node is not ONNX's ScatterND");
  const SymbolicShape& data = edit.input(view.data).dims;
  const SymbolicShape& indices = edit.input(view.indices).dims;
  const SymbolicShape updates = edit.input(view.updates).dims;
  if (!data || !indices || !updates || data->empty() || indices->size() != 2 ||
      (*indices)[1].value != 1)
    return FixOutcome::left(
        "it is no ScatterElements: that takes an index for one axis, and its indices are not known "
        "to be a list of tuples of one index");
  if (!has_whole_rows(*data, *indices, *updates))
    return FixOutcome::left(
        "it is not made a ScatterElements, which takes updates that are shorter than the rows of "
        "data, since nothing proves that these are not");
  index_each_element(edit, *updates);
  edit.node().op_type = "ScatterElements";
  edit.node().attributes["axis"] = std::int64_t{0};
  return FixOutcome::safe(
      "ScatterND is ScatterElements along axis 0, whose updates no threads race for");
}

Result<FixOutcome> mark_nan(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!takes_extreme_of_plain_floats(edit))
    return FixOutcome::left(
        "only a max or min of ONNX, of float16, float32 or float64, gets nodes that keep NaN");
  const EditedValue data = edit.input(view.data);
  const EditedValue updates = edit.input(view.updates);
  // No zero, which would meet zeros of the other sign.
  const Result<EditedValue> one = float_scalar(edit, "one", 1, data.dtype);
  if (!one) return one.error();
  const Result<EditedValue> nan =
      float_scalar(edit, "nan", std::numeric_limits<float>::quiet_NaN(), data.dtype);
  if (!nan) return nan.error();
  const EditedValue in_data = nan_marks(edit, data);
  const EditedValue in_updates = nan_marks(edit, updates);
  edit.set_input(view.data, edit.add_node(kSelect, {in_data, *one, data}, data.dtype, data.dims));
  edit.set_input(view.updates,
                 edit.add_node(kSelect, {in_updates, *one, updates}, data.dtype, updates.dims));
  const EditedValue old_marks = edit.cast(in_data, DType::kInt32);
  const EditedValue new_marks = edit.cast(in_updates, DType::kInt32);
  // The same node on marks: a cell has a mark if it or one of its updates is NaN.
  const std::string op_type = edit.node().op_type;
  Attributes attributes = edit.node().attributes;
  attributes["reduction"] = std::string("max");
  const EditedValue marks = edit.add_node({op_type.c_str(), op_type.c_str()},
                                          {old_marks, edit.input(view.indices), new_marks},
                                          DType::kInt32, data.dims, std::move(attributes));
  const EditedValue is_nan = edit.cast(marks, DType::kBool);
  const EditedValue result = edit.detach_output(data.dtype, data.dims);
  edit.add_node(kSelect, {is_nan, *nan, result}, data.dtype, data.dims);
  edit.attach_output();
  return FixOutcome::safe(
      "NaN is taken out of data and updates and put into the result, where it stays");
}

}  // namespace windrow::internal
