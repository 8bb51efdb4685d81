#include "src/formats/onnx/graph_read.h"

#include <memory>
#include <utility>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// The fields that are left in a message, serialized.
template <class Message>
std::string rest_of(const Message& message) {
  return message.byte_size() == 0 ? std::string() : message.serialize();
}

bool has_constant(const Graph& graph, const std::string& name) {
  return graph.constants.contains(name) || graph.opaque_constants.contains(name);
}

// Whether a message says more than a model has members for: a comment, or fields of newer versions.
template <class Proto>
bool says_more(const Proto& proto) {
  return !proto.doc_string().empty() || !proto.unknown_fields().empty();
}

// Drops everything else from a message except its name.
template <class Proto>
void keep_more(Proto& proto) {
  Proto rest;
  rest.set_name(proto.name());
  rest.set_doc_string(proto.doc_string());
  *rest.mutable_unknown_fields() = proto.unknown_fields();
  proto = std::move(rest);
}

// Removes the elements of a list for which `is_read` is true.
template <class List, class IsRead>
void remove_read(List& list, const IsRead& is_read) {
  int kept = 0;
  for (int i = 0; i < list.size(); ++i)
    if (!is_read(i)) list.swap_elements(kept++, i);
  list.truncate(kept);
}

using ValueProtos = pb::RepeatedMessages<pb::ValueInfoProto>;

// Reads all values of a list. Those that could not be written again exactly as they are stay in the
// list.
void read_values(ValueProtos& protos, std::vector<ValueInfo>& values) {
  for (const pb::ValueInfoProto& proto : protos) values.push_back(read_value_info(proto));
  remove_read(protos, [&](int i) { return is_plain(protos[i]); });
}

// The order of inputs is their position in a call. All names stay in the message unless there are
// no default inputs and all inputs can be written again exactly as they are.
void read_inputs(pb::GraphProto& proto, Graph& graph) {
  for (pb::ValueInfoProto& input : *proto.mutable_input()) {
    const bool has_default = has_constant(graph, input.name());
    (has_default ? graph.default_inputs : graph.inputs).push_back(read_value_info(input));
  }
  bool all_plain = true;
  for (pb::ValueInfoProto& input : *proto.mutable_input()) {
    const bool plain = is_plain(input);
    if (plain) input.clear_type();
    all_plain = all_plain && plain;
  }
  if (all_plain && graph.default_inputs.empty()) proto.clear_input();
}

}  // namespace

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

// A constant that can't be represented stays in the message, with its elements.
Status GraphReader::keep_initializer(pb::TensorProto& proto, const std::string& why, Graph& graph) {
  graph.opaque_constants.emplace(proto.name(),
                                 OpaqueConstant{why, other_type_of_onnx(proto.data_type())});
  return external_.restore(*proto.mutable_raw_data());
}

Status GraphReader::read_initializers(pb::GraphProto& proto, Graph& graph) {
  std::vector<bool> read;
  for (pb::TensorProto& tensor : *proto.mutable_initializer()) {
    if (has_constant(graph, tensor.name()))
      return format_error("two initializers are called '", tensor.name(), "'");
    Result<Constant> constant = read_constant(tensor, external_);
    read.push_back(constant && !says_more(tensor));
    if (constant) {
      graph.constants.emplace(tensor.name(), *std::move(constant));
      keep_more(tensor);
    } else if (constant.error().code() == ErrorCode::kUnsupported) {
      Status status = keep_initializer(tensor, constant.error().message(), graph);
      if (!status) return status;
    } else {
      return constant.error();
    }
  }
  remove_read(*proto.mutable_initializer(),
              [&](int i) { return read[static_cast<std::size_t>(i)]; });
  for (const pb::SparseTensorProto& sparse : proto.sparse_initializer()) {
    const std::string& name = sparse.values().name();
    if (has_constant(graph, name)) return format_error("two initializers are called '", name, "'");
    graph.opaque_constants.emplace(name, OpaqueConstant{"it is a sparse tensor", {}});
  }
  return {};
}

Status GraphReader::read_bodies(pb::AttributeProto& proto, ModelNode& node) {
  const bool one = proto.type() == pb::AttributeProto::kGraph;
  const int count = one ? 1 : proto.graphs_size();
  for (int i = 0; i < count; ++i) {
    const std::string name = proto.name() + (one ? "" : "[" + std::to_string(i) + "]");
    const auto graph = std::make_shared<Graph>();
    Status status = read(one ? *proto.mutable_g() : *proto.mutable_graphs(i), *graph);
    if (!status) return status.with_context("'" + name + "'");
    node.bodies.push_back({name, graph});
  }
  return {};
}

