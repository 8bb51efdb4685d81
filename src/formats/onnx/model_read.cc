#include <memory>
#include <set>
#include <string>
#include <utility>

#include "src/formats/onnx/attribute.h"
#include "src/formats/onnx/model_proto.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/formats/onnx/value_info.h"
#include "src/models/numbered_graph.h"

namespace windrow::internal {
namespace {

using FunctionNames = std::set<std::pair<std::string, std::string>>;  // domain, name

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

// "ai.onnx" and "" are two spellings of one domain.
std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Status read_opset_imports(const pb::ModelProto& proto, Model& model) {
  for (const pb::OperatorSetIdProto& import : proto.opset_import()) {
    const std::string domain = plain_domain(import.domain());
    if (import.version() < 1 || import.version() > 1'000'000)
      return format_error("opset version " + std::to_string(import.version()) + " of domain '" +
                          import.domain() + "'");
    const int version = static_cast<int>(import.version());
    if (!model.opset_imports.emplace(domain, version).second)
      return format_error("two opset imports of domain '" + import.domain() + "'");
  }
  // Before IR version 3 models had no imports and meant the first opset.
  if (model.opset_imports.empty() && proto.ir_version() < 3) model.opset_imports.emplace("", 1);
  if (model.opset_imports.empty()) return format_error("no opset_import: the model is cut");
  return {};
}

Status read_initializers(pb::GraphProto& graph, ExternalData& external, Model& model) {
  if (graph.sparse_initializer_size() > 0)
    return {ErrorCode::kUnsupported, "sparse initializers are not supported: '" +
                                         graph.sparse_initializer(0).values().name() + "'"};
  for (pb::TensorProto& proto : *graph.mutable_initializer()) {
    Result<Constant> constant = read_constant(proto, external);
    if (!constant) return constant.error();
    if (!model.constants.emplace(proto.name(), *std::move(constant)).second)
      return format_error("two initializers are called '" + proto.name() + "'");
    proto.Clear();
  }
  return {};
}

void read_values(const pb::GraphProto& graph, Model& model) {
  for (const pb::ValueInfoProto& proto : graph.input()) {
    const bool has_default = model.constants.contains(proto.name());
    (has_default ? model.default_inputs : model.inputs).push_back(read_value_info(proto));
  }
  for (const pb::ValueInfoProto& proto : graph.output())
    model.outputs.push_back(read_value_info(proto));
  for (const pb::ValueInfoProto& proto : graph.value_info())
    model.values.push_back(read_value_info(proto));
}

// Attributes that have no place in AttributeValue make the node unsupported, not the model.
Status read_attributes(const pb::NodeProto& proto, ExternalData& external, ModelNode& node) {
  for (const pb::AttributeProto& attribute : proto.attribute()) {
    const std::string context = "attribute '" + attribute.name() + "'";
    Result<AttributeValue> value = read_attribute(attribute, external);
    if (!value && value.error().code() != ErrorCode::kUnsupported)
      return value.error().with_context(context);
    if (!value) {
      node.unsupported = value.error().with_context(context).message();
    } else if (!node.attributes.emplace(attribute.name(), *std::move(value)).second) {
      return format_error(context + " is there twice");
    }
  }
  return {};
}

Status read_node(const pb::NodeProto& proto, ExternalData& external, const FunctionNames& functions,
                 Model& model) {
  ModelNode node;
  node.name = proto.name().empty() ? proto.op_type() + "_" + std::to_string(model.nodes.size())
                                   : proto.name();
  node.domain = plain_domain(proto.domain());
  node.op_type = proto.op_type();
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  if (Status status = read_attributes(proto, external, node); !status)
    return status.with_context("node '" + node.name + "'");
  if (functions.contains({node.domain, node.op_type}))
    node.unsupported = "it is a function of the model";
  model.nodes.push_back(std::move(node));
  return {};
}

}  // namespace

Result<Model> read_model(pb::ModelProto& proto, ExternalData external) {
  if (!proto.has_graph()) return format_error("no graph: not an ONNX model, or a cut one");
  Model model;
  if (Status status = read_opset_imports(proto, model); !status) return status;
  if (Status status = read_initializers(*proto.mutable_graph(), external, model); !status)
    return status;
  read_values(proto.graph(), model);
  FunctionNames functions;
  for (const pb::FunctionProto& function : proto.functions())
    functions.emplace(plain_domain(function.domain()), function.name());
  model.nodes.reserve(static_cast<std::size_t>(proto.graph().node_size()));
  for (const pb::NodeProto& node : proto.graph().node()) {
    if (Status status = read_node(node, external, functions, model); !status) return status;
  }
  if (Status status = NumberedGraph::of(model).error(); !status) return status;
  return model;
}

}  // namespace windrow::internal
