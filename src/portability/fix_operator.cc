#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/models/host_ops/host_ops.h"
#include "src/portability/given_values.h"
#include "src/portability/node_edit.h"
#include "src/ranges/extents.h"

namespace windrow::internal {

Result<FixOutcome> drop_default_reduction(NodeEdit& edit) {
  const auto given = edit.node().attributes.find("reduction");
  if (given == edit.node().attributes.end())
    return FixOutcome::left("the node has no attribute reduction");
  const auto* const text = std::get_if<std::string>(&given->second);
  if (text == nullptr || *text != "none")
    return FixOutcome::left("its reduction is not \"none\": another one changes results");
  edit.node().attributes.erase(given);
  return FixOutcome::safe(
      "the attribute reduction, whose value is the default \"none\", is removed");
}

Result<FixOutcome> rename_scatter(NodeEdit& edit) {
  if (!edit.is_onnx() || edit.node().op_type != "Scatter")
    return FixOutcome::left("the node is not ONNX's Scatter");
  if (edit.scope().opset < 11)
    return FixOutcome::left("ScatterElements needs opset 11, the model has opset " +
                            std::to_string(edit.scope().opset));
  edit.node().op_type = "ScatterElements";
  return FixOutcome::safe("Scatter is ScatterElements, which computes the same");
}

namespace {

// A version of an OpenVINO operator, and a later one that gives the same results wherever the first
// is defined.
struct LaterVersion {
  std::string_view name;
  int from;
  int to;
};

constexpr std::array<LaterVersion, 5> kLaterVersions = {{{"Gather", 1, 8},
                                                         {"Gather", 7, 8},
                                                         {"GatherND", 5, 8},
                                                         {"ScatterElementsUpdate", 3, 12},
                                                         {"ScatterNDUpdate", 3, 15}}};

// Writes the attributes that only the later version has with their defaults, so that one that an
// old file has without a meaning does not get one.
void write_defaults(ModelNode& node) {
  const Result<OperatorInfo> info = find_operator({"openvino", node.op_type, node.version});
  if (!info) return;
  for (const OperatorAttribute& attribute : info->attributes)
    node.attributes.try_emplace(attribute.name, attribute.default_value);
}

}  // namespace

Result<FixOutcome> raise_version(NodeEdit& edit) {
  ModelNode& node = edit.node();
  const std::string old = edit.view().operator_name();
  if (edit.view().dialect != kOpenvino)
    return FixOutcome::left("the version of an operator of ONNX is the model's opset");
  for (const LaterVersion& later : kLaterVersions) {
    if (later.name != node.op_type || later.from != node.version) continue;
    if (node.op_type == "GatherND" && edit.view().batch_dims > 1)
      return FixOutcome::left("GatherND-8 does not join the batch axes of its result as " + old +
                              " does");
    node.version = later.to;
    write_defaults(node);
    return FixOutcome::safe(old + " is " + node.op_type + "-" + std::to_string(later.to) +
                            ", which gives the same where " + old + " is defined");
  }
  return FixOutcome::left(old + " has no later version");
}

Result<FixOutcome> fold_booleans(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (!edit.is_onnx() || edit.input(view.data).dtype != DType::kBool)
    return FixOutcome::left("the node does not reduce booleans of ONNX");
  if (view.reduction != "max" && view.reduction != "min")
    return FixOutcome::left("booleans have no other form of reduction \"" + view.reduction + "\"");
  const std::string other = view.reduction == "max" ? "add" : "mul";
  edit.node().attributes["reduction"] = other;
  return FixOutcome::safe("reduction \"" + view.reduction + "\" of booleans is \"" + other +
                          "\", which is the same");
}

Result<FixOutcome> split_fused_batch(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const SymbolicShape none;
  const SymbolicShape& fused = view.outputs.empty() ? none : view.outputs.front().dims;
  if (view.dialect != kOpenvino || view.family != kGatherND || view.version() != 5)
    return FixOutcome::left("the node is not GatherND-5");
  const auto shape = known_extents(fused);
  if (!shape) return FixOutcome::left("the shape of its result is not known");
  const auto batch = static_cast<std::size_t>(view.batch_dims);
  if (view.batch_dims < 0 || batch > view.indices.rank().value_or(0))
    return FixOutcome::left("its batch axes are not known");
  edit.node().version = 8;
  // The extents of the result before they are joined.
  std::vector<Dim> apart;
  const std::vector<Dim>& indices = *view.indices.fact.dims;
  apart.insert(apart.end(), indices.begin(), indices.begin() + view.batch_dims);
  apart.insert(apart.end(), fused->begin() + 1, fused->end());
  const DType dtype = view.data.fact.dtype;
  const EditedValue result = edit.detach_output(dtype, std::move(apart));
  const EditedValue target = edit.add_list("shape", *shape);
  edit.add_node({"Reshape", "Reshape"}, {result, target}, dtype, fused,
                {{"special_zero", std::string("false")}});
  edit.attach_output();
  return FixOutcome::safe("GatherND-5 is GatherND-8, whose result is reshaped");
}

namespace {

// Whether every index of a node is at least 0 in every run.
Result<bool> are_not_negative(const NodeEdit& edit) {
  const EditedValue& indices = edit.input(edit.view().indices);
  if (indices.constant != nullptr) {
    const Result<std::shared_ptr<const Tensor>> elements = indices.constant->tensor();
    if (!elements) return elements.error();
    return !find_integer(**elements, [](std::int64_t, std::int64_t value) { return value < 0; });
  }
  const ValueRange& range = edit.view().indices.fact.range;
  return !range.integers.empty() && range.premises.empty() &&
         std::all_of(range.integers.begin(), range.integers.end(),
                     [](const Interval& interval) { return interval.low >= 0; });
}

}  // namespace

Result<FixOutcome> extract_with_gather(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (view.family != kFeatureExtractor || !view.data.rank())
    return FixOutcome::left("the rank of its data is not known");
  if (edit.scope().opset < 5) return FixOutcome::left("Reshape and Gather need opset 5 of ai.onnx");
  const Result<bool> is_safe = are_not_negative(edit);
  if (!is_safe) return is_safe.error();
  if (!*is_safe && !edit.scope().unsafe)
    return FixOutcome::left(
        "Gather counts negative indices from the end, which are errors of "
        "ArrayFeatureExtractor: only an unsafe fix does so");
  // The result for data of one axis is a row.
  const bool is_vector = *view.data.rank() == 1;
  const std::vector<std::int64_t> target =
      is_vector ? std::vector<std::int64_t>{1, -1} : std::vector<std::int64_t>{-1};
  edit.put_before(view.indices, {"Reshape", "Reshape"}, edit.add_list("shape", target), {});
  ModelNode& node = edit.node();
  node.domain.clear();
  node.op_type = "Gather";
  node.attributes = {{"axis", std::int64_t{-1}}};
  const std::string what = "ArrayFeatureExtractor is a Gather along the last axis";
  return *is_safe ? FixOutcome::safe(what) : FixOutcome::unsafe(what);
}

namespace {

constexpr NodeEdit::Operator kIsNan = {"IsNaN", "IsNaN", 10};

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
  edit.put_before(view.indices, kAddedReshape, edit.add_list("shape", column), std::move(dims));
  if (updates.size() == 1) return;
  const Dim rank{static_cast<std::int64_t>(updates.size()), {}};
  const auto known = known_extents(updates);
  const EditedValue shape =
      known ? edit.add_list("extents", *known)
            : edit.add_node(kAddedShape, {edit.input(view.updates)}, DType::kInt64, {{rank}});
  edit.put_before(view.indices, kAddedBroadcast, shape, updates);
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
  edit.set_input(view.data,
                 edit.add_node(kAddedSelect, {in_data, *one, data}, data.dtype, data.dims));
  edit.set_input(view.updates, edit.add_node(kAddedSelect, {in_updates, *one, updates}, data.dtype,
                                             updates.dims));
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
  edit.add_node(kAddedSelect, {is_nan, *nan, result}, data.dtype, data.dims);
  edit.attach_output();
  return FixOutcome::safe(
      "NaN is taken out of data and updates and put into the result, where it stays");
}

}  // namespace windrow::internal