Status GraphReader::read_attribute_of(pb::AttributeProto& proto, ModelNode& node, bool& kept) {
  const std::string context = "attribute '" + proto.name() + "'";
  const bool is_graph = proto.type() == pb::AttributeProto::kGraph ||
                        (proto.type() == pb::AttributeProto::kGraphs && proto.graphs_size() > 0);
  kept = says_more(proto);
  if (is_graph) return read_bodies(proto, node);
  Result<AttributeValue> value =
      in_function_ && !proto.ref_attr_name().empty()
          ? unsupported_error("it is the function's attribute '", proto.ref_attr_name(), "'")
          : read_attribute(proto, external_);
  if (!value && value.error().code() != ErrorCode::kUnsupported)
    return value.error().with_context(context);
  if (!value) {
    kept = true;
    node.unsupported = value.error().with_context(context).message();
    return {};
  }
  if (!node.attributes.emplace(proto.name(), *std::move(value)).second)
    return format_error(context, " appears twice");
  if (kept) keep_more(proto);
  return {};
}

// Attributes that have no place in AttributeValue make the node unsupported, not the model.
Status GraphReader::read_attributes(pb::NodeProto& proto, ModelNode& node) {
  std::vector<bool> read;
  for (pb::AttributeProto& attribute : *proto.mutable_attribute()) {
    bool kept = false;
    if (Status status = read_attribute_of(attribute, node, kept); !status) return status;
    read.push_back(!kept);
  }
  remove_read(*proto.mutable_attribute(), [&](int i) { return read[static_cast<std::size_t>(i)]; });
  return {};
}

Status GraphReader::read_node(pb::NodeProto& proto, std::size_t position, ModelNode& node) {
  node.name =
      proto.name().empty() ? proto.op_type() + "_" + std::to_string(position) : proto.name();
  node.domain = plain_domain(proto.domain());
  node.op_type = proto.op_type();
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  if (Status status = read_attributes(proto, node); !status)
    return status.with_context("node '" + node.name + "'");
  if (functions_.contains({node.domain, node.op_type}))
    node.unsupported = "it is a function of the model";
  proto.clear_name();
  proto.clear_op_type();
  proto.clear_domain();
  proto.clear_input();
  proto.clear_output();
  node.kept = rest_of(proto);
  return {};
}

template <class Proto>
Status GraphReader::read_nodes(Proto& proto, Graph& graph) {
  graph.nodes.reserve(static_cast<std::size_t>(proto.node_size()));
  for (pb::NodeProto& node : *proto.mutable_node()) {
    ModelNode& read = graph.nodes.emplace_back();
    if (Status status = read_node(node, graph.nodes.size() - 1, read); !status) return status;
  }
  proto.clear_node();
  return {};
}

Status GraphReader::read(pb::GraphProto& proto, Graph& graph) {
  if (Status status = read_initializers(proto, graph); !status) return status;
  read_inputs(proto, graph);
  read_values(*proto.mutable_output(), graph.outputs);
  read_values(*proto.mutable_value_info(), graph.values);
  if (Status status = read_nodes(proto, graph); !status) return status;
  graph.name = proto.name();
  proto.clear_name();
  graph.kept = rest_of(proto);
  return {};
}

Status GraphReader::read_function(pb::FunctionProto& proto, ModelFunction& function) {
  in_function_ = true;
  function.domain = plain_domain(proto.domain());
  Graph& graph = function.graph;
  graph.name = proto.name();
  for (const std::string& name : proto.input())
    graph.inputs.push_back({name, DType::kAbsent, std::nullopt});
  for (const std::string& name : proto.output())
    graph.outputs.push_back({name, DType::kAbsent, std::nullopt});
  function.attributes.assign(proto.attribute().begin(), proto.attribute().end());
  for (const pb::OperatorSetIdProto& import : proto.opset_import())
    function.opset_imports.emplace(plain_domain(import.domain()),
                                   static_cast<int>(import.version()));
  const Status status = read_nodes(proto, graph);
  in_function_ = false;
  if (!status) return status.with_context("function '" + graph.name + "'");
  proto.clear_domain();
  proto.clear_name();
  proto.clear_input();
  proto.clear_output();
  proto.clear_attribute();
  proto.clear_opset_import();
  graph.kept = rest_of(proto);
  return {};
}

}  // namespace windrow::internal
