#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "src/portability/fixes.h"

namespace windrow::internal {

Result<FixOutcome> drop_default_reduction(NodeEdit& edit) {
  const auto given = edit.node().attributes.find("reduction");
  if (given == edit.node().attributes.end())
    return FixOutcome::left("the node has no attribute reduction");
  const auto* const text = std::get_if<std::string>(&given->second);
  if (text == nullptr || *text != "none")
    return FixOutcome::left("its reduction is not \"none\": another one changes results");
  edit.node().attributes.erase(given);
  return FixOutcome::safe("the attribute reduction, which says \"none\" as its default, is gone");
}

Result<FixOutcome> rename_scatter(NodeEdit& edit) {
  if (!edit.is_onnx() || edit.node().op_type != "Scatter")
    return FixOutcome::left("the node is no Scatter of ONNX");
  if (edit.scope().opset < 11)
    return FixOutcome::left("ScatterElements needs opset 11, the model has opset " +
                            std::to_string(edit.scope().opset));
  edit.node().op_type = "ScatterElements";
  return FixOutcome::safe("Scatter is ScatterElements, which computes the same");
}

namespace {

// A version of an OpenVINO operator, and a later one that gives the same where the first one is
// defined.
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

// Attributes that only the later version has: written out, so that none that an old file has
// without a meaning gets one.
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

}  // namespace windrow::internal
