#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/portability/fixes.h"
#include "src/portability/tensor_elements.h"
#include "src/ranges/dims.h"

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

}  // namespace windrow::internal
